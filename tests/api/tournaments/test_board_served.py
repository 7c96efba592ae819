"""The board that shows all tables of a tournament on a wall, over HTTP."""

from tests.api.serving import tally
from tests.api.serving_kinds import on_both
from tests.api.tournaments.test_tournaments import opened, play, tell
from tests.match.story import NAMES


def board(league, slug, **request):
    return league.viewer.get(f"/tournaments/{slug}/board", **request)


@on_both
def test_the_wall_follows_the_tables(league):
    slug, body = opened(league)
    first, second, _ = body["segments"]
    answer = board(league, slug)
    (table,) = answer.json().pop("tables")
    (planned,) = first["tables"]
    assert (table["match"], table["round"], table["rounds"]) == (planned["match"], 1, 4)
    assert (table["seats"], table["dealer"]) == (
        planned["rounds"][0]["players"],
        planned["rounds"][0]["dealer"],
    )
    next_table = {name: second["tables"][0][name] for name in ("table", "teams")}
    assert answer.json()["next"] == {"segment": 2, "tables": [next_table], "byes": []}
    known = {"if-none-match": answer.headers["etag"]}
    assert board(league, slug, headers=known).status_code == 304
    events = f"/matches/{planned['match']}/events"
    begun = {"events": [tally("di", ann=0, bo=10, cy=5), {"type": "round_started"}]}
    assert league.scorekeeper.post(events, begun).status_code == 201
    (table,) = board(league, slug, headers=known).json()["tables"]
    assert (table["round"], table["dealer"], table["status"]) == (2, "ann", "open")
    assert table["scores"] == {"di": 0, "ann": 0, "bo": 15, "cy": 15}
    # Appends by others, amendments and erasures are visible at once.
    drop = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "not ours"}
    assert league.scorekeeper.post(events, {"events": [drop]}).status_code == 201
    (table,) = board(league, slug).json()["tables"]
    assert (table["round"], table["scores"]) == (1, dict.fromkeys(table["seats"], 0))
    assert league.viewer.get("/tournaments/none/board").status_code == 404


@on_both
def test_the_wall_after_a_withdrawal_and_a_substitution(served):
    league = served.league(NAMES[:9])
    *eight, substitute = NAMES[:9]
    slug, body = opened(league, players=eight)
    play(league, body["segments"][:1])
    assert tell(
        league,
        slug,
        {"type": "player_withdrawn", "player": eight[0]},
        {"type": "player_substituted", "player": eight[1], "substitute": substitute},
    ).is_success
    found = board(league, slug).json()
    assert found["segment"] == 2
    assert sorted(table["status"] for table in found["tables"]) == ["abandoned", "open"]
    assert found["substitutes"] == {eight[1]: substitute}
    assert len(found["next"]["tables"]) == 1
    assert len(found["next"]["byes"]) == 3
    assert eight[0] not in found["next"]["byes"]


@on_both
def test_what_was_erased_at_a_table_is_not_on_the_wall(league):
    slug, body = opened(league)
    match = body["segments"][0]["tables"][0]["match"]
    told = {"events": [tally("di", ann=0, bo=10, cy=5)]}
    entry = league.scorekeeper.post(f"/matches/{match}/events", told).json()["entries"][0]
    assert board(league, slug).json()["tables"][0]["scores"]["bo"] == 15
    erased = {"positions": [entry["position"]], "reason": "asked for"}
    assert league.owner.post("/erasures", erased).status_code == 201
    (table,) = board(league, slug).json()["tables"]
    assert (table["round"], table["scores"]["bo"]) == (1, 0)

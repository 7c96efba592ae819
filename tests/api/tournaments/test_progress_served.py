"""The data of the plots: totals after each round, of a match and of a tournament."""

from tests.api.serving import tally
from tests.api.serving_kinds import on_both
from tests.api.tournaments.test_tournaments import opened, play, standings

THIRTY, FIVE = tally("ann", bo=30), tally("bo", ann=5)


def two(league):
    scoring = {"mode": "lowest-total", "target": 500}
    return league.match(players=["ann", "bo"], scoring=scoring, events=[THIRTY, FIVE])


@on_both
def test_a_match_round_by_round(league):
    match = two(league)
    answer = match.get("/progress")
    assert answer.json() == {"columns": ["ann", "bo"], "rounds": [[0, 30], [5, 30]]}
    assert answer.headers["etag"] == '"5"'
    known = {"if-none-match": answer.headers["etag"]}
    assert match.get("/progress", headers=known).status_code == 304
    match.tell({"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "not ours"})
    assert match.get("/progress", headers=known).json()["rounds"] == [[5, 0]]
    assert match.get("/progress", params={"at": 5}).json() == answer.json()
    assert match.get("/progress", params={"at": 1}).json()["rounds"] == []
    assert match.get("/progress", params={"at": 99}).status_code == 404


@on_both
def test_a_tournament_round_by_round(league):
    slug, body = opened(league)
    path = f"/tournaments/{slug}/progress"
    nothing = league.viewer.get(path)
    assert nothing.json() == {"columns": ["ann", "bo", "cy", "di"], "rounds": []}
    play(league, body["segments"])
    answer = league.viewer.get(path)
    assert len(answer.json()["rounds"]) == 12
    # di+ann win all of their rounds, then di+bo, then di+cy; the others have 20 each time.
    assert answer.json()["rounds"][3::4] == [[0, 80, 80, 0], [80, 80, 160, 0], [160, 160, 160, 0]]
    totals = {each["player"]: each["total"] for each in standings(league, slug)["items"]}
    assert dict(zip(answer.json()["columns"], answer.json()["rounds"][-1], strict=True)) == totals
    tag = {"if-none-match": answer.headers["etag"]}
    assert league.viewer.get(path, headers=tag).status_code == 304
    match = f"/matches/{body['segments'][0]['tables'][0]['match']}/events"
    told = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "misdeal"}
    assert league.scorekeeper.post(match, {"events": [told]}).status_code == 201
    shorter = league.viewer.get(path, headers=tag).json()["rounds"]
    assert (len(shorter), shorter[-1]) == (11, [160, 140, 140, 0])
    assert league.viewer.get("/tournaments/none/progress").status_code == 404

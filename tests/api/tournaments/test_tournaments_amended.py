"""A round at a tournament's table is corrected, and the tournament changes with it."""

from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper
from tests.api.serving import tally
from tests.api.serving_kinds import on_both, quick_on_sqlite
from tests.api.tournaments.test_tournaments import opened, play, standings, tell


def played(league):
    """Play a tournament in which di wins every round; the others are tied."""
    slug, body = opened(league)
    play(league, body["segments"])
    assert standings(league, slug)["champions"] == ["di"]
    return slug


def amend(league, slug, *insert, **fields):
    """Amend the match at the first table, and return the version of the amendment."""
    amendment = {"type": "log_amended", "reason": "misheard", "insert": list(insert), **fields}
    return tell_at_the_table(league, slug, amendment)["version"]


def withdraw(league, slug, amendment):
    amend(league, slug, withdraws=[amendment])


def tell_at_the_table(league, slug, event):
    answer = league.scorekeeper.post(f"/matches/{slug}-s1-t1/events", {"events": [event]})
    assert answer.status_code == 201, answer.text
    return answer.json()


def totals(found):
    return {each["player"]: each["total"] for each in found["items"]}


def status(league, slug):
    return league.viewer.get(f"/tournaments/{slug}").json()["status"]


def nothing_is_wrong_with(league):
    """Run `verify`: the stored rows of the tables agree with the log."""
    arguments = ["verify", league.slug, "--database-url", league.served.url]
    done = CliRunner().invoke(scorekeeper, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output


@quick_on_sqlite
def test_a_round_told_otherwise_makes_another_champion_until_that_is_withdrawn(league):
    slug = played(league)
    before = standings(league, slug)
    assert totals(before) == {"di": 0, "ann": 160, "bo": 160, "cy": 160}
    # Di and ann are partners in this match.
    amendment = amend(league, slug, tally("bo", di=250, ann=250, cy=0), **{"from": 2, "remove": 1})
    after = standings(league, slug)
    assert after["complete"] is True
    assert totals(after) == {"bo": 140, "cy": 140, "di": 500, "ann": 660}
    assert [(each["player"], each["rank"], each["round_wins"]) for each in after["items"]] == [
        ("bo", 1, 1),
        ("cy", 2, 0),
        ("di", 3, 11),
        ("ann", 4, 0),
    ]
    assert after["champions"] == ["bo"]
    nothing_is_wrong_with(league)
    withdraw(league, slug, amendment)
    assert standings(league, slug) == before
    nothing_is_wrong_with(league)


@on_both
def test_a_round_taken_out_is_to_be_played_before_there_is_a_champion(league):
    slug = played(league)
    before = standings(league, slug)
    amendment = amend(league, slug, **{"from": 2, "remove": 1})
    after = standings(league, slug)
    assert (after["complete"], after["champions"], after["tied"]) == (False, [], [])
    assert {each["rounds"] for each in after["items"]} == {11}
    assert status(league, slug) == "open"
    nothing_is_wrong_with(league)
    withdraw(league, slug, amendment)
    assert standings(league, slug) == before
    assert status(league, slug) == "complete"
    nothing_is_wrong_with(league)
    amend(league, slug, **{"from": 2, "remove": 1})
    tell_at_the_table(league, slug, tally("di", ann=0, bo=10, cy=10))
    assert standings(league, slug) == before
    nothing_is_wrong_with(league)


@quick_on_sqlite
def test_a_round_whose_content_was_erased_is_to_be_played_again(league):
    slug = played(league)
    log = league.viewer.get(f"/matches/{slug}-s1-t1/events").json()["items"]
    erased = {"positions": [log[1]["position"]], "reason": "asked to"}
    assert league.owner.post("/erasures", erased).status_code == 201
    after = standings(league, slug)
    assert (after["complete"], after["champions"]) == (False, [])
    assert {each["rounds"] for each in after["items"]} == {11}
    assert status(league, slug) == "open"
    nothing_is_wrong_with(league)


@quick_on_sqlite
def test_lots_count_while_those_who_drew_them_are_tied(league):
    slug = played(league)
    draw = {"type": "tie_drawn", "order": ["cy", "ann", "bo"]}
    assert tell(league, slug, draw).status_code == 201
    drawn = standings(league, slug)
    assert [each["player"] for each in drawn["items"]] == ["di", "cy", "ann", "bo"]
    assert drawn["tied"] == []
    # Bo and cy are partners in this match: they are still tied, but no lot was drawn between them.
    amendment = amend(league, slug, tally("di", ann=0, bo=11, cy=10), **{"from": 2, "remove": 1})
    after = standings(league, slug)
    assert [(each["player"], each["rank"]) for each in after["items"]] == [
        ("di", 1),
        ("ann", 2),
        ("bo", 3),
        ("cy", 3),
    ]
    assert after["tied"] == [["bo", "cy"]]
    nothing_is_wrong_with(league)
    withdraw(league, slug, amendment)
    assert standings(league, slug) == drawn
    nothing_is_wrong_with(league)


def sits_in(player, substitute):
    return {"type": "player_substituted", "player": player, "substitute": substitute}


def sitting(league, slug, segment):
    """Return the substitutes at the table of that segment, by column."""
    return league.viewer.get(f"/matches/{slug}-s{segment}-t1").json().get("substitutes", {})


@quick_on_sqlite
def test_whoever_sits_at_a_table_already_is_seated_at_the_others(league):
    """The substitute was seated at the table itself, or the table undid the tournament's event."""
    slug, _ = opened(league)
    tell_at_the_table(league, slug, sits_in("ann", "ed"))
    seated = tell(league, slug, sits_in("ann", "ed"))
    assert (seated.status_code, seated.json().get("matches")) == (
        201,
        [f"{slug}-s2-t1", f"{slug}-s3-t1"],
    )
    version = league.viewer.get(f"/matches/{slug}-s2-t1").headers["etag"]
    undone = league.scorekeeper.post(
        f"/matches/{slug}-s2-t1/undo", {}, headers={"if-match": version}
    )
    assert undone.status_code == 201, undone.text
    again = tell(league, slug, sits_in("ann", "ed"))
    assert (again.status_code, again.json().get("matches")) == (201, [f"{slug}-s2-t1"])
    tell_at_the_table(league, slug, sits_in("ann", "ann"))
    back = tell(league, slug, sits_in("ann", "ann"))
    assert (back.status_code, back.json().get("matches")) == (
        201,
        [f"{slug}-s2-t1", f"{slug}-s3-t1"],
    )
    assert [sitting(league, slug, segment) for segment in (1, 2, 3)] == [{}, {}, {}]
    assert back.json()["state"]["substitutes"] == {}
    nothing_is_wrong_with(league)

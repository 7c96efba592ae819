"""Totals round by round, of a match and of a tournament."""

from hypothesis import given as for_any
from hypothesis import strategies as st

from scorekeeper.projections.scoreboard import match_progress, tournament_progress
from scorekeeper.tournament.standings import RoundResult, TableResult, standings
from tests.match.story import TEAMS_OF_FOUR, given, tally
from tests.match.table import told
from tests.tournament.cup import EIGHT, FIVE, cup, results, tables

SCORES = st.tuples(st.integers(0, 300), st.integers(0, 300))


BEGIN = told("round_started")


def void(*, redealt):
    return told("round_voided", reason="misdeal", redealt=redealt)


def amends(first, *insert):
    return told("log_amended", **{"from": first, "remove": 1, "insert": insert, "reason": "x"})


def rows(match):
    found = match_progress(match.state)
    assert found.columns == match.state.opened.players
    return [list(row) for row in found.rounds]


def test_a_row_for_every_round_that_has_ended():
    match = given("basic", 3, dealer="ann", target=500)
    assert rows(match) == []
    match = match.when(tally("ann", bo=10, cy=20), tally("bo", ann=5, cy=7), BEGIN)
    assert rows(match) == [[0, 10, 20], [5, 10, 27]]


def test_a_round_that_is_not_dealt_again_counts_with_nothing_and_one_that_is_does_not():
    match = given("basic", 3, dealer="ann", rounds=3, target=None)
    match = match.when(BEGIN, void(redealt=True), tally("ann", bo=10, cy=20))
    assert rows(match) == [[0, 10, 20]]
    assert rows(match.when(BEGIN, void(redealt=False))) == [[0, 10, 20], [0, 10, 20]]


def test_whoever_is_out_has_no_more_rounds():
    match = given("basic", 3, "elimination", dealer="ann", target=30)
    match = match.when(tally("ann", bo=40, cy=20), tally("ann", cy=5), tally("cy", ann=7))
    assert rows(match) == [[0, 40, 20], [0, None, 25], [7, None, 25]]


def test_partners_share_their_totals():
    match = given("basic", 4, dealer="ann", teams=TEAMS_OF_FOUR)
    assert rows(match.when(tally("ann", bo=10, cy=20, di=7))) == [[20, 17, 20, 17]]


def test_it_is_read_as_amended():
    match = given("basic", 2, dealer="ann", target=500).when(
        tally("ann", bo=30), tally("ann", bo=5)
    )
    assert rows(match) == [[0, 30], [0, 35]]
    assert rows(match.when(amends(2, tally("ann", bo=3)))) == [[0, 3], [0, 8]]
    assert rows(match.when(amends(2))) == [[0, 5]]


def test_everybody_goes_at_a_pace_of_their_own_through_a_tournament():
    """Of five, one rests in each segment; here the first has two rounds, the second one."""
    five = cup(players=FIVE)
    first, second, *_ = tables(five)
    assert (first.teams, second.teams) == (
        (("bo", "ed"), ("cy", "di")),
        (("cy", "ann"), ("di", "ed")),
    )
    played = results(five, [[(10, 20), (1, 2)], [(30, 40)]])
    found = tournament_progress(five, played)
    assert found.columns == ("ann", "bo", "cy", "di", "ed")
    assert [list(row) for row in found.rounds] == [
        [30, 10, 20, 20, 10],
        [None, 11, 22, 22, 11],
        [None, None, 52, 62, 51],
    ]


def test_a_round_of_a_tournament_that_was_broken_off_is_a_flat_step_and_no_round_of_the_standings():
    eight = cup(players=EIGHT)
    played = results(eight, [[(10, 20), (1, 2)]])
    table = tables(eight)[0]
    one, other = played[table.match].rounds
    broken = RoundResult(dict.fromkeys(one.scores, 0), (), voided=True)
    with_it = played | {table.match: TableResult("open", (one, broken, other))}
    assert standings(eight, with_it) == standings(
        eight, played | {table.match: TableResult("open", (one, other))}
    )
    column = EIGHT.index(table.teams[0][0])
    assert [row[column] for row in tournament_progress(eight, with_it).rounds] == [10, 10, 11]


def test_nothing_was_played_yet():
    four = cup()
    assert tournament_progress(four, results(four, [])).rounds == ()


@for_any(
    players=st.sampled_from([4, 5, 8, 9]),
    scored=st.lists(st.lists(SCORES, max_size=4), max_size=36),
)
def test_every_column_ends_where_the_standings_have_it(players, scored):
    tournament = cup(players=[f"p{at}" for at in range(players)])
    played = results(tournament, scored)
    found = tournament_progress(tournament, played)
    for standing in standings(tournament, played).items:
        own = [row[found.columns.index(standing.player)] for row in found.rounds]
        known = [total for total in own if total is not None]
        assert own[: len(known)] == known
        assert len(known) == standing.rounds
        assert (known[-1] if known else 0) == standing.total

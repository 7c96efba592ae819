"""The standings: each player's own column, and the order of the columns."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.tournament.standings import RoundResult, TableResult, standings, table_result
from scorekeeper.tournament.tournament import tables_opened
from tests.tournament.cup import EIGHT, FIVE, cup, results, tables


def ranks(found):
    return [(each.player, each.total, each.rank) for each in found.items]


# Four players: di+ann : bo+cy, then di+bo : cy+ann, then di+cy : ann+bo.
TWELVE = [[(0, 10)] * 4, [(0, 10)] * 4, [(0, 10)] * 4]
# Of ann, bo and cy, who are tied, ann did best against the others, and cy worst.
MUTUAL = [[(0, 10)], [(10, 20)], [(20, 30)]]


@pytest.mark.clause("B-ROTATE-4", "B-TEAM")
def test_each_column_adds_the_own_teams_scores():
    four = cup()
    assert [table.teams for table in tables(four)] == [
        (("di", "ann"), ("bo", "cy")),
        (("di", "bo"), ("cy", "ann")),
        (("di", "cy"), ("ann", "bo")),
    ]
    found = standings(four, results(four, TWELVE))
    assert ranks(found) == [("di", 0, 1), ("ann", 80, 2), ("bo", 80, 2), ("cy", 80, 2)]
    assert found.complete
    assert found.champions == ("di",)
    assert [each.rounds for each in found.items] == [12] * 4
    assert [each.round_wins for each in found.items] == [12, 4, 4, 4]


def test_columns_are_kept_by_partner_and_by_opponent():
    four = cup()
    (di, ann, *_) = standings(four, results(four, TWELVE)).items
    assert msgspec.to_builtins(ann.partners) == {
        "bo": {"total": 40, "rounds": 4, "round_wins": 0},
        "cy": {"total": 40, "rounds": 4, "round_wins": 0},
        "di": {"total": 0, "rounds": 4, "round_wins": 4},
    }
    assert msgspec.to_builtins(di.opponents) == {
        name: {"total": 0, "rounds": 8, "round_wins": 8} for name in ("ann", "bo", "cy")
    }


@pytest.mark.clause("X-TEAM")
def test_where_opponents_hands_count_the_highest_wins():
    four = cup(scoring={"mode": "winner-collects", "team_scoring": "opponents-hands"})
    found = standings(four, results(four, [[(30, 0)] * 4, [(30, 0)] * 4, [(30, 0)] * 4]))
    assert found.champions == ("di",)
    assert found.items[0].total == 360


def test_there_is_no_champion_before_all_rounds_are_in():
    four = cup()
    for played in range(3):
        found = standings(four, results(four, TWELVE[:played]))
        assert not found.complete
        assert found.champions == ()
    running = results(four, TWELVE) | {"cup-s3-t1": results(four, TWELVE[:2])["cup-s3-t1"]}
    assert not standings(four, running).complete


def test_where_nothing_was_played_nobody_is_champion():
    four = cup()
    found = standings(four, results(four, [[]] * 3, status="abandoned"))
    assert found.complete
    assert (found.champions, found.tied) == ((), ())


def test_partial_standings_are_fair_to_those_who_rested():
    five = cup(players=FIVE)
    first = tables(five)[0]
    assert five.schedule.segments[0].byes == ("ann",)
    found = standings(five, results(five, [[(40, 60)] * 4, [(40, 70)] * 4]))
    by_name = {each.player: each for each in found.items}
    rested = five.schedule.segments[1].byes[0]
    assert by_name[rested].rounds == by_name["ann"].rounds == 4
    averages = [each.total / each.rounds for each in found.items]
    assert averages == sorted(averages)
    assert first.match == "cup-s1-t1"


def test_equal_totals_are_ordered_by_rounds_won():
    four = cup()
    # Two narrow losses and a big win make the same total with fewer rounds won.
    found = standings(four, results(four, [[(0, 10), (0, 10), (0, 10), (30, 0)]]))
    assert ranks(found) == [("ann", 30, 1), ("di", 30, 1), ("bo", 30, 3), ("cy", 30, 3)]
    assert [each.round_wins for each in found.items] == [3, 3, 1, 1]


def test_then_by_what_the_tied_scored_against_each_other():
    four = cup()
    # The rounds are di+ann : bo+cy, di+bo : cy+ann, di+cy : ann+bo. Each of ann, bo and cy meets
    # both others as opponents in one round, which then counts twice: ann in the first, bo in the
    # second, cy in the third.
    found = standings(four, results(four, MUTUAL))
    assert ranks(found) == [("di", 30, 1), ("ann", 50, 2), ("bo", 50, 3), ("cy", 50, 4)]
    assert [each.round_wins for each in found.items] == [3, 1, 1, 1]


@pytest.mark.clause("X-TEAM")
def test_where_the_highest_wins_it_is_best_against_each_other_too():
    four = cup(scoring={"mode": "winner-collects", "team_scoring": "opponents-hands"})
    found = standings(four, results(four, MUTUAL))
    assert ranks(found) == [("cy", 50, 1), ("bo", 50, 2), ("ann", 50, 3), ("di", 30, 4)]


def test_who_met_the_others_more_often_is_judged_by_the_score_per_round():
    four = cup()
    # bo met ann and cy in 8 rounds and scored 100, each of them the others in 6 and scored 80.
    played = results(four, [[(10, 20)], [(0, 20), (0, 20), (30, 0)], [(10, 20)]])
    found = standings(four, played)
    assert ranks(found) == [("di", 50, 1), ("bo", 70, 2), ("ann", 70, 3), ("cy", 70, 3)]
    assert [each.round_wins for each in found.items] == [4, 2, 2, 2]


def test_mutual_rounds_part_only_those_who_all_met():
    five = cup(players=FIVE)
    (first, second, *_) = tables(five)
    assert (first.teams, second.teams) == (
        (("bo", "ed"), ("cy", "di")),
        (("cy", "ann"), ("di", "ed")),
    )
    played = results(five, [[(10, 0)], [(20, 10)]])
    for table, winner in ((first, "di"), (second, "ann")):
        (dealt,) = played[table.match].rounds
        played[table.match] = TableResult("won", (RoundResult(dealt.scores, (winner,)),))
    # bo, cy and ed have 10 a round and won none; bo and ed never played against each other.
    found = {each.player: each.rank for each in standings(five, played).items}
    assert found == {"di": 1, "bo": 2, "cy": 2, "ed": 2, "ann": 5}


@pytest.mark.parametrize("order", [["ann", "bo", "cy"], ["cy", "ann", "bo"]])
def test_then_by_lots(order):
    four = cup()
    played = results(four, TWELVE)
    assert standings(four, played).tied == (("ann", "bo", "cy"),)
    drawn = cup({"type": "tie_drawn", "order": order})
    found = standings(drawn, played)
    assert [each.player for each in found.items] == ["di", *order]
    assert [each.rank for each in found.items] == [1, 2, 3, 4]
    assert found.tied == ()


def test_two_who_are_tied_draw_a_lot():
    played = [*TWELVE[:2], [(0, 20)] * 4]
    four = cup()
    found = standings(four, results(four, played))
    assert ranks(found) == [("di", 0, 1), ("cy", 80, 2), ("ann", 120, 3), ("bo", 120, 3)]
    assert found.tied == (("ann", "bo"),)
    drawn = cup({"type": "tie_drawn", "order": ["bo", "ann"]})
    found = standings(drawn, results(drawn, played))
    assert ranks(found)[2:] == [("bo", 120, 3), ("ann", 120, 4)]
    assert found.tied == ()


def test_lots_among_others_do_not_count_where_a_correction_changed_who_is_tied():
    drawn = cup({"type": "tie_drawn", "order": ["cy", "bo", "ann"]})
    corrected = [*TWELVE[:2], [(0, 10), (0, 10), (0, 10), (0, 9)]]
    found = standings(drawn, results(drawn, corrected))
    assert ranks(found) == [("di", 0, 1), ("ann", 79, 2), ("bo", 79, 2), ("cy", 80, 4)]


def test_who_withdrew_stands_behind_all_others_however_good():
    gone = cup({"type": "player_withdrawn", "player": "di"})
    found = standings(gone, results(gone, TWELVE))
    assert ranks(found) == [("ann", 80, 1), ("bo", 80, 1), ("cy", 80, 1), ("di", 0, 4)]
    assert [each.withdrawn for each in found.items] == [False, False, False, True]


def test_who_has_played_nothing_stands_behind_all_who_have():
    five = cup(players=FIVE)
    assert five.schedule.segments[0].byes == ("ann",)
    found = standings(five, results(five, [[(40, 60)]]))
    assert ranks(found)[-1] == ("ann", 0, 5)


def test_withdrawing_outweighs_having_played_nothing():
    five = cup({"type": "player_withdrawn", "player": "ed"}, players=FIVE)
    found = standings(five, results(five, [[(40, 60)]]))
    assert ranks(found)[-2:] == [("ann", 0, 4), ("ed", 40, 5)]


def test_the_total_outweighs_rounds_won():
    four = cup()
    found = standings(four, results(four, [[(0, 10), (0, 10), (0, 10), (50, 0)]]))
    assert [(each.player, each.total, each.round_wins) for each in found.items] == [
        ("bo", 30, 1),
        ("cy", 30, 1),
        ("ann", 50, 3),
        ("di", 50, 3),
    ]


def test_rounds_won_outweigh_mutual_rounds():
    four = cup()
    played = {
        match: TableResult(
            table.status, tuple(RoundResult(each.scores, ("cy",)) for each in table.rounds)
        )
        for match, table in results(four, MUTUAL).items()
    }
    found = standings(four, played)
    assert ranks(found) == [("di", 30, 1), ("cy", 50, 2), ("ann", 50, 3), ("bo", 50, 3)]


def test_mutual_rounds_outweigh_lots():
    drawn = cup({"type": "tie_drawn", "order": ["cy", "bo", "ann"]})
    found = standings(drawn, results(drawn, MUTUAL))
    assert ranks(found) == [("di", 30, 1), ("ann", 50, 2), ("bo", 50, 3), ("cy", 50, 4)]


def test_rounds_that_a_withdrawal_took_put_nobody_ahead():
    eight = cup({"type": "player_withdrawn", "player": "hal"}, players=EIGHT)
    with_hal, other = tables(eight)[:2]
    assert with_hal.teams == (("hal", "ann"), ("bo", "di"))
    assert other.teams == (("cy", "gus"), ("ed", "flo"))
    played = results(eight, [[(10, 20)], [(10, 20)] * 4])
    played[with_hal.match] = TableResult("abandoned", played[with_hal.match].rounds)
    found = standings(eight, played)
    assert ranks(found) == [
        ("ann", 10, 1),
        ("cy", 40, 1),
        ("gus", 40, 1),
        ("bo", 20, 4),
        ("di", 20, 4),
        ("ed", 80, 4),
        ("flo", 80, 4),
        ("hal", 10, 8),
    ]


def test_the_round_scores_are_those_of_the_matches():
    four = cup()
    match, opened = next(tables_opened(latest("basic"), four.opened))
    assert match == "cup-s1-t1"
    tally = {
        "type": "round_tallied",
        "winners": ["ann"],
        "hands": {"bo": {"points": 10}, "cy": {"points": 20}, "di": {"points": 7}},
    }
    void = {"type": "round_voided", "reason": "misdeal", "redealt": False}
    begun = {"type": "round_started"}
    told = [msgspec.convert(each, TableEvent) for each in (tally, begun, void, tally)]
    recorded = record(initial(latest("basic"), opened), told)
    assert isinstance(recorded, Recorded)
    result = table_result(recorded.state)
    assert [each.scores for each in result.ended] == [{"di": 7, "bo": 30, "ann": 7, "cy": 30}] * 2
    assert {frozenset(each.winners) for each in result.ended} == {frozenset({"ann"})}
    assert [each.voided for each in result.rounds] == [False, True, False]
    assert set(result.rounds[1].scores.values()) == {0}
    assert result.status == "open"


def test_a_round_that_runs_or_is_dealt_again_is_not_a_result():
    _, opened = next(tables_opened(latest("basic"), cup().opened))
    begun = {"type": "round_started"}
    void = {"type": "round_voided", "reason": "misdeal", "redealt": True}
    told = [msgspec.convert(each, TableEvent) for each in (begun, void, begun)]
    for count in range(4):
        recorded = record(initial(latest("basic"), opened), told[:count])
        assert isinstance(recorded, Recorded)
        assert table_result(recorded.state).rounds == ()


SCORES = st.tuples(st.integers(0, 300), st.integers(0, 300))


@given(
    players=st.sampled_from([4, 5, 6, 7, 8, 9]),
    scored=st.lists(st.lists(SCORES, max_size=4), max_size=36),
)
def test_columns_add_up_whatever_is_played(players, scored):
    names = [f"p{at}" for at in range(players)]
    tournament = cup(players=names)
    found = standings(tournament, results(tournament, scored))
    rounds = [pair for table in scored[: len(tables(tournament))] for pair in table]
    assert sum(each.total for each in found.items) == 2 * sum(one + two for one, two in rounds)
    assert sum(each.rounds for each in found.items) == 4 * len(rounds)
    assert sum(each.round_wins for each in found.items) == 2 * len(rounds)
    assert sorted(each.player for each in found.items) == names
    for each in found.items:
        assert sum(record.total for record in each.partners.values()) == each.total
        assert sum(record.total for record in each.opponents.values()) == 2 * each.total
        assert each.rank == 1 + sum(other.rank < each.rank for other in found.items)

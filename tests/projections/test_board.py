"""The board of a tournament, which people in the hall read to find their tables."""

import msgspec
import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.board import board, segment_shown
from scorekeeper.tournament.decide import at_the_tables
from scorekeeper.tournament.standings import table_result
from scorekeeper.tournament.tournament import fold, tables_opened
from tests.match.story import tally
from tests.match.table import told
from tests.tournament.cup import EIGHT, FIVE, FOUR, cup
from tests.tournament.cup import told as of_tournament

BEGIN = told("round_started")


class Hall:
    """A tournament with its tables, as they stand."""

    def __init__(self, players):
        self.tournament = cup(players=players)
        edition = latest("basic")
        self.states = {
            match: initial(edition, opened)
            for match, opened in tables_opened(edition, self.tournament.opened)
        }

    @property
    def results(self):
        return {match: table_result(state) for match, state in self.states.items()}

    def tell(self, match, *events):
        outcome = record(self.states[match], events)
        assert isinstance(outcome, Recorded), outcome
        self.states[match] = outcome.state

    def play(self, segment, *tables, rounds=4, points=10):
        """Play rounds of a segment. At each table the player seated first by the schedule wins.

        `tables`: the numbers of the tables that play, by default all.
        """
        for table in self.tournament.schedule.segments[segment - 1].tables:
            if not tables or table.table in tables:
                (winner, partner), others = table.teams
                hands = {partner: 0} | dict.fromkeys(others, points)
                self.tell(table.match, *[tally(winner, hands=hands)] * rounds)

    def happens(self, **event):
        (event,) = of_tournament(event)
        for match, consequence in at_the_tables(self.tournament, event, self.results):
            self.tell(match, consequence)
        self.tournament = fold(self.tournament, [event])

    @property
    def board(self):
        shown = {table.match for table in segment_shown(self.tournament, self.results).tables}
        states = {match: state for match, state in self.states.items() if match in shown}
        return board(self.tournament, self.results, states)

    def at(self, *fields):
        return [tuple(getattr(table, field) for field in fields) for table in self.board.tables]


def test_before_anything_is_played_it_is_as_the_schedule_has_it():
    assert msgspec.to_builtins(Hall(FOUR).board) == {
        "segment": 1,
        "segments": 3,
        "tables": (
            {
                "table": 1,
                "match": "cup-s1-t1",
                "seats": ("di", "bo", "ann", "cy"),
                "dealer": "di",
                "round": 1,
                "rounds": 4,
                "scores": {"di": 0, "bo": 0, "ann": 0, "cy": 0},
                "status": "open",
            },
        ),
        "byes": (),
        "next": {
            "segment": 2,
            "tables": ({"table": 1, "teams": (("di", "bo"), ("cy", "ann"))},),
            "byes": (),
        },
    }


@pytest.mark.clause("B-ROTATE-4")
def test_seats_and_dealer_are_those_of_the_running_round_and_between_rounds_of_the_next():
    hall = Hall(FOUR)
    hall.play(1, rounds=1)
    second = [(2, ("di", "bo", "ann", "cy"), "ann", {"di": 0, "bo": 20, "ann": 0, "cy": 20})]
    assert hall.at("round", "seats", "dealer", "scores") == second
    hall.tell("cup-s1-t1", BEGIN)
    assert hall.at("round", "seats", "dealer", "scores") == second
    hall.tell("cup-s1-t1", tally("di", ann=0, bo=10, cy=10))
    assert hall.at("round", "seats", "dealer") == [(3, ("di", "cy", "ann", "bo"), "bo")]


def test_seats_are_as_they_sit_whatever_was_planned():
    hall = Hall(FOUR)
    hall.tell("cup-s1-t1", told("seats_changed", players=["ann", "cy", "di", "bo"]))
    hall.tell("cup-s1-t1", told("round_started", dealer="bo"))
    assert hall.at("round", "seats", "dealer") == [(1, ("ann", "cy", "di", "bo"), "bo")]


def test_a_round_that_is_dealt_again_is_the_same_round_of_the_schedule():
    hall = Hall(FOUR)
    for redealt, number in ((True, 1), (False, 2)):
        hall.tell("cup-s1-t1", BEGIN, told("round_voided", reason="misdeal", redealt=redealt))
        assert hall.at("round") == [(number,)]


def test_a_segment_is_shown_until_all_its_tables_are_over():
    hall = Hall(EIGHT)
    hall.play(1, 1)
    assert hall.board.segment == 1
    assert hall.at("table", "round", "status") == [(1, 4, "won"), (2, 1, "open")]
    # The first table is over, so it shows the seats of its last round.
    last = hall.tournament.schedule.segments[0].tables[0].rounds[-1]
    assert hall.at("seats", "dealer")[0] == (last.players, last.dealer)
    hall.play(1, 2)
    assert (hall.board.segment, hall.board.next.segment) == (2, 3)


def test_what_is_played_ahead_is_not_what_comes_next():
    hall = Hall(EIGHT)
    hall.play(2)
    assert (hall.board.segment, hall.board.next.segment) == (1, 3)


def test_an_amendment_brings_an_earlier_segment_back():
    hall = Hall(FOUR)
    hall.play(1)
    hall.tell("cup-s1-t1", told("log_amended", **{"from": 2, "remove": 1, "reason": "not ours"}))
    assert hall.board.segment == 1
    assert hall.at("round", "scores") == [(4, {"di": 0, "bo": 60, "ann": 0, "cy": 60})]


def test_once_all_is_played_the_last_segment_stays():
    hall = Hall(FOUR)
    for segment in (1, 2, 3):
        hall.play(segment)
    assert (hall.board.segment, hall.board.next) == (3, None)
    assert hall.at("round", "status") == [(4, "won")]


def test_who_rests_now_and_then():
    found = Hall(FIVE).board
    assert (found.byes, found.next.byes) == (("ann",), ("bo",))


def test_after_a_withdrawal_the_others_of_that_table_rest():
    hall = Hall(EIGHT)
    hall.tell("cup-s1-t1", BEGIN)
    hall.happens(type="player_withdrawn", player="hal")
    # Nothing was played at the first table; its people are on the board still.
    assert hall.at("table", "status", "round") == [(1, "abandoned", 0), (2, "open", 1)]
    found = hall.board
    assert found.byes == ()
    (planned, other) = hall.tournament.schedule.segments[1].tables
    without, with_hal = sorted(
        (planned, other), key=lambda table: "hal" in {*table.teams[0], *table.teams[1]}
    )
    assert [table.table for table in found.next.tables] == [without.table]
    rest = {player for team in with_hal.teams for player in team} - {"hal"}
    assert found.next.byes == tuple(player for player in EIGHT if player in rest)


def test_an_abandoned_table_is_shown_as_it_played_its_last_round():
    hall = Hall(EIGHT)
    hall.play(1, 1, rounds=1)
    hall.tell("cup-s1-t1", BEGIN, told("round_voided", reason="misdeal", redealt=True))
    hall.happens(type="player_withdrawn", player="hal")
    played, voided, *_ = hall.tournament.schedule.segments[0].tables[0].rounds
    assert played.dealer != voided.dealer
    assert hall.at("status", "round", "seats", "dealer")[0] == (
        "abandoned",
        1,
        played.players,
        played.dealer,
    )


def test_whoever_has_withdrawn_rests_no_more():
    hall = Hall(FIVE)
    hall.happens(type="player_withdrawn", player="ann")
    assert hall.board.byes == ()
    assert hall.board.next is None


def test_a_substitute_sits_in_from_now_on():
    hall = Hall(FOUR)
    hall.play(1, rounds=4)
    hall.happens(type="player_substituted", player="ann", substitute="zoe")
    assert hall.board.substitutes == {"ann": "zoe"}
    assert hall.at("substitutes", "scores") == [
        ({"ann": "zoe"}, {"di": 0, "cy": 0, "bo": 0, "ann": 0})
    ]
    assert "ann" in hall.board.next.tables[0].teams[1] + hall.board.next.tables[0].teams[0]


def test_a_closed_tournament_has_nothing_to_come():
    hall = Hall(EIGHT)
    hall.play(1)
    hall.play(2, 1)
    hall.happens(type="tournament_closed")
    found = hall.board
    assert (found.segment, found.segments, found.next) == (2, 7, None)
    assert hall.at("status", "round") == [("won", 4), ("abandoned", 0)]


def test_closed_before_anything_was_played_it_shows_the_last_segment():
    hall = Hall(EIGHT)
    hall.happens(type="tournament_closed")
    assert (hall.board.segment, hall.board.next) == (7, None)


def test_a_table_whose_match_is_damaged_is_shown_as_planned_beside_the_others():
    hall = Hall(EIGHT)
    hall.play(1, rounds=2)
    damaged, other = (table.match for table in hall.tournament.schedule.segments[0].tables)
    found = board(hall.tournament, hall.results, {other: hall.states[other]}).tables
    assert found[1] == hall.board.tables[1]
    assert msgspec.to_builtins(found[0]) == {
        "table": 1,
        "match": damaged,
        "seats": ("hal", "bo", "ann", "di"),
        "dealer": None,
        "round": 0,
        "rounds": 4,
        "scores": {},
        "status": "open",
    }

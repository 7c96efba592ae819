"""An event may name a substitute. It is recorded under the player whose column it is."""

from typing import get_args

import msgspec
import pytest

from scorekeeper.match.decider import by_column
from scorekeeper.match.events.events import (
    DisputeEvent,
    LogAmended,
    PlayerSubstituted,
    TableEvent,
    decode,
    encode,
)
from scorekeeper.projections.scoreboard import rounds
from tests.match.amending import amends
from tests.match.bodies import BODIES
from tests.match.story import given, tally
from tests.match.table import told

SITS_IN = PlayerSubstituted(player="bo", substitute="zoe")
TOLD = tuple({*get_args(TableEvent), *get_args(DisputeEvent)})
EVENTS = [event for event in map(decode, BODIES) if isinstance(event, TOLD)]


@pytest.mark.parametrize("column", ["ann", "bo", "cy", "di"])
def test_whatever_an_event_names_it_may_name_the_substitute(column):
    """Each event with all its fields; `PlayerSubstituted.substitute` names no column."""
    opened = given("mario", 4)
    seated = opened.when(PlayerSubstituted(player=column, substitute="zoe"))
    for body in (encode(event) for event in EVENTS):
        named = decode(body.replace(b'"%s"' % column.encode(), b'"zoe"'))
        assert encode(by_column(seated.state, named)) == body
        assert by_column(opened.state, named) is named


def test_a_round_may_be_told_with_the_substitutes_name():
    seated = given("basic", 3)
    by_name = seated.when(SITS_IN, tally("zoe", ann=20, cy=5), tally("ann", zoe=30, cy=1))
    by_column = seated.when(SITS_IN, tally("bo", ann=20, cy=5), tally("ann", bo=30, cy=1))
    assert [encode(event) for event in by_name.log] == [encode(event) for event in by_column.log]
    assert by_name.replayed().totals == by_name.state.totals == {"ann": 20, "bo": 30, "cy": 6}


def test_what_is_told_by_name_is_carried_in_the_order_in_which_it_is_written():
    seated = given("basic", ["zoe", "ann", "bo"])
    seated = seated.when(PlayerSubstituted(player="zoe", substitute="abe"))
    seated = seated.when(tally("ann", abe=5, bo=7), amends(3, 1, tally("bo", abe=5, ann=7)))
    write = msgspec.json.encode
    for event in seated.log:
        assert write(event) == write(decode(encode(event)))


def test_one_substitute_hands_over_to_the_next():
    match = given("basic", 3).when(
        SITS_IN,
        told("player_substituted", player="zoe", substitute="yan"),
        tally("yan", ann=1, cy=1),
        told("player_substituted", player="yan", substitute="bo"),
        tally("bo", ann=1, cy=1),
    )
    assert [dict(dealt.substitutes) for dealt in rounds(match.state)] == [{"bo": "yan"}, {}]


def test_who_sits_in_no_more_is_named_no_more():
    match = given("basic", 3).when(
        SITS_IN, told("player_substituted", player="zoe", substitute="bo")
    )
    assert match.refuses(tally("zoe", ann=1, cy=1)).reason == "player-not-in-match"


def test_a_hand_is_not_told_twice_by_two_names():
    match = given("basic", 3).when(SITS_IN)
    assert match.refuses(tally("ann", bo=1, zoe=2, cy=1)).reason == "player-not-in-match"
    assert match.refuses(tally("bo", "zoe", ann=1, cy=1)).reason == "winners-invalid"


def test_an_amendment_inserts_what_it_means():
    """After an inserted substitution, later events of the same `insert` may name the substitute."""
    match = given("basic", 3).when(tally("ann", bo=30, cy=1), tally("ann", bo=40, cy=1))
    amended = match.when(amends(2, 1, SITS_IN, tally("ann", zoe=20, cy=1)))
    (entry,) = amended.added
    assert isinstance(entry.event, LogAmended)
    assert entry.event.insert == (SITS_IN, tally("ann", bo=20, cy=1))
    assert amended.replayed().totals == amended.state.totals == {"ann": 0, "bo": 60, "cy": 2}
    assert amended.state.log[0] == entry.event

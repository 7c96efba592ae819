"""What a consistency check finds if entries of a log don't follow from each other."""

from collections import Counter
from itertools import chain

import pytest

from scorekeeper.match.events.events import Event
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.projections.audit import CardCounter
from scorekeeper.projections.consistency import Contradiction, MatchReplay
from tests.match.amending import amends, note
from tests.match.story import Story, tally
from tests.match.table import play, shows, start, told

Log = list[tuple[Event | None, bool]]
"""Entries, each with whether it was inferred. None stands for an erased entry."""


@pytest.fixture
def evening() -> Story:
    """Entries 2 to 6: the deal, a draw-two turned up, bo's draw (inferred), cy's and di's plays."""
    match = start("basic", turned="red-draw-two").when(play("cy", "red-5"), play("di", "red-7"))
    assert match.inferred == (False, False, False, True, False, False)
    return match


def log_of(match: Story) -> Log:
    return list(zip(match.log, match.inferred, strict=True))[1:]


def checked(match: Story, log: Log) -> tuple[MatchReplay, list[tuple[int, Contradiction]]]:
    """Return the replay of the log, and each contradiction with the version of its entry.

    A contradiction that shows only at the end has the version after the last entry.
    """
    replay = MatchReplay(initial(match.state.edition, match.state.opened))
    found = [replay.take(event, told=not inferred) for event, inferred in log]
    found.append(replay.end())
    return replay, [(at, one) for at, one in enumerate(found, start=2) if one is not None]


def test_a_log_that_holds_leads_to_its_match(evening):
    replay, found = checked(evening, log_of(evening))
    assert found == []
    assert (replay.has_results, replay.settled, replay.state().version) == (False, True, 6)
    assert replay.state().table.turn == evening.board.turn == "ann"


@pytest.mark.parametrize("version", range(2, 7))
def test_behind_an_erased_entry_nothing_can_be_compared(evening, version):
    log = log_of(evening)
    log[version - 2] = (None, log[version - 2][1])
    replay, found = checked(evening, log)
    assert found == []
    assert (replay.has_results, replay.settled) == (None, True)
    state = replay.state()
    assert (state.version, state.erased) == (6, True)


def test_an_entry_that_waits_is_taken_though_the_next_one_was_erased(evening):
    """Bo's draw rests on cy's play, which is gone."""
    log = log_of(evening)
    assert checked(evening, [*log[:3], (None, False)])[1] == []
    replay, _ = checked(evening, [*log[:3], (None, False), *log[4:]])
    assert replay.state().hands["bo"].unknown == 9


@pytest.mark.clause("B-LAST")
def test_a_hand_that_is_shown_with_the_last_draw_where_the_draw_pile_is_known():
    """The draw alone makes all hands known. The round has ended only behind what was told."""
    hands = {"ann": ["blue-1", "green-9"], "bo": ["red-1", "blue-draw-two"]}
    lying = Counter(start("basic", 2).state.box.counts) - Counter(
        ["red-5", *chain(*hands.values())]
    )
    pile = ["red-5", "red-2", "red-3", *(lying - Counter(["red-2", "red-3"])).elements()]
    match = start("basic", 2, hands, draw_pile=pile, house_rules={"hand_size": 2})
    match = match.when(play("bo", "red-1"), play("ann", "blue-1"), play("bo", "blue-draw-two"))
    match = match.when(shows("ann", "green-9", "red-2", "red-3"))
    assert match.types == ["cards_drawn", "hand_shown", "round_ended"]
    assert checked(match, log_of(match))[1] == []


def test_the_end_of_a_round_that_is_missing_before_the_next_event():
    match = start("basic", 2).when(tally("bo", ann=1), note())
    dealt, turned, tallied, ended, noted = log_of(match)
    assert ended[1]
    _, found = checked(match, [dealt, turned, tallied, noted])
    missing = Contradiction(code="inference-missing", version=5, expected="round_ended")
    assert found[0] == (5, missing)


def test_an_inferred_entry_that_stands_there_twice(evening):
    dealt, turned, drawn, *played = log_of(evening)
    _, found = checked(evening, [dealt, turned, drawn, drawn, *played])
    twice = Contradiction(code="not-inferred", version=5, found="cards_drawn", expected=None)
    assert found == [(6, twice)]


def test_an_inferred_entry_that_is_missing(evening):
    dealt, turned, _, *played = log_of(evening)
    _, found = checked(evening, [dealt, turned, played[0]])
    missing = Contradiction(code="inference-missing", version=4, expected="cards_drawn")
    assert found == [(4, missing)]


def test_an_inferred_entry_that_nothing_follows(evening):
    log = log_of(evening)[:3]
    alone = Contradiction(code="not-inferred", version=4, found="cards_drawn", expected=None)
    assert checked(evening, log)[1] == [(5, alone)]
    # An amendment forces nothing. The contradiction is found once, and then the replay is settled.
    replay, found = checked(evening, [*log, (amends(3, 0, note()), False)])
    assert found[0] == (5, alone)
    assert replay.settled


def test_the_cards_of_each_round_that_is_followed_are_counted_on_the_way(evening):
    match = evening.when(
        told("round_voided", reason="x", redealt=False), tally("ann", bo=1, cy=2, di=3)
    )
    match = match.when(told("round_started"), told("first_card_turned", card="red-5"))
    lost = match.when(shows(match.board.turn, "red-1", as_played=True))
    for played, shifted in ((match, False), (lost, True)):
        cards = CardCounter()
        replay = MatchReplay(initial(played.state.edition, played.state.opened), cards)
        for event, inferred in log_of(played):
            replay.take(event, told=not inferred)
        assert (cards.rounds, cards.shifted) == (2, shifted)

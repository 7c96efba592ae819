"""What a consistency check finds if entries of a log don't follow from each other."""

from collections import Counter

import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import Event
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.projections.audit import CardCounter
from scorekeeper.projections.consistency import Contradiction, MatchReplay
from tests.match.amending import amends, note
from tests.match.story import Story, tally
from tests.match.table import play, shows, start, told

Log = list[tuple[Event | None, bool]]
"""Entries, each with whether it was inferred. None stands for an erased entry."""


LAST_DRAWN = ("red-9", "blue-9")


@pytest.fixture
def evening() -> Story:
    """Entries 2 to 6: the deal, a draw-two turned up, bo's draw (inferred), cy's and di's plays."""
    match = start("basic", turned="red-draw-two").when(play("cy", "red-5"), play("di", "red-7"))
    assert match.inferred == (False, False, False, True, False, False)
    return match


def log_of(match: Story) -> Log:
    return list(zip(match.log, match.inferred, strict=True))[1:]


def pile_below(hands: dict[str, list[str]], *top: str) -> list[str]:
    """Return these cards, and below them the others of the box that nobody holds."""
    rest = Counter(EDITIONS["basic", 1].deck.value)
    rest.subtract([*top, *(card for hand in hands.values() for card in hand)])
    return [*top, *rest.elements()]


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


@pytest.mark.clause("B-LAST")
@pytest.mark.parametrize(
    "hand",
    [
        shows("ann", *["green-1"] * 2, *["green-2"] * 2, *["green-3"] * 2, "green-4", *LAST_DRAWN),
        told("hand_counted", player="ann", points=16 + 18),
    ],
    ids=["shown", "counted"],
)
def test_a_round_ends_behind_the_hand_for_which_its_last_draw_was_inferred(hand):
    """The book knows all cards, so that it waits for the draw only."""
    hands = {
        "ann": ["green-1"] * 2 + ["green-2"] * 2 + ["green-3"] * 2 + ["green-4"],
        "bo": ["red-skip"] * 2 + ["blue-skip"] * 2 + ["green-skip"] * 2 + ["green-draw-two"],
    }
    match = start("basic", 2, hands, draw_pile=pile_below(hands, "red-5", *LAST_DRAWN))
    match = match.when(*(play("bo", card) for card in hands["bo"])).when(hand)
    assert match.inferred[-3:] == (True, False, True)
    replay, found = checked(match, log_of(match))
    assert (found, replay.state().phase) == ([], "ready")
    *log, drawn, shown, ended = log_of(match)
    for left, expected in (([shown, ended], "cards_drawn"), ([drawn, shown], "round_ended")):
        _, found = checked(match, [*log, *left])
        assert (found[0][1].code, found[0][1].expected) == ("inference-missing", expected)


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

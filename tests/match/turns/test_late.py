"""Events that the table tells, one by one, of a round that the book has already ended."""

import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.readings.amended_fold import amended_fold
from scorekeeper.projections.scoreboard import hands, rounds
from tests.match.judging import verdicts
from tests.match.story import Story, views
from tests.match.table import counts, draw, flags, play, shows, start, told

TWO = ("red-9", "wild")


def last_draw_two(edition: str, **fields: object) -> Story:
    """Bo's last card makes ann draw two; ann holds a red 1 besides."""
    match = start(edition, 2, **fields)
    for player, card in (("ann", "red-1"), ("bo", "red-draw-two")):
        match = match.when(shows(player, card, as_played=True))
    return match.when(play("bo", "red-draw-two"))


HELD = {
    "ann": ["green-1", "green-1", "green-2", "green-2", "green-3", "green-3", "green-4"],
    "bo": [
        "red-skip",
        "red-skip",
        "blue-skip",
        "blue-skip",
        "green-skip",
        "green-skip",
        "green-draw-two",
    ],
}


def known(**fields: object) -> Story:
    """Such a round in which every card is known: ann draws a red 9 and a wild."""
    top = ("red-5", *TWO)
    box = [card for card, n in EDITIONS["basic", 1].deck.value.items() for _ in range(n)]
    for card in (*top, *HELD["ann"], *HELD["bo"]):
        box.remove(card)
    match = start("basic", 2, HELD, draw_pile=[*top, *box], turned="red-5", **fields)
    return match.when(*(play("bo", card) for card in HELD["bo"]))


@pytest.mark.clause("C-LAST", "C-FIRST-OUT")
class TestFirstOut:
    def test_the_draw_for_the_last_card_names_the_cards_of_the_one_that_is_written(self):
        match = last_draw_two("classic-2025").then(status="won", version=9)
        assert match.types == ["card_played", "cards_drawn", "round_ended", "match_won"]
        match = match.when(draw("ann", cards=TWO)).then(status="won", version=10)
        assert match.types == ["cards_drawn"]
        assert hands(match.state)["ann"].known == ("red-1", *TWO)
        assert counts(match)["ann"] == 3
        ended = rounds(match.state)[-1]
        assert ended.hands["ann"].cards == ("red-1", *TWO)
        assert ended.hand_points == {"ann": 1 + 9 + 50, "bo": 0}

    def test_it_is_as_if_it_had_been_told_in_the_same_request(self):
        singly = last_draw_two("classic-2025").when(draw("ann", cards=TWO))
        match = start("classic-2025", 2)
        for player, card in (("ann", "red-1"), ("bo", "red-draw-two")):
            match = match.when(shows(player, card, as_played=True))
        at_once = match.when(play("bo", "red-draw-two"), draw("ann", cards=TWO))
        assert hands(singly.state) == hands(at_once.state)
        assert rounds(singly.state) == rounds(at_once.state)

    def test_it_is_told_once_and_as_it_was(self):
        match = last_draw_two("classic-2025")
        for other in (
            draw("bo", 2),
            draw("ann", 4),
            draw("ann", 0, as_played=True),
        ):
            assert match.refuses(other).reason == "wrong-phase"
        three = ("red-9", "wild", "red-8")
        assert match.refuses(draw("ann", 2, cards=three)).reason == "draw-invalid"
        assert match.refuses(draw("ann", cards=("red-9", "pink-9"))).reason == "card-not-in-box"
        assert match.refuses(draw("ann", cards=("red-0", "red-0"))).reason == "too-many-of-card"
        match = match.when(draw("ann", 2))
        assert match.refuses(draw("ann", 2)).reason == "wrong-phase"

    @pytest.mark.parametrize("each", [{}, {"cards": ()}])
    def test_it_may_be_told_card_by_card(self, each):
        match = last_draw_two("classic-2025").when(draw("ann", 1, **each))
        assert match.refuses(draw("ann", 2)).reason == "wrong-phase"
        match = match.when(draw("ann", 1, **each))
        assert (counts(match)["ann"], match.board.status) == (3, "won")
        assert match.refuses(draw("ann", 1)).reason == "wrong-phase"
        named = last_draw_two("classic-2025").when(*(draw("ann", cards=[card]) for card in TWO))
        assert hands(named.state)["ann"].known == ("red-1", *TWO)
        assert rounds(named.state)[-1].hand_points == {"ann": 1 + 9 + 50, "bo": 0}

    def test_card_by_card_nothing_is_named_otherwise_or_twice(self):
        match = known(mode="first-out").when(draw("ann", cards=["red-9"]))
        assert match.refuses(draw("ann", cards=["red-9"])).reason == "draw-contradicts-pile"
        assert hands(match.when(draw("ann", cards=["wild"])).state)["ann"].unknown == 0

    def test_cards_that_the_book_knew_are_not_named_otherwise(self):
        match = known(mode="first-out").then(status="won")
        refused = match.refuses(draw("ann", cards=("red-9", "red-8")))
        assert refused.reason == "draw-contradicts-pile"
        assert match.when(draw("ann", cards=TWO)).state.hands["ann"].known[-2:] == TWO

    def test_the_reshuffle_that_it_needed_may_be_told_before_it(self):
        match = start("classic-2025", 2).when(draw("bo", 92, as_played=True))
        for player, card in (("ann", "red-1"), ("bo", "red-draw-two")):
            match = match.when(shows(player, card, as_played=True))
        match = match.when(play("bo", "red-draw-two"))
        shuffled = told("pile_reshuffled")
        assert match.types[1:3] == ["pile_reshuffled", "cards_drawn"]
        match = match.when(shuffled).when(draw("ann", cards=("wild", "red-5")))
        assert match.refuses(shuffled).reason == "wrong-phase"

    def test_not_once_the_next_round_has_begun(self):
        match = last_draw_two("classic-2025", rounds=3).then(phase="ready")
        match.when(draw("ann", cards=TWO))
        match = match.when(told("round_started", dealer="ann"))
        assert match.refuses(draw("ann", cards=TWO)).reason == "card-needed"

    def test_what_is_kept_folds_and_reads_the_same(self):
        match = last_draw_two("classic-2025", rounds=3).when(draw("ann", cards=TWO))
        match = match.when(
            told("round_started", dealer="ann"), told("first_card_turned", card="red-5")
        )
        assert hands(match.replayed()) == hands(match.state)
        assert rounds(match.replayed()) == rounds(match.state)
        again = amended_fold(match.replayed(upto=1), match.state.log)
        assert not [step for step in again.steps if step.voided]
        assert views(again.state) == views(match.state)
        assert verdicts(match.replayed(upto=1), match.log[1:])[-3].verdict == "legal"


@pytest.mark.clause("B-LAST")
class TestKnownHands:
    def test_a_hand_may_still_be_shown_when_its_last_draw_has_ended_the_round(self):
        match = known().then(phase="showing_hands", awaiting_hands=())
        shown = shows("ann", *HELD["ann"], *TWO)
        silent = match.when(shown)
        assert silent.types == ["cards_drawn", "hand_shown", "round_ended"]
        match = match.when(draw("ann", 2)).then(phase="ready")
        assert match.types == ["cards_drawn", "round_ended"]
        for spoken in (
            match.when(shown),
            match.when(told("hand_counted", player="ann", points=75)),
        ):
            spoken.then(totals=silent.board.totals, version=silent.board.version)
            assert hands(spoken.state) == hands(silent.state)
            assert flags(spoken) == []

    def test_another_hand_comes_too_late(self):
        match = known().when(draw("ann", 2))
        assert match.refuses(shows("ann", *HELD["ann"], "red-9", "red-8")).reason == "wrong-phase"
        counted = told("hand_counted", player="ann", points=74)
        assert match.refuses(counted).reason == "wrong-phase"

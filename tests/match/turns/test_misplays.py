"""Cards that are taken back, with all that they did."""

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

from scorekeeper.match.known_cards import Hand, height
from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.projections.audit import audit
from tests.match.story import Story
from tests.match.table import (
    broken,
    counts,
    draw,
    flags,
    owing,
    passes,
    play,
    shows,
    small,
    start,
    told,
)


@pytest.mark.clause("X-MISPLAY", "M-BLOCK")
def test_a_hand_shown_with_what_the_card_brought_is_not_the_hand_from_before() -> None:
    """Cy holds the block again and six of the seven cards shown. Which one was drawn is unknown."""
    match = start("mario", 3, options={"question_block": "Whoever lays it draws one."})
    drawn = [{"type": "draw", "player": "cy", "count": 1}]
    match = match.when(play("cy", "question-block", "red", effects=drawn, as_played=True))
    match = match.when(shows("cy", *["green-1", "green-2", "green-3"] * 2, "green-4"))
    match = match.when(told("misplay_called", by="ann")).then(turn="bo", draw_pile_count=90)
    assert match.state.hands["cy"] == Hand(("question-block",), 6)


@pytest.mark.clause("X-MISPLAY")
def test_what_others_have_shown_since_stays_known() -> None:
    match = start("mario", 3).when(play("cy", "red-1", as_played=True))
    match = match.when(shows("ann", *["green-1", "green-2", "green-3"] * 2, "green-4"))
    match = match.when(told("misplay_called", by="ann"), draw("bo"))
    assert match.state.hands["ann"].unknown == 0
    assert counts(match) == {"ann": 7, "bo": 8, "cy": 7}


ADVICE = told("advice_called", player="di", by="ann")
CALLED = told("misplay_called", by="ann")
SIX = ("green-1", "green-1", "green-2", "green-2", "green-3", "green-3")


@pytest.mark.clause("H-MISPLAY")
def test_whoever_shows_the_hand_before_taking_the_card_back_holds_it_and_the_card() -> None:
    match = start("hello-kitty", 3).when(play("bo", "blue-6", as_played=True), shows("bo", *SIX))
    match = match.when(told("misplay_called", by="ann"))
    assert match.state.hands["bo"] == Hand((*SIX, "blue-6"), 0)


@pytest.mark.clause("B-MISPLAY", "X-COUNT")
@pytest.mark.parametrize(("player", "held"), [("bo", 6), ("ann", 5)])
def test_a_number_of_cards_that_the_table_insists_on_stands_when_a_card_goes_back(
    player: str, held: int
) -> None:
    """Five cards were shown, against the book. Bo, who also takes the card back, then holds six."""
    match = start("basic", 3).when(play("bo", "blue-6", as_played=True))
    match = match.when(shows(player, *SIX[:5], as_played=True))
    match = match.when(told("misplay_called", by="cy"))
    assert counts(match)[player] == held
    shifts = [shift for one in audit(corrected_steps(match.state)).rounds for shift in one.shifts]
    assert [shift.clauses for shift in shifts] == [("X-COUNT",)]


@pytest.mark.clause("V-ZERO", "X-MISPLAY", "X-COUNT")
def test_hands_that_go_back_have_the_number_from_before_and_the_audit_says_why() -> None:
    """Cy took over bo's six cards and shows five, before all hands go back."""
    match = start("mario", 3, house_rules={"zero": "pass"})
    match = match.when(play("bo", "blue-0", as_played=True))
    match = match.when(shows("cy", *SIX[:5], as_played=True), told("misplay_called", by="cy"))
    assert counts(match) == {"ann": 7, "bo": 7, "cy": 7}
    audited = audit(corrected_steps(match.state)).rounds[0]
    assert [(one.type, one.by, one.clauses) for one in audited.shifts] == [
        ("hand_shown", -1, ("X-COUNT",)),
        ("misplay_called", 1, ("X-COUNT",)),
    ]
    assert audited.holds


@pytest.mark.clause("H-TWO", "H-MISPLAY")
@pytest.mark.parametrize("laid_off", [(), ("red-1",)])
def test_a_gift_that_the_card_asked_for_goes_back_with_it(laid_off: tuple[str, ...]) -> None:
    """The gift is told as an event of its own here, not as an effect of the card."""
    hands = {"ann": ["red-ribbon", "red-1", "red-2", "blue-3", "blue-4", "green-6", "green-7"]}
    match = start("hello-kitty", 2, hands, turned="green-5")
    off = [{"type": "discard", "player": "ann", "cards": [card]} for card in laid_off]
    match = match.when(
        play("ann", "red-ribbon", "blue", effects=off or None, as_played=True),
        told("card_given", player="ann", to="bo", card="blue-3"),
        told("misplay_called", by="bo"),
    )
    match.then(turn="bo", top_card="green-5", draw_pile_count=97)
    assert sorted(match.state.hands["ann"].known) == sorted(hands["ann"])
    assert counts(match) == {"ann": 7, "bo": 7}


@pytest.mark.clause("X-UNO", "M-UNO")
def test_a_call_that_was_made_meanwhile_is_not_taken_back_with_somebody_elses_card() -> None:
    """The block leaves ann with one card, and ann calls UNO after cy has laid a card.

    Cy's card would have closed the window for a catch, but is taken back.
    """
    match = start("mario", 3, options={"question_block": "The neighbour lays off what she likes."})
    cards = {"type": "discard", "player": "ann", "cards": SIX}
    match = match.when(play("bo", "question-block", "red", effects=[cards]))
    match = match.when(play("cy", "blue-6", as_played=True), told("uno_called", player="ann"))
    match = match.when(told("misplay_called", by="bo"), told("uno_caught", player="ann", by="bo"))
    assert not owing(match)


@pytest.mark.clause("X-MISPLAY", "X-RESHUFFLE-WHEN")
def test_a_reshuffle_that_was_told_meanwhile_is_not_undone() -> None:
    """Red-7, on which the misplay lay, is the top card again. Red-5 stays in the draw pile."""
    match = start("mario", 3).when(draw("bo", 89, as_played=True), passes("bo"))
    match = match.when(play("cy", "red-7"), play("ann", "blue-draw-two", as_played=True))
    match = match.when(told("pile_reshuffled")).then(draw_pile_count=3)
    match = match.when(told("misplay_called", by="cy"))
    match.then(turn="ann", top_card="red-7", color="red", draw_pile_count=2, pending=())
    assert match.when(draw("ann", cards=["red-5"])).types == ["cards_drawn"]


@pytest.mark.clause("X-MISPLAY", "B-ADVICE")
def test_advice_that_is_called_again_after_the_card_is_owed_twice() -> None:
    advice = told("advice_called", player="bo", by="cy")
    match = start("basic", 3).when(play("bo", "red-1"), play("cy", "red-3"))
    match = match.when(play("ann", "red-draw-two"), advice)
    match = match.when(play("bo", "green-6", as_played=True), advice)
    owed = owing(match.when(told("misplay_called", by="cy")))
    assert owed[1:] == [("bo", 4, "B-ADVICE"), ("bo", 4, "B-ADVICE"), ("bo", 1, "B-MISPLAY")]


@pytest.mark.clause("X-MISPLAY", "M-KEEP")
def test_a_card_that_may_not_be_the_one_just_drawn_can_be_called() -> None:
    match = start("mario").when(draw("bo"), play("bo", "red-3"))
    match = match.when(CALLED).then(turn="bo", top_card="red-5")
    assert counts(match)["bo"] == 8
    named = start("mario").when(draw("bo", cards=["red-3"]), play("bo", "red-3"))
    assert named.refuses(CALLED).reason == "no-misplay-open"


@pytest.mark.clause("V-FORCE-DRAWN")
def test_a_card_that_may_not_have_been_drawn_need_not_be_played() -> None:
    seen = ["green-1", "green-2", "green-3", "green-4", "blue-1", "blue-2"]
    match = start("mario", 3, {"bo": seen}, house_rules={"forced_play": "drawn"})
    match = match.when(draw("bo"), play("bo", "green-6", as_played=True), CALLED)
    match = match.when(shows("bo", *seen, "green-6", "red-9"))
    assert flags(match.when(passes("bo"))) == []


class TestAPenaltyThatWaitedBeforeTheCard:
    """Bo lays a card on ann's draw-two, against the rules, and takes it back."""

    @pytest.mark.clause("X-MISPLAY", "M-STAR")
    def test_can_still_be_sent_back(self) -> None:
        match = misplayed_on_a_penalty("mario").when(play("bo", "super-star", "red"))
        assert match.types == ["card_played"]
        assert owing(match) == [("ann", 2, "M-STAR")]

    @pytest.mark.clause("X-MISPLAY", "V-STACK-SAME")
    @pytest.mark.parametrize("edition", ["mario", "mickey", "classic-2025"])
    def test_can_still_be_stacked_on(self, edition: str) -> None:
        match = misplayed_on_a_penalty(edition, house_rules={"stacking": "same"})
        match = match.when(play("bo", "green-draw-two"))
        assert owing(match) == [("cy", 4, "V-STACK-SAME")]

    @pytest.mark.clause("B-MISPLAY", "H-MISPLAY")
    @pytest.mark.breach("V-STACK-SAME")
    @pytest.mark.parametrize("edition", ["basic", "hello-kitty"])
    def test_is_to_be_drawn_where_the_turn_is_lost(self, edition: str) -> None:
        match = misplayed_on_a_penalty(edition, house_rules={"stacking": "same"})
        assert broken(match.refuses(play("bo", "green-draw-two"))) == ["V-STACK-SAME"]


def misplayed_on_a_penalty(edition: str, **fields: object) -> Story:
    match = start(edition, 3, **fields).when(play("bo", "red-1"), play("cy", "red-3"))
    match = match.when(play("ann", "red-draw-two"), play("bo", "green-6", as_played=True))
    return match.when(told("misplay_called", by="cy"))


class TestWhatLeavesTheWindowOpen:
    """Bo lays a wrong card, and it is cy's turn when di draws for a call."""

    @pytest.mark.clause("X-MISPLAY-WHEN", "B-ADVICE", "B-MISPLAY")
    def test_a_draw_of_somebody_who_is_not_next(self) -> None:
        match = start("basic").when(play("bo", "blue-6", as_played=True), ADVICE, draw("di", 4))
        match = match.when(CALLED).then(turn="cy", top_card="red-5", draw_pile_count=75)
        assert counts(match) == {"ann": 7, "bo": 7, "cy": 7, "di": 11}
        assert owing(match) == [("bo", 1, "B-MISPLAY")]
        assert not [one.shifts for one in audit(corrected_steps(match.state)).rounds if one.shifts]

    @pytest.mark.clause("X-MISPLAY-WHEN", "B-ADVICE", "B-DRAW-TWO")
    def test_a_draw_for_a_call_while_another_player_owes_for_the_card(self) -> None:
        match = start("basic").when(play("bo", "blue-draw-two", as_played=True))
        match = match.when(told("advice_called", player="ann", by="di"), draw("ann", 4), CALLED)
        assert counts(match) == {"ann": 11, "bo": 7, "cy": 7, "di": 7}
        assert owing(match) == [("bo", 1, "B-MISPLAY")]

    @pytest.mark.clause("X-MISPLAY-WHEN", "B-ADVICE")
    @pytest.mark.parametrize("drawn", [[8], [4, 4], [1, 6, 1], [2], [5]])
    def test_what_was_owed_before_and_after_the_card_and_is_drawn_does_not_come_back(
        self, drawn: list[int]
    ) -> None:
        """Di lays the wrong card out of turn."""
        match = start("basic").when(ADVICE, play("di", "blue-6", as_played=True), ADVICE)
        later = match.when(CALLED)
        for number in drawn:
            match, later = match.when(draw("di", number)), later.when(draw("di", number))
        match = match.when(CALLED).then(turn="bo")
        assert counts(match) == counts(later)
        assert sum(count for _, count, _ in owing(match)) == 9 - sum(drawn)

    @pytest.mark.clause("X-MISPLAY-WHEN", "M-DRAW-TWO", "B-MISPLAY", "H-MISPLAY")
    @pytest.mark.parametrize(("edition", "draws"), [("mario", 0), ("basic", 1), ("hello-kitty", 2)])
    @pytest.mark.parametrize("drawn", [[2], [1, 1], [1]])
    def test_what_was_owed_before_the_card(
        self, edition: str, draws: int, drawn: list[int]
    ) -> None:
        """Cy lays the wrong card on the penalty. It is di's turn when cy draws for the penalty."""
        match = start(edition).when(play("bo", "red-draw-two"))
        match = match.when(play("cy", "blue-6", as_played=True))
        for number in drawn:
            match = match.when(draw("cy", number))
        match = match.when(CALLED).then(turn="di", top_card="red-draw-two")
        assert counts(match) == {"ann": 7, "bo": 6, "cy": 7 + sum(drawn), "di": 7}
        owed = [count for player, count, _ in owing(match) if player == "cy"]
        assert owed == [count for count in (2 - sum(drawn), draws) if count]
        # A player who has begun to draw for a penalty can't answer it any more.
        assert match.state.table is not None and match.state.table.blow is None

    @pytest.mark.clause("X-MISPLAY-WHEN", "H-ACCUSE", "H-MISPLAY")
    def test_an_inferred_draw_before_a_hand_is_shown(self) -> None:
        shown = [*SIX, "green-4", "green-5", "green-6"]
        match = start("hello-kitty").when(play("bo", "blue-6", as_played=True))
        match = match.when(told("accusation_made", by="di", player="cy"), shows("di", *shown))
        assert match.types == ["accusation_made", "cards_drawn", "hand_shown"]
        match = match.when(CALLED)
        assert sorted(match.state.hands["di"].known) == sorted(shown)

    @pytest.mark.clause("X-MISPLAY-WHEN", "H-SWAP", "H-ACCUSE")
    def test_a_draw_into_a_hand_that_the_card_had_moved(self) -> None:
        match = start("hello-kitty", 4, {"di": list(SIX)})
        match = match.when(play("cy", "swap-hands", "blue", as_played=True))
        match = match.when(told("accusation_made", by="bo", player="cy"))
        match = match.when(draw("bo", cards=["red-1", "red-2"]), CALLED)
        assert counts(match) == {"ann": 7, "bo": 9, "cy": 7, "di": 7}
        assert match.state.hands["bo"].known == ("red-1", "red-2")
        assert match.state.hands["di"].known == SIX

    @pytest.mark.clause("X-MISPLAY-WHEN", "B-RESHUFFLE")
    @pytest.mark.parametrize("cards", [None, ["red-5"], ["blue-1"]])
    @pytest.mark.parametrize("pile", [None, ["red-5", "blue-1", "blue-2", "blue-3"]])
    def test_not_a_draw_of_what_was_shuffled_since(
        self, cards: list[str] | None, pile: list[str] | None
    ) -> None:
        """The red 5 on which the card lay was shuffled. The draw may bring it, named or not."""
        match = start("basic").when(draw("bo", 77, as_played=True), passes("bo"))
        match = match.when(play("cy", "red-1"), play("di", "red-2"), play("ann", "red-5"))
        match = match.when(play("bo", "blue-6", as_played=True), ADVICE)
        match = match.when(told("pile_reshuffled", as_played=True, draw_pile=pile))
        match = match.when(draw("di", 4, cards=cards))
        assert match.refuses(CALLED).reason == "no-misplay-open"

    @pytest.mark.clause("X-MISPLAY-WHEN")
    def test_not_a_draw_of_the_next_player(self) -> None:
        match = start("basic").when(play("bo", "blue-6", as_played=True), ADVICE, draw("cy"))
        assert match.refuses(CALLED).reason == "no-misplay-open"

    @pytest.mark.clause("X-MISPLAY-WHEN", "B-DRAW-TWO", "B-UNO")
    def test_not_a_draw_for_the_card_itself(self) -> None:
        match = start("basic").when(play("bo", "blue-draw-two", as_played=True), draw("cy", 2))
        assert match.refuses(CALLED).reason == "no-misplay-open"
        match = small("basic", 3, {"bo": ["blue-6", "blue-7"]})
        match = match.when(play("bo", "blue-6", as_played=True))
        match = match.when(told("uno_caught", player="bo", by="ann"), draw("bo", 2))
        assert match.refuses(CALLED).reason == "no-misplay-open"


MEANWHILE = {
    "advice": ADVICE,
    "draw": draw("di", 2, as_played=True),
    "reshuffle": told("pile_reshuffled", as_played=True),
    "call": told("uno_called", player="di"),
}


@pytest.mark.clause("X-MISPLAY", "X-MISPLAY-WHEN", "B-ADVICE")
@settings(max_examples=40, deadline=None)
@hypothesis_given(
    left=st.integers(0, 4), meanwhile=st.lists(st.sampled_from(sorted(MEANWHILE)), max_size=5)
)
def test_no_card_is_lost_by_what_happens_before_the_card_goes_back(
    left: int, meanwhile: list[str]
) -> None:
    match = start("basic").when(draw("bo", 79 - left, as_played=True), passes("bo"))
    match = match.when(play("cy", "red-1"), play("di", "red-2"), play("ann", "red-3"))
    before = counts(match)
    match = match.when(play("bo", "blue-6", as_played=True))
    shuffled = late = False
    for name in meanwhile:
        if name != "draw" or owing(match):
            match = match.when(MEANWHILE[name])
            for each in match.types:
                late |= shuffled and each == "cards_drawn"
                shuffled |= each == "pile_reshuffled"
    if late:
        assert match.refuses(CALLED).reason == "no-misplay-open"
        return
    drawn = counts(match)["di"] - before["di"]
    match = match.when(CALLED).then(top_card="red-3", turn="cy")
    assert counts(match) == {**before, "di": before["di"] + drawn}
    table = match.state.table
    assert table is not None
    lying = len(table.discards) + table.buried + height(table.pile)
    assert lying + sum(counts(match).values()) == 108

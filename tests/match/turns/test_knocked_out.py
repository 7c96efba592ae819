"""A player is put out of the match by a catch while the others play the round on."""

import pytest
from msgspec.structs import replace

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.known_cards import height
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.rules.parameters import HandsFrom
from tests.match.story import Story, given, tally
from tests.match.table import (
    broken,
    challenge,
    draw,
    first,
    names,
    owing,
    play,
    shows,
    small,
    start,
    told,
)

CAUGHT = told("uno_caught", player="bo", by="ann")


def of_four(hands: dict[str, list[str]], edition: str = "hello-kitty", **fields: object) -> Story:
    return small(edition, 4, hands, mode="elimination", target=40, **fields)


@pytest.mark.clause("H-ELIMINATION", "H-CHALLENGE")
def test_their_king_is_not_challenged_any_more() -> None:
    match = of_four({"bo": ["wild-draw-four", "wild"]})
    match = match.when(play("bo", "wild-draw-four", "blue"), CAUGHT).then(eliminated=("bo",))
    assert owing(match.then(turn="di")) == [("cy", 4, "H-WILD4")]
    assert match.refuses(challenge("cy", guilty=True)).reason == "no-challenge-open"


@pytest.mark.clause("H-ELIMINATION", "H-WILD")
def test_the_next_player_names_the_colour_that_is_still_open() -> None:
    match = of_four({"bo": ["wild", "wild"]}).when(play("bo", "wild"), CAUGHT)
    match = match.then(eliminated=("bo",), color_pending="cy", turn="cy")
    match.when(names("cy", "green")).then(color="green", turn="cy")


@pytest.mark.clause("H-ELIMINATION", "H-SWAP")
def test_whose_turn_it_was_is_left_out() -> None:
    """Cy takes over the single card of di, who sits on the left."""
    match = of_four({"di": ["wild"]}).when(play("bo", "swap-hands", "red")).then(turn="cy")
    match = match.when(told("uno_caught", player="cy", by="ann"))
    match.then(eliminated=("cy",), turn="di")


@pytest.mark.clause("H-ELIMINATION", "M-STAR")
@pytest.mark.breach("M-STAR")
def test_their_penalty_is_not_sent_back() -> None:
    match = of_four({"bo": ["red-draw-two", "wild"]}, "mario")
    match = match.when(play("bo", "red-draw-two"), CAUGHT).then(eliminated=("bo",))
    assert broken(match.refuses(play("cy", "super-star", "red"))) == ["M-NO-STACK"]


BOTH = {"stacking": "same", "jump_in": "colored"}


def hit_by_bo_who_is_out(edition: str) -> Story:
    match = of_four({"bo": ["red-draw-two", "wild"]}, edition, house_rules=BOTH)
    match = match.when(play("bo", "red-draw-two"), CAUGHT).then(eliminated=("bo",), turn="di")
    assert len(owing(match)) == 1
    return match


@pytest.mark.clause("H-ELIMINATION", "V-STACK-SAME")
@pytest.mark.parametrize("edition", ["hello-kitty", "mario"])
def test_their_penalty_can_still_be_stacked_on(edition: str) -> None:
    """Only the first penalty card that is drawn, and a challenge, end the time for it."""
    match = hit_by_bo_who_is_out(edition).when(play("cy", "blue-draw-two"))
    assert match.types == ["card_played"]
    assert owing(match.then(turn="ann")) == [("di", 4, "V-STACK-SAME")]


@pytest.mark.clause("H-ELIMINATION", "V-JUMP-IN")
def test_their_penalty_lapses_with_a_jump_in_or_joins_the_sum() -> None:
    """Nothing of it is drawn, also if the player who brought it is not there any more."""
    match = hit_by_bo_who_is_out("hello-kitty").when(play("ann", "red-draw-two", jump_in=True))
    assert match.types == ["card_played"]
    assert owing(match.then(turn="di")) == [("cy", 4, "V-STACK-SAME")]
    alone = of_four({"bo": ["red-draw-two", "wild"]}, house_rules={"jump_in": "colored"})
    alone = alone.when(play("bo", "red-draw-two"), CAUGHT)
    alone = alone.when(play("cy", "red-draw-two", jump_in=True))
    assert owing(alone.then(turn="ann")) == [("di", 2, "H-DRAW-TWO")]


@pytest.mark.clause("H-ELIMINATION", "V-STACK-SAME")
def test_a_penalty_that_would_hit_them_joins_no_sum() -> None:
    """Such a card is in no booklet: a draw-two by which each player takes the hand on the left."""
    match = given("hello-kitty", 4, "elimination", target=40, dealer="ann", house_rules=BOTH)
    state = match.state.copy()
    rule = state.edition.cards["draw-two"]
    taking = replace(rule.played.value, hands_from=HandsFrom.LEFT_NEIGHBOR)
    drawing = replace(rule, played=replace(rule.played, value=taking))
    state.edition = replace(state.edition, cards={**state.edition.cards, "draw-two": drawing})
    match = Story(state, match.log).when(told("round_started"), first("red-5"))
    match = match.when(shows("di", "wild", as_played=True), play("bo", "red-draw-two"))
    match = match.when(told("uno_caught", player="cy", by="ann")).then(eliminated=("cy",))
    assert owing(match.then(turn="di")) == []
    match = match.when(play("ann", "red-draw-two", jump_in=True))
    assert owing(match.then(turn="di")) == [("bo", 2, "H-DRAW-TWO")]


@pytest.mark.clause("H-ELIMINATION", "M-NO-STACK")
def test_a_star_on_their_penalty_leaves_it_to_be_drawn() -> None:
    match = hit_by_bo_who_is_out("mario")
    match = match.when(play("cy", "super-star", "red", as_played=True))
    assert owing(match.then(turn="di")) == [("cy", 2, "M-DRAW-TWO")]


@pytest.mark.clause("H-ELIMINATION", "M-BLOCK")
@pytest.mark.parametrize(("caught", "turn"), [("bo", "cy"), ("cy", "bo")])
def test_whom_a_block_skips_later_is_skipped_all_the_same(caught: str, turn: str) -> None:
    hands = {"bo": ["question-block", "wild"], "cy": ["red-1", "wild"]}
    match = of_four(hands, "mario", options={"question_block": "Skip somebody."})
    skip = [{"type": "skip", "player": "ann"}]
    match = match.when(play("bo", "question-block", "red", effects=skip))
    if caught == "cy":
        match = match.when(play("cy", "red-1"))
    match = match.when(told("uno_caught", player=caught, by="di")).then(eliminated=(caught,))
    if caught == "bo":
        match = match.when(play("cy", "red-1"))
    match.when(play("di", "red-2")).then(turn=turn)


@pytest.mark.clause("H-ELIMINATION")
def test_their_hand_lies_under_the_discard_pile_also_where_nobody_knows_it() -> None:
    match = start("hello-kitty", mode="elimination", target=40)
    match = match.when(
        play("bo", "wild-draw-four", "blue"), challenge("cy", guilty=True, points=60)
    )
    table = match.then(eliminated=("bo",)).state.table
    assert table is not None
    hands = sum(hand.count or 0 for hand in table.hands.values())
    assert hands + table.buried + len(table.discards) + height(table.pile) == 112


@pytest.mark.clause("H-ELIMINATION", "H-DECK")
@pytest.mark.breach("H-DECK")
def test_a_card_of_their_known_hand_is_in_no_other_hand() -> None:
    """The box has one red 0, and it lies under the discard pile now."""
    match = of_four({"bo": ["wild-draw-four", "red-0", "wild"]})
    rest = [f"blue-{number}" for number in range(1, 7)]
    match.when(shows("di", *rest, "blue-7"))
    match = match.when(play("bo", "wild-draw-four", "blue"), challenge("cy"))
    refused = match.then(eliminated=("bo",)).refuses(shows("di", *rest, "red-0"))
    assert (refused.reason, refused.facts["card"]) == ("too-many-of-card", "red-0")


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.parametrize(
    "told_late", [told("hand_counted", player="bo", points=50), shows("bo", "wild")]
)
def test_their_hand_is_not_counted_again_at_the_end_of_the_round(told_late: ToldEvent) -> None:
    match = of_four({"bo": ["wild-draw-four", "wild"], "di": ["blue-1"]})
    match = match.when(play("bo", "wild-draw-four", "blue"), CAUGHT, play("di", "blue-1"))
    match = match.then(eliminated=("bo",), phase="showing_hands")
    assert match.refuses(told_late).reason == "player-eliminated"


@pytest.mark.clause("H-ELIMINATION")
def test_the_last_but_one_ends_the_round_and_the_match() -> None:
    match = small("hello-kitty", 2, {"bo": ["red-1", "wild"]}, mode="elimination", target=40)
    match = match.when(play("bo", "red-1"), CAUGHT)
    match.then(eliminated=("bo",), winners=("ann",), status="won", pending=())


def with_di_caught_before_ann() -> Story:
    match = of_four({"ann": ["red-3", "wild"], "bo": ["red-1", "red-4"], "di": ["red-2", "wild"]})
    match = match.when(play("bo", "red-1", uno=True), play("cy", "red-9"), play("di", "red-2"))
    match = match.when(told("uno_caught", player="di", by="ann"), play("ann", "red-3"))
    return match.when(told("uno_caught", player="ann", by="bo")).then(eliminated=("di", "ann"))


@pytest.mark.clause("H-ELIMINATION")
def test_they_stay_in_the_order_of_the_catches_once_the_round_is_over() -> None:
    match = with_di_caught_before_ann().when(
        play("bo", "red-4"), shows("cy", "blue-0", *["blue-1", "green-1"] * 2, "red-0")
    )
    match.then(phase="ready", status="open", eliminated=("di", "ann"))


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.parametrize(
    ("charges", "out"),
    [
        ({}, ("di", "ann")),
        ({"ann": 39}, ("di",)),
        ({"cy": 60}, ("di", "ann", "cy")),
    ],
)
def test_they_stay_in_the_order_of_the_catches_where_a_tally_ends_the_round(
    charges: dict[str, int], out: tuple[str, ...]
) -> None:
    """A tally can take a catch's points back, and bring those of another one."""
    hands = {player: 1 for player in ("ann", "cy") if player not in out}
    match = with_di_caught_before_ann().when(tally("bo", hands=hands, charges=charges))
    match.then(eliminated=out)


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.parametrize(("target", "out"), [(500, ()), (40, ("bo",))])
def test_what_a_catch_counted_still_counts_where_a_tally_ends_the_round(
    target: int, out: tuple[str, ...]
) -> None:
    """The tally and the end of the round are two entries, and each has a scoreboard."""
    match = small("hello-kitty", 4, {"bo": ["red-1", "wild"]}, mode="elimination", target=target)
    match = match.when(play("bo", "red-1"), CAUGHT).then_totals(ann=0, bo=50, cy=0, di=0)
    told_so = {"cy": 10, "di": 10} if out else {"bo": 9, "cy": 10, "di": 10}
    before = match.board.version
    match = match.when(tally("ann", hands=told_so))
    boards = [
        scoreboard(match.replayed(version), match="m", position=1)
        for version in range(before, match.board.version + 1)
    ]
    told_at = next(board for board in boards if board.phase == "showing_hands")
    assert (told_at.totals["bo"], told_at.eliminated) == (50, out)
    assert [board.eliminated for board in boards] == [out] * len(boards)


@pytest.mark.clause("H-ELIMINATION", "H-CHALLENGE")
def test_what_a_hand_of_two_unknown_cards_can_count() -> None:
    match = small("hello-kitty", 3, {"bo": ["wild-draw-four"]}, mode="elimination")
    match = match.when(told("accusation_made", by="bo", player="ann"), draw("bo", 2))
    match = match.when(play("bo", "wild-draw-four", "blue"))
    for points, reason in ((-1, "points-negative"), (101, "points-impossible")):
        refused = match.refuses(challenge("cy", guilty=True, points=points))
        assert refused.reason == reason
    for points in (0, 100):
        counted = match.when(challenge("cy", guilty=True, points=points))
        counted.then_totals(ann=0, bo=points, cy=0)


@pytest.mark.clause("H-ELIMINATION", "H-CHALLENGE", "H-POINTS")
def test_what_a_hand_can_count_of_which_some_cards_are_known() -> None:
    """The 7 counts 7, and each of the two unknown cards between 0 and 50."""
    hands = {"bo": ["wild-draw-four", "red-7"]}
    match = small("hello-kitty", 3, hands, mode="elimination")
    match = match.when(told("accusation_made", by="bo", player="ann"), draw("bo", 2))
    match = match.when(play("bo", "wild-draw-four", "blue"))
    for points in (6, 108):
        refused = match.refuses(challenge("cy", guilty=True, points=points))
        assert refused.reason == "points-impossible"
        assert refused.facts == {"player": "bo", "points": points, "cards_left": 3}
    for points in (7, 107):
        counted = match.when(challenge("cy", guilty=True, points=points))
        counted.then_totals(ann=0, bo=points, cy=0)


@pytest.mark.clause("H-ELIMINATION", "H-CHALLENGE", "H-POINTS")
@pytest.mark.breach("H-POINTS")
def test_a_guilty_hand_that_is_known_counts_what_its_cards_are_worth() -> None:
    hands = {"bo": ["wild-draw-four", "red-7"]}
    match = small("hello-kitty", 3, hands, mode="elimination")
    match = match.when(play("bo", "wild-draw-four", "blue"))
    assert broken(match.refuses(challenge("cy", points=8))) == ["H-POINTS"]
    match.when(challenge("cy", points=7)).then_totals(ann=0, bo=7, cy=0)


@pytest.mark.clause("H-CHALLENGE", "H-POINTS")
@pytest.mark.parametrize(
    ("mode", "left", "owed"), [("elimination", "blue-7", ("cy", 6)), (None, "red-7", ("bo", 4))]
)
def test_points_are_not_judged_where_none_are_counted(
    mode: str | None, left: str, owed: tuple[str, int]
) -> None:
    match = small("hello-kitty", 3, {"bo": ["wild-draw-four", left]}, mode=mode)
    match = match.when(play("bo", "wild-draw-four", "blue"), challenge("cy", points=8))
    assert owing(match) == [(*owed, "H-CHALLENGE")]

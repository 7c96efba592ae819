"""The tables of the rulebook, value by value, for the five booklets.

An edition that is added later changes nothing here.
"""

from pathlib import Path

import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.clauses import READING, Cited
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import (
    ColorNaming,
    DealerDraw,
    HandsFrom,
    Keep,
    NextDealer,
    ShownTo,
    TurnAfter,
    TurnedUp,
    UnoWindow,
    WildDrawFourLegal,
)

MARIO = EDITIONS["mario", 1]
BASIC = EDITIONS["basic", 1]
MICKEY = EDITIONS["mickey", 1]
HELLO_KITTY = EDITIONS["hello-kitty", 1]
CLASSIC = EDITIONS["classic-2025", 1]
FIVE = (MARIO, BASIC, MICKEY, HELLO_KITTY, CLASSIC)
each = pytest.mark.parametrize("held", FIVE, ids=lambda held: held.id)


@pytest.mark.clause("M-DECK", "B-DECK", "D-DECK", "H-DECK", "C-DECK", "M-POINTS", "B-POINTS")
@pytest.mark.clause("D-POINTS", "H-POINTS", "C-POINTS")
@pytest.mark.parametrize(
    ("held", "size", "points"),
    [
        (MARIO, 112, 1440),
        (BASIC, 108, 1240),
        (MICKEY, 112, 1440),
        (HELLO_KITTY, 112, 1440),
        (CLASSIC, 108, 1240),
    ],
)
def test_a_deck_holds_so_many_cards_worth_so_many_points(
    held: Edition, size: int, points: int
) -> None:
    box = held.box({})
    assert (box.size, sum(worth * count for worth, count in box.by_points)) == (size, points)


@pytest.mark.clause("C-DECK")
def test_the_leaflet_of_2025_speaks_of_112_cards_and_names_108() -> None:
    assert CLASSIC.box_size == Cited(112, "C-DECK")
    assert CLASSIC.options == {"extra_cards"}


@pytest.mark.clause("M-BLOCK")
def test_only_mario_has_a_block_to_agree_on() -> None:
    assert [held.id for held in FIVE if "question_block" in held.options] == ["mario"]


@each
def test_a_color_has_one_zero_and_two_of_everything_else(held: Edition) -> None:
    for color in held.colors.value:
        counts = {c: n for c, n in held.deck.value.items() if c.startswith(f"{color}-")}
        counts.pop("red-ribbon", None)
        assert counts.pop(f"{color}-0") == 1
        assert len(counts) == 9 + 3
        assert set(counts.values()) == {2}


@pytest.mark.clause("D-DECK")
def test_mickey_is_pink_and_orange_where_others_are_yellow_and_blue() -> None:
    assert MICKEY.colors.value == ("red", "green", "pink", "orange")
    assert all(
        held.colors.value == ("red", "yellow", "green", "blue") for held in FIVE if held != MICKEY
    )


@each
def test_points_are_face_value_twenty_and_fifty(held: Edition) -> None:
    points = held.points.value
    assert [points[f"red-{number}"] for number in range(10)] == list(range(10))
    assert {points[f"green-{action}"] for action in ("draw-two", "reverse", "skip")} == {20}
    wilds = [card for card in points if card.startswith("wild") or "-" not in card]
    wilds += [card for card in points if card in held.cards]
    assert {points[card] for card in wilds} == {50}


@pytest.mark.clause("M-DEAL", "B-DEAL", "D-DEAL", "H-DEAL", "C-DEAL")
@each
def test_everybody_is_dealt_seven_cards(held: Edition) -> None:
    assert held.hand_size == Cited(7, f"{held.letter}-DEAL")


@pytest.mark.clause("M-DEALER", "B-DEALER", "D-DEALER", "H-DEALER", "C-DEALER")
def test_who_draws_a_lettered_card_deals_in_no_edition_but_differently() -> None:
    drawn = {held.id: held.dealer_draw.value for held in FIVE}
    assert drawn == {
        "mario": DealerDraw.LETTERED_COUNT_ZERO,
        "basic": DealerDraw.LETTERED_CANNOT_DEAL,
        "mickey": DealerDraw.LETTERED_COUNT_ZERO,
        "hello-kitty": DealerDraw.LETTERED_COUNT_ZERO,
        "classic-2025": DealerDraw.CHOSEN_FREELY,
    }


@pytest.mark.clause("H-NEXT-DEALER", "X-NEXT-DEALER")
def test_the_winner_deals_next_in_hello_kitty_only() -> None:
    assert HELLO_KITTY.next_dealer == Cited(NextDealer.WINNER, "H-NEXT-DEALER")
    for held in (MARIO, BASIC, MICKEY, CLASSIC):
        assert held.next_dealer == Cited(NextDealer.LEFT, "X-NEXT-DEALER")


def test_every_cell_of_the_table_of_turned_up_cards() -> None:
    table = Path(__file__).with_name("turned_up.txt").read_text(encoding="utf-8")
    head, *rows = [line.split() for line in table.splitlines()]
    assert head[1:] == [held.id for held in FIVE]
    for card, *cells in rows:
        for held, cell in zip(FIVE, cells, strict=True):
            rule = held.cards.get(card)
            assert (rule.turned_up.value.value if rule else "-") == cell, (card, held.id)
    assert {row[0] for row in rows} == {symbol for held in FIVE for symbol in held.cards}


@pytest.mark.clause("M-UP-NUMBER", "M-UP-DRAW-TWO", "M-UP-REVERSE", "M-UP-SKIP", "M-UP-WILD")
@pytest.mark.clause("M-UP-WILD4", "M-UP-STAR", "M-UP-BLOCK", "D-UP-FRIENDSHIP", "H-UP-RIBBON")
@pytest.mark.clause("H-UP-SWAP", "C-UP")
@each
def test_a_turned_up_card_cites_the_clause_of_its_name(held: Edition) -> None:
    named = {
        "number": "UP-NUMBER",
        "draw-two": "UP-DRAW-TWO",
        "reverse": "UP-REVERSE",
        "skip": "UP-SKIP",
        "wild": "UP-WILD",
        "wild-draw-four": "UP-WILD4",
        "super-star": "UP-STAR",
        "question-block": "UP-BLOCK",
        "wild-friendship": "UP-FRIENDSHIP",
        "red-ribbon": "UP-RIBBON",
        "swap-hands": "UP-SWAP",
    }
    for symbol, rule in held.cards.items():
        expected = "C-UP" if held == CLASSIC else f"{held.letter}-{named[symbol]}"
        assert rule.turned_up.clause == rule.turned_up_two_players.clause == expected


@pytest.mark.clause("M-UP-REVERSE", "B-UP-REVERSE", "D-UP-REVERSE", "H-UP-REVERSE")
def test_of_two_players_the_dealer_begins_on_a_reverse_but_in_basic_the_other() -> None:
    begins = {held.id: held.card_rule("red-reverse").turned_up_two_players.value for held in FIVE}
    assert begins == {
        "mario": TurnedUp.DEALER_BEGINS,
        "basic": TurnedUp.PLAY_STARTS,
        "mickey": TurnedUp.DEALER_BEGINS,
        "hello-kitty": TurnedUp.DEALER_BEGINS,
        "classic-2025": TurnedUp.STAYS_UNDER_NEXT,
    }


@pytest.mark.clause("M-KEEP", "B-KEEP", "D-KEEP", "H-KEEP", "C-KEEP")
def test_what_may_be_held_back_for_a_draw() -> None:
    assert {held.id: held.keep.value for held in FIVE} == {
        "mario": Keep.ANYTHING,
        "basic": Keep.ONLY_WILD_DRAW_FOUR,
        "mickey": Keep.ANYTHING,
        "hello-kitty": Keep.NOTHING,
        "classic-2025": Keep.ANYTHING,
    }


@pytest.mark.clause("M-WILD4-LEGAL", "B-WILD4-LEGAL", "D-WILD4-LEGAL", "H-WILD4-LEGAL")
@pytest.mark.clause("C-WILD4-LEGAL")
def test_what_a_hand_must_not_hold_beside_an_honest_wild_draw_four() -> None:
    assert {held.id: held.wild_draw_four_legal.value for held in FIVE} == {
        "mario": WildDrawFourLegal.COLOR,
        "basic": WildDrawFourLegal.COLOR,
        "mickey": WildDrawFourLegal.COLOR,
        "hello-kitty": WildDrawFourLegal.PLAYABLE,
        "classic-2025": WildDrawFourLegal.COLOR_OR_WILD,
    }


@pytest.mark.clause("M-CHALLENGE", "B-CHALLENGE", "D-CHALLENGE", "H-CHALLENGE", "C-CHALLENGE")
@each
def test_a_challenge_costs_the_guilty_four_and_a_wrong_challenger_six(held: Edition) -> None:
    challenge = held.challenge.value
    assert held.challenge.clause == f"{held.letter}-CHALLENGE"
    assert (challenge.guilty_draws, challenge.innocent_draws) == (4, 6)
    assert challenge.taken_back == (held == HELLO_KITTY)
    alone = held in (BASIC, HELLO_KITTY)
    assert challenge.shown_to is (ShownTo.CHALLENGER if alone else ShownTo.TABLE)


@pytest.mark.clause("M-NO-STACK", "B-NO-STACK", "D-NO-STACK", "H-NO-STACK", "C-NO-STACK")
@pytest.mark.clause("M-STAR")
def test_only_a_star_answers_a_penalty() -> None:
    assert MARIO.lays_on_penalty.value == {"super-star"}
    assert MARIO.card_rule("super-star").played.value.reflects
    for held in (BASIC, MICKEY, HELLO_KITTY, CLASSIC):
        assert not held.lays_on_penalty.value
        assert not any(rule.played.value.reflects for rule in held.cards.values())


@pytest.mark.clause("M-DRAW-TWO", "B-DRAW-TWO", "D-DRAW-TWO", "H-DRAW-TWO", "C-DRAW-TWO")
@pytest.mark.clause("M-WILD4", "B-WILD4", "D-WILD4", "H-WILD4", "C-WILD4")
@pytest.mark.clause("M-REVERSE", "B-REVERSE", "D-REVERSE", "H-REVERSE", "C-REVERSE")
@pytest.mark.clause("M-SKIP", "B-SKIP", "D-SKIP", "H-SKIP", "C-SKIP")
@pytest.mark.clause("M-WILD", "B-WILD", "D-WILD", "H-WILD", "C-WILD")
@each
def test_what_the_cards_of_every_box_do(held: Edition) -> None:
    played = {symbol: rule.played for symbol, rule in held.cards.items()}
    done = {
        symbol: (cited.value.color, cited.value.turn, cited.value.next_draws, cited.clause)
        for symbol, cited in played.items()
    }
    never, always = ColorNaming.NEVER, ColorNaming.ALWAYS
    skipped = TurnAfter.NEXT_IS_SKIPPED
    letter = held.letter
    assert done["number"] == (never, TurnAfter.NEXT, 0, f"{letter}-MATCH")
    assert done["draw-two"] == (never, skipped, 2, f"{letter}-DRAW-TWO")
    assert done["reverse"] == (never, TurnAfter.NEXT_REVERSED, 0, f"{letter}-REVERSE")
    assert done["skip"] == (never, skipped, 0, f"{letter}-SKIP")
    assert done["wild"] == (always, TurnAfter.NEXT, 0, f"{letter}-WILD")
    assert done["wild-draw-four"] == (always, skipped, 4, f"{letter}-WILD4")


@pytest.mark.clause("D-FRIENDSHIP")
def test_a_friendship_card_takes_two_of_its_player_and_one_of_everybody_else() -> None:
    effect = MICKEY.card_rule("wild-friendship").played.value
    assert (effect.own_discards, effect.other_discards) == (2, 1)
    assert effect.color is ColorNaming.IF_WILD_ON_TOP
    assert MICKEY.joint_winner_cards == Cited(frozenset({"wild-friendship"}), "D-FRIENDSHIP")


@pytest.mark.clause("M-BLOCK", "C-DECK")
def test_a_block_and_an_extra_card_do_what_the_table_says() -> None:
    assert MARIO.card_rule("question-block").played.value.as_agreed
    assert CLASSIC.card_rule("themed").played.value.as_agreed
    assert MARIO.joint_winner_cards.value == {"question-block"}
    with pytest.raises(KeyError):
        BASIC.card_rule("themed")


@pytest.mark.clause("H-RIBBON", "H-SWAP")
def test_a_ribbon_lays_off_red_and_a_swap_takes_the_left_neighbors_hand() -> None:
    assert HELLO_KITTY.card_rule("red-ribbon").played.value.lays_off == "red"
    swap = HELLO_KITTY.card_rule("swap-hands").played
    assert (swap.value.hands_from, swap.clause) == (HandsFrom.LEFT_NEIGHBOR, "H-SWAP")


@pytest.mark.clause("B-TWO", "H-TWO", "X-TWO")
def test_what_changes_with_two_players() -> None:
    changed = {
        held.id: {
            symbol: rule.played_two_players.clause
            for symbol, rule in held.cards.items()
            if rule.played_two_players != rule.played
        }
        for held in FIVE
    }
    again = {"draw-two", "reverse", "skip", "wild-draw-four"}
    assert changed == {
        "mario": {"reverse": "X-TWO"},
        "basic": dict.fromkeys(again, "B-TWO"),
        "mickey": {"reverse": "X-TWO"},
        "hello-kitty": dict.fromkeys(again | {"red-ribbon", "swap-hands"}, "H-TWO"),
        "classic-2025": {"reverse": "X-TWO"},
    }


@pytest.mark.clause("B-TWO", "H-TWO", "X-TWO")
@each
def test_of_two_players_the_one_who_reverses_skips_or_makes_draw_goes_again(held: Edition) -> None:
    for symbol in ("reverse", "skip", "draw-two", "wild-draw-four"):
        alone, among_two = held.cards[symbol].played.value, held.cards[symbol].played_two_players
        assert among_two.value.turn in (TurnAfter.SAME_PLAYER, TurnAfter.NEXT_IS_SKIPPED)
        assert among_two.value.next_draws == alone.next_draws
        assert among_two.value.color is alone.color


@pytest.mark.clause("H-TWO")
def test_of_two_players_a_ribbon_gives_a_card_and_a_swap_goes_again() -> None:
    ribbon = HELLO_KITTY.card_rule("red-ribbon").played_two_players.value
    swap = HELLO_KITTY.card_rule("swap-hands").played_two_players.value
    assert (ribbon.gift, ribbon.lays_off, ribbon.turn) == (1, "red", TurnAfter.NEXT)
    assert (swap.turn, swap.hands_from) == (TurnAfter.SAME_PLAYER, HandsFrom.LEFT_NEIGHBOR)


@pytest.mark.clause("M-UNO", "B-UNO", "D-UNO", "H-UNO", "C-UNO")
@each
def test_a_forgotten_uno_costs_two_cards_until_the_window_closes(held: Edition) -> None:
    begun = UnoWindow.NEXT_TURN_BEGUN if held == CLASSIC else UnoWindow.NEXT_CARD_LAID
    assert held.uno.clause == f"{held.letter}-UNO"
    assert (held.uno.value.draws, held.uno.value.window) == (2, begun)


@pytest.mark.clause("B-MISPLAY", "H-MISPLAY", "X-MISPLAY")
def test_what_a_misplay_costs() -> None:
    costs = {
        held.id: (held.misplay.value.draws, held.misplay.value.loses_turn, held.misplay.clause)
        for held in FIVE
    }
    assert costs == {
        "mario": (0, False, "X-MISPLAY"),
        "basic": (1, True, "B-MISPLAY"),
        "mickey": (0, False, "X-MISPLAY"),
        "hello-kitty": (2, True, "H-MISPLAY"),
        "classic-2025": (0, False, "X-MISPLAY"),
    }


@pytest.mark.clause("B-ADVICE", "H-ACCUSE")
def test_advice_costs_four_in_basic_and_an_accusation_two_in_hello_kitty() -> None:
    assert {held.id: held.advice_draws for held in FIVE if held.advice_draws} == {
        "basic": Cited(4, "B-ADVICE")
    }
    assert {held.id: held.accusation_draws for held in FIVE if held.accusation_draws} == {
        "hello-kitty": Cited(2, "H-ACCUSE")
    }


@pytest.mark.clause("M-LAST", "B-LAST", "D-LAST", "H-LAST", "C-LAST")
@each
def test_a_last_card_still_makes_the_next_player_draw(held: Edition) -> None:
    assert held.last_card_draws == Cited(
        {"draw-two": 2, "wild-draw-four": 4}, f"{held.letter}-LAST"
    )


@pytest.mark.clause("M-SCORE", "B-SCORE", "D-SCORE", "H-SCORE-500", "C-FIRST-OUT")
def test_the_mode_that_a_booklet_plays_unless_told_otherwise() -> None:
    assert {held.id: held.default_mode for held in FIVE} == {
        "mario": Cited("winner-collects", "M-SCORE"),
        "basic": Cited("lowest-total", "B-SCORE"),
        "mickey": Cited("winner-collects", "D-SCORE"),
        "hello-kitty": Cited("winner-collects", "H-SCORE-500"),
        "classic-2025": Cited("first-out", "C-FIRST-OUT"),
    }


@pytest.mark.clause("M-ALT", "D-ALT", "C-SCORE", "H-PLUSMINUS", "H-ELIMINATION")
def test_a_mode_of_another_booklet_is_borrowed() -> None:
    own = {
        held.id: {name: mode.clause for name, mode in held.modes.items() if not mode.borrowed}
        for held in FIVE
    }
    assert own == {
        "mario": {"winner-collects": "M-SCORE", "lowest-total": "M-ALT"},
        "basic": {"lowest-total": "B-SCORE"},
        "mickey": {"winner-collects": "D-SCORE", "lowest-total": "D-ALT"},
        "hello-kitty": {
            "winner-collects": "H-SCORE-500",
            "plus-minus": "H-PLUSMINUS",
            "elimination": "H-ELIMINATION",
        },
        "classic-2025": {"winner-collects": "C-SCORE", "first-out": "C-FIRST-OUT"},
    }
    in_basic = {BASIC.id, READING}
    assert [clause.id for clause in BASIC.clauses if clause.source not in in_basic] == [
        "M-SCORE",
        "H-PLUSMINUS",
        "H-ELIMINATION",
        "C-FIRST-OUT",
    ]


@pytest.mark.clause("B-ROTATE-4", "B-ROTATE-8")
@each
def test_a_cycle_of_rotating_partners_has_twelve_or_twenty_eight_rounds(held: Edition) -> None:
    for rotation in held.rotations:
        cycle = rotation.value
        assert cycle.rounds == (cycle.players - 1) * cycle.rounds_with_each
        assert cycle.tables * 4 == cycle.players
    assert [(c.value.players, c.value.rounds) for c in held.rotations] == [(4, 12), (8, 28)]

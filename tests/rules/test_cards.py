import pytest

from scorekeeper.rules.cards import COLORS, FACES, WILDS, Box, face


@pytest.mark.parametrize(
    ("card", "color", "symbol"),
    [
        ("red-7", "red", "7"),
        ("pink-0", "pink", "0"),
        ("orange-draw-two", "orange", "draw-two"),
        ("blue-skip", "blue", "skip"),
        ("green-reverse", "green", "reverse"),
    ],
)
def test_a_colored_card_shows_a_color_and_a_symbol(card: str, color: str, symbol: str) -> None:
    shown = face(card)
    assert (shown.card, shown.color, shown.symbol) == (card, color, symbol)
    assert not shown.is_wild


@pytest.mark.clause("H-RIBBON")
def test_a_red_ribbon_is_a_wild_card_not_a_red_one() -> None:
    assert face("red-ribbon").color is None
    assert face("red-ribbon").is_wild


@pytest.mark.parametrize("card", ["wild", "wild-draw-four", "super-star", "swap-hands"])
def test_a_wild_has_no_color_and_is_its_own_symbol(card: str) -> None:
    assert face(card).is_wild
    assert face(card).symbol == card
    assert not face(card).is_number


@pytest.mark.clause("C-DECK")
@pytest.mark.parametrize("card", ["themed", "red-dragon", "plaid-7"])
def test_a_card_that_no_booklet_names_is_played_as_a_wild(card: str) -> None:
    assert card not in FACES
    assert face(card).is_wild
    assert not face(card).is_number


def test_each_color_has_ten_numbers_and_three_actions_and_the_rest_are_wilds() -> None:
    assert all(name == printed.card for name, printed in FACES.items())
    assert {name for name, printed in FACES.items() if printed.is_wild} == set(WILDS)
    for color in COLORS:
        own = [printed for printed in FACES.values() if printed.color == color]
        assert len(own) == len({printed.symbol for printed in own}) == 13
        assert sum(printed.is_number for printed in own) == 10
    assert len(FACES) == 13 * len(COLORS) + len(WILDS)


def test_a_box_counts_every_copy() -> None:
    box = Box(counts={"red-9": 2, "wild": 4}, points={"red-9": 9, "wild": 50})
    assert (box.size, box.by_points) == (6, ((9, 2), (50, 4)))

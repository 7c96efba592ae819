"""The pages and the terminal know how to draw the cards of every edition."""

import re
from importlib.resources import files

import pytest

from scorekeeper.cli.terminal.replay_pages import _CARD_STYLES
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.cards import COLORS, WILDS

STATIC = files("scorekeeper.web") / "static"


def read(path: str) -> str:
    return (STATIC / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("color", COLORS)
def test_a_color_has_a_shape_and_a_style(color: str) -> None:
    drawn = {
        "SHAPES in core/cards.js": f"\n  {color}: " in read("core/cards.js"),
        "a variable in sheet.css": f"--{color}:" in read("sheet.css"),
        "a class in sheet.css": f".c-{color} {{" in read("sheet.css"),
        "_CARD_STYLES in cli/terminal/replay_pages.py": color in _CARD_STYLES,
    }
    assert [place for place, there in drawn.items() if not there] == []


def test_the_cards_that_have_a_color_are_drawn_in_it_and_all_others_as_wilds() -> None:
    """Also a ribbon whose name begins with a colour."""
    [pattern] = re.findall(r"COLORED = /(.+)/;", read("core/cards.js"))
    cards = {card for held in EDITIONS.values() for card in held.deck.value}
    assert {card for card in cards if re.search(pattern, card)} == cards - set(WILDS)


def test_the_pad_knows_the_cards_by_which_several_win_a_round() -> None:
    joint = {card for held in EDITIONS.values() for card in held.joint_winner_cards.value}
    asked = set(re.findall(r'card === "([a-z-]+)"', read("pad/views.js")))
    assert asked == joint, "JOINT in pad/views.js names each of them"

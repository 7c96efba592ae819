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


def test_a_wild_whose_name_begins_with_a_color_is_drawn_as_a_wild() -> None:
    begun = {card for card in WILDS if card.startswith(tuple(f"{color}-" for color in COLORS))}
    drawn = set(re.findall(r'card === "([a-z-]+)"', read("core/cards.js")))
    assert drawn == begun, "face() in core/cards.js takes no other for a card of that colour"


def test_the_pad_knows_the_cards_by_which_several_win_a_round() -> None:
    joint = {card for held in EDITIONS.values() for card in held.joint_winner_cards.value}
    asked = set(re.findall(r'card === "([a-z-]+)"', read("pad/views.js")))
    assert asked == joint, "JOINT in pad/views.js names each of them"

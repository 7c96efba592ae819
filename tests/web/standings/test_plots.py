"""Plots are legible on a phone, and to people who can't tell colours apart."""

import re

import pytest

from scorekeeper.web.pictures import PlotFigures, plot, rating_plot

PHONE = 349
"""The width that a phone of 375 pixels leaves for a picture."""
SHEET = 13
"""The size of the letters in a plot, in its own units."""


def drawn(names, rounds):
    columns = tuple(str(number) for number in range(len(names)))
    rows = [(number, (10 * number,) * len(names)) for number in range(1, rounds + 1)]
    return str(plot(PlotFigures(columns, rows), dict(zip(columns, names, strict=True))))


@pytest.mark.parametrize("picture", [drawn(["Ann"], 3), str(rating_plot("Ann", [(25.0, 8.0)]))])
def test_its_letters_are_large_enough_on_a_phone(picture):
    width = int(re.search(r'viewBox="0 0 (\d+) ', picture)[1])
    assert SHEET * PHONE / width >= 10


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ann", "Ann"),
        ("Oma Ida", "Oma Ida"),
        ("歐陽震華", "歐陽震華"),
        ("Featherstonehaugh", "Feathersto…"),
        ("迪士尼米奇與朋友", "迪士尼米奇…"),
    ],
)
def test_a_name_is_not_cut_through_at_its_edge(name, said):
    assert f">{said}</text>" in drawn([name], 3)


@pytest.mark.parametrize(("rounds", "numbers"), [(1, 1), (7, 7), (8, 4), (13, 6), (200, 6)])
def test_numbers_below_it_are_apart(rounds, numbers):
    assert drawn(["Ann"], rounds).count('class="round"') == numbers


@pytest.mark.parametrize(("rounds", "marks"), [(3, 4), (13, 14), (28, 10), (200, 14)])
def test_each_line_has_its_marks_up_to_its_end_and_no_thick_stroke_of_them(rounds, marks):
    picture = drawn(["Ann", "Bo"], rounds)
    lines, marked = (
        [path.split() for path in re.findall(f'class="{kind}" d="M([^"]*)"', picture)]
        for kind in ("line", "marks")
    )
    assert [len(path) for path in lines] == [2 * (rounds + 1)] * 2
    assert [len(path) for path in marked] == [2 * marks] * 2
    assert [path[:2] for path in marked] == [path[-2:] for path in lines]

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


@pytest.mark.parametrize(
    ("totals", "numbers"),
    [
        ((0, 0), [0, 1]),
        ((3, 2), [0, 1, 2, 3]),
        ((132, 63), [0, 20, 40, 60, 80, 100, 120]),
        ((543, 12), [0, 100, 200, 300, 400, 500]),
        ((1413, -1431), [-1000, -500, 0, 500, 1000]),
    ],
)
def test_lines_stand_at_numbers_that_people_count_in(totals, numbers):
    """One of them is 0, where the totals begin."""
    figures = PlotFigures(("a", "b"), [(1, totals)])
    picture = str(plot(figures, {"a": "Ann", "b": "Bo"}))
    assert [
        int(told) for told in re.findall(r'<text x="\d+" y="[\d.]+">(-?\d+)<', picture)
    ] == numbers
    assert picture.count('class="grid"') == len(numbers)


def test_lines_behind_a_rating_stand_at_such_numbers_too():
    picture = str(rating_plot("Ann", [(28.0, 27.0)]))
    told = re.findall(r'<text x="\d+" y="[\d.]+">(-?\d+)<', picture)
    assert told == ["10", "20", "30", "40", "50"]

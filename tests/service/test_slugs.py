"""Slugs that are made of names."""

from itertools import islice
from re import fullmatch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.slugs import in_slug, slugs_for


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Oma Ida", "oma-ida"),
        ("Zoë", "zoe"),
        ("Jürgen Groß", "jurgen-gross"),
        ("Søren Ærø", "soren-aero"),
        ("Łukasz", "lukasz"),
        ("Þóra", "thora"),
        ("İrem Işık", "irem-isik"),
        ("D'Arcy O’Neill", "darcy-oneill"),
        ("  --Ann__Bo.. ", "ann-bo"),
        ("Ａｎｎ", "ann"),
        ("美美 Anna", "anna"),
        ("2024", "2024"),
    ],
)
def test_a_slug_keeps_the_name(name, slug):
    assert in_slug(name) == slug
    assert list(islice(slugs_for("player", name, None), 3)) == [slug, f"{slug}-2", f"{slug}-3"]


@pytest.mark.parametrize("name", ["美美", "Мария", "美美2", "🂡", "–"])
def test_a_name_of_which_too_little_would_be_left_gets_a_slug_of_its_own(name):
    assert in_slug(name) is None
    (slug,) = slugs_for("player", name, None)
    assert fullmatch("player-[0-9a-f]{10}", slug)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_whatever_the_name_slugs_are_slugs_and_the_last_one_is_new(name):
    made, again = list(slugs_for("league", name, None)), list(slugs_for("league", name, None))
    assert len(set(made)) == len(made)
    assert all(fullmatch(SLUG, slug) for slug in made)
    assert made[:-1] == again[:-1]
    assert made[-1] != again[-1]

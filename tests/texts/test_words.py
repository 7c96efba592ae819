"""The names of people and cards in a sentence, and how much of a long fact is shown."""

import pytest

from scorekeeper.texts.words import PLAIN, Words, people_named_in, worded, words_of

CALLED = Words(people={"ann": "Ann B.", "red": "Red Sonja"})


@pytest.mark.parametrize(
    ("template", "facts", "expected"),
    [
        ("{player} disputes: {claim}", {"player": "ann", "claim": "ann"}, "Ann B. disputes: ann"),
        ("{players}", {"players": ("ann", "bo")}, "Ann B., bo"),
        ("{teams}", {"teams": (("ann", "bo"), ("cy", "red"))}, "(Ann B., bo), (cy, Red Sonja)"),
        (
            "{color}, {top}, {by}",
            {"color": "red", "top": "red", "by": "red"},
            "red, red, Red Sonja",
        ),
        ("{nearest}", {"nearest": ["ann", "bo"]}, "ann or bo"),
        ("{players}", {"players": ()}, "–"),
        ("{player}", {}, "–"),
    ],
)
def test_people_have_their_names_where_people_are_meant(template, facts, expected):
    assert worded(template, facts, "en", CALLED) == expected


def test_whoever_sits_in_is_meant_by_the_column():
    seated = PLAIN.seated({"bo": "zoe"})
    assert (seated.person("bo"), seated.person("zoe")) == ("zoe", "zoe")
    named = seated.calling({"zoe": "Zoe", "cy": "Cy"})
    assert [named.person(who) for who in ("bo", "zoe", "cy")] == ["Zoe", "Zoe", "Cy"]
    assert seated.calling({}).person("bo") == "zoe"
    assert words_of("mario").seated({"bo": "zoe"}).term("wild", "zh-TW") == words_of("mario").term(
        "wild", "zh-TW"
    )
    assert words_of("mario").calling({"bo": "Bo"}).card("wild", "zh-TW") != "wild"


def test_only_facts_about_people_name_people():
    facts = {"player": "ann", "teams": [["bo", "cy"]], "claim": "di", "card": "red-5", "to": None}
    assert sorted(people_named_in(facts)) == ["ann", "bo", "cy"]


def test_a_substitute_is_a_person_and_no_column():
    """Ann's column is bo's to play, and it is ann who is asked for."""
    seated = PLAIN.seated({"ann": "bo"})
    facts = {"player": "ann", "substitute": "ann"}
    assert worded("{player}, {substitute}", facts, "en", seated) == "bo, ann"
    named = seated.calling({"ann": "Ann", "bo": "Bo"})
    assert worded("{player}, {substitute}", facts, "en", named) == "Bo, Ann"


@pytest.mark.parametrize(
    ("card", "language", "in_a_sentence", "by_itself"),
    [
        ("red-9", "en", "red-9", "red 9"),
        ("red-9", "zh-TW", "紅色 9", "紅色 9"),
        ("red-skip", "zh-TW", "紅色跳過", "紅色跳過"),
        ("red-moon", "zh-TW", "red-moon", "red-moon"),
        ("dark-moon", "zh-TW", "dark-moon", "dark-moon"),
        ("red", "zh-TW", "紅色", "紅色"),
    ],
)
def test_a_card_is_called_by_colour_and_symbol(card, language, in_a_sentence, by_itself):
    words = words_of("basic")
    assert (words.card(card, language), words.face(card, language)) == (in_a_sentence, by_itself)


@pytest.mark.parametrize(
    ("fact", "bounded", "whole"),
    [
        ("x" * 80, "x" * 80, "x" * 80),
        ("x" * 81, "x" * 79 + "…", "x" * 81),
        (["a"] * 12, ", ".join("a" * 12), ", ".join("a" * 12)),
        (["a"] * 13, ", ".join("a" * 12) + ", …", ", ".join("a" * 13)),
        (10**18 - 1, "9" * 18, "9" * 18),
        (1 - 10**18, "-" + "9" * 18, "-" + "9" * 18),
        (10**18, "…", "…"),
    ],
)
def test_so_much_of_a_fact_stands_in_a_sentence(fact, bounded, whole):
    assert worded("{text}", {"text": fact}, "en") == bounded
    assert worded("{text}", {"text": fact}, "en", whole=True) == whole


@pytest.mark.parametrize(
    ("template", "fact", "expected"),
    [
        ("共{n}張", 7, "共 7 張"),
        ("共{n}張", "七", "共七張"),
        ("（{n}張）", 7, "（7 張）"),
        ("共{n}。", 7, "共 7。"),
        ("共{n}張", "7七", "共 7七張"),
        ("共{n}張", "七7", "共七7 張"),
    ],
)
def test_a_number_stands_apart_from_the_chinese_characters_beside_it(template, fact, expected):
    assert worded(template, {"n": fact}, "zh-TW") == expected

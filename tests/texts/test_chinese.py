"""Traditional Chinese: punctuation, points with their unit, one word for a round."""

import re
from collections.abc import Iterator

import pytest

from scorekeeper.editions.registry import EDITIONS, WORDS
from scorekeeper.rules.cards import face
from scorekeeper.rules.edition import Edition
from scorekeeper.texts.explanations import EXPLANATIONS, LABELS, explanation
from scorekeeper.texts.language import CATALOGS
from scorekeeper.texts.message import TITLES
from scorekeeper.texts.pages import PAGE_CATALOGS as PAGES
from scorekeeper.texts.templates import MESSAGES
from scorekeeper.texts.words import TERM, words_of
from tests.texts.terms import TERMS

CATALOG = CATALOGS["zh-TW"]
POINTS = re.compile(r"\{(points|score|total|target)\}(?! 分)")
HAN = "[\u3400-\u9fff]"
HALF_WIDTH = re.compile(rf"{HAN}\s?[,.:;()?!]|[,.:;()?!]\s?{HAN}|}}[,;()?!]|[,:;()?!]{{")
A_ROUND = re.compile("局|回合")
# Second words for an idea that has another word here: to amend, request, sit in, take over, open;
# the table, a season, as recorded, legal, as the table played it; the measure word of an amendment;
# the first card, to pass, to give a card, the box, a version, a partner.
SECOND_WORDS = re.compile(
    "修正|要求|替補|接手|開局|排名表|年度|原紀錄|合規(?!則)|牌桌就是|個更正"
    r"|首牌|過一次|贈牌|這副牌|隊友|第 (?:1 到 )?\{(?:version|count)\} 版"
)


def texts_of_editions() -> Iterator[str]:
    for edition in EDITIONS.values():
        yield edition.name.zh_tw
        yield from (clause.text.zh_tw for clause in edition.clauses)
    for words in WORDS.values():
        yield from words.values()


def test_punctuation_is_full_width() -> None:
    texts = [*CATALOG.values(), *PAGES["zh-TW"].values(), *texts_of_editions()]
    assert HALF_WIDTH.search("由 {player} 先出, 共 7 張")
    assert len(texts) > 1400
    assert [text for text in texts if HALF_WIDTH.search(text)] == []


def test_numbers_and_latin_words_stand_apart() -> None:
    facts = {"player": "ann", "by": "bo", "card": "red-5", "clause": "B-MISPLAY"}
    words = words_of("basic")
    assert explanation("misplay", facts, "zh-TW", words).startswith("bo 指出 ann 出紅色 5 出錯了")
    skip = facts | {"card": "red-skip"}
    assert explanation("misplay", skip, "zh-TW", words).startswith("bo 指出 ann 出紅色跳過出錯了")
    blank = facts | {"card": "blank"}
    assert explanation("misplay", blank, "zh-TW", words).startswith("bo 指出 ann 出 blank 出錯了")


def test_names_and_numbers_stand_apart_on_pages() -> None:
    """Pages put no spaces of their own. Names of cards are Chinese."""
    touches = re.compile(rf"{HAN}{{(?!card)|{{(?!card)[a-z_]+}}{HAN}")
    assert touches.search("輪到{name}") and touches.search("{name}出{card}")
    assert not touches.search("{name} 出{card}嗎")
    assert [text for text in PAGES["zh-TW"].values() if touches.search(text)] == []


@pytest.mark.parametrize(
    ("reason", "english", "chinese"),
    [
        ("It got late.", "is abandoned: It got late.", "比賽中止：It got late."),
        ("It got late", "is abandoned: It got late.", "比賽中止：It got late。"),
        ("Late, again?", "is abandoned: Late, again?", "比賽中止：Late, again?"),
        ("太晚了。", "is abandoned: 太晚了。", "比賽中止：太晚了。"),
    ],
)
def test_what_people_wrote_ends_its_sentence_once(reason: str, english: str, chinese: str) -> None:
    assert explanation("abandoned", {"reason": reason}, "en").endswith(english)
    assert explanation("abandoned", {"reason": reason}, "zh-TW") == chinese


def test_points_stand_with_their_unit() -> None:
    texts = [text for text in CATALOG.values() if "{points}" in text or "{score}" in text]
    assert len(texts) > 15
    assert [text for text in CATALOG.values() if POINTS.search(text)] == []


def test_a_round_has_one_word() -> None:
    """A turn has no word of its own here, since two booklets use that word for a round."""
    sayings = [text.replace("出局", "") for text in CATALOG.values()]
    assert sum("輪" in text for text in sayings) > 25
    assert [text for text in sayings if A_ROUND.search(text)] == []


def test_one_idea_has_one_word_on_pages_and_elsewhere() -> None:
    texts = (*CATALOG.values(), *PAGES["zh-TW"].values())
    assert [text for text in texts if SECOND_WORDS.search(text)] == []
    assert "輪" not in PAGES["zh-TW"]["A turn is left out"]
    clauses = [t for english, t in PAGES["zh-TW"].items() if "clause" in english.lower()]
    assert [text for text in clauses if "條文" not in text] == []
    modes = [t for english, t in PAGES["zh-TW"].items() if english.startswith("Plus and minus")]
    assert [text for text in modes if not text.startswith("正負分")] == []


def test_a_violation_names_the_button_that_records_it_all_the_same() -> None:
    refused = "The rules of this edition forbid this. It can be recorded as played."
    assert PAGES["zh-TW"]["It was played so"] in CATALOG[refused]


@pytest.mark.parametrize(
    ("english", "beyond"),
    [
        # A player who is caught too late did forget the call, so the text may not deny it.
        (EXPLANATIONS["caught-in-vain"], "並未漏喊"),
        # The text is about the order of recording, not about when events happened at the table.
        (
            "A recorded event stands behind a new one, or behind one that was recorded after it.",
            "發生",
        ),
    ],
)
def test_no_more_is_said_than_in_english(english: str, beyond: str) -> None:
    assert beyond not in CATALOG[english]


def test_only_things_of_the_game_are_called_as_the_booklet_has_them() -> None:
    asked = {term for text in CATALOG.values() for term in TERM.findall(text)}
    assert {"draw pile", "dealer", "challenges"} < asked <= set(TERMS)
    for english in (*EXPLANATIONS.values(), *LABELS.values(), *TITLES.values()):
        assert not TERM.search(english)
    assert not any(TERM.search(each) for wordings in MESSAGES.values() for each in wordings)
    assert not any(TERM.search(CATALOG[title]) for title in TITLES.values())


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.id)
def test_each_booklet_has_a_word_for_each_card_colour_and_thing(edition: Edition) -> None:
    printed = {face(card) for card in edition.deck.value}
    symbols = {one.symbol for one in printed if not one.is_number}
    things = set(TERMS[TERMS.index("any wild") :]) | {"clockwise", "counter-clockwise"}
    wanted = {*symbols, *edition.colors.value, *things}
    # Only two booklets have cards that lay off other cards, so not every one has this word.
    assert set(WORDS[edition.id]) | {"lays off"} == wanted


def test_words_belong_to_no_revision() -> None:
    assert {edition for edition, _ in EDITIONS} == set(WORDS)

"""The pages of a match name things as its booklet and its replay do."""

import json
import re

import pytest

from scorekeeper.editions.registry import edition_ids
from scorekeeper.texts.pages import PAGE_CATALOGS
from scorekeeper.texts.words import TERM, words_of
from scorekeeper.web.page import texts_of
from tests.web.words.test_texts import MODULES, NAMES, said_in

KNOWING = {"cards/page.js", "replay/page.js"}
PRESSED = "Challenge"


@pytest.fixture(scope="module")
def league(served):
    found = served.league()
    for edition in edition_ids():
        match = found.match(match=edition, edition=edition, dealer="ann")
        match.tell({"type": "round_started"})
    return found


def words(league, path, language):
    answer = league.served.ask(
        "GET",
        f"/l/{league.slug}/m/{path}",
        token=league.scorekeeper.token,
        headers={"accept-language": language},
    )
    assert answer.status_code == 200
    (block,) = re.findall(r'<script [^>]*id="words">(.*?)</script>', answer.text)
    return json.loads(block)


@pytest.mark.parametrize("edition", edition_ids())
def test_a_challenge_and_a_dealer_are_called_as_in_the_booklet(league, edition):
    booklet = words_of(edition)
    challenge, king, dealer = (
        booklet.term(term, "zh-TW") for term in ("challenges", "wild-draw-four", "dealer")
    )
    said = words(league, f"{edition}/cards", "zh-TW")
    assert said[PRESSED] == challenge
    assert said["Wild draw four challenged"] == challenge + king
    assert said["Dealer"] == words(league, f"{edition}/r/1", "zh-TW")["Dealer"] == dealer
    assert not any(TERM.search(text) for text in said.values())


def test_english_is_as_it_is_written(league):
    assert words(league, "hello-kitty/cards", "en") == {}


def test_only_pages_that_know_the_booklet_ask_for_its_words():
    asking = {english for english, text in PAGE_CATALOGS["zh-TW"].items() if TERM.search(text)}
    others = {name for name in MODULES if name.endswith("/page.js")} - KNOWING
    unknowing = {text for name in others for text in texts_of(name)}
    assert PRESSED in asking
    assert not asking & {*unknowing, *(text for name in NAMES for text in said_in(name))}

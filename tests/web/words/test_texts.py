"""Every text of a page exists in every language, and is found by the extraction."""

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from scorekeeper.texts.language import CONVENTIONS, DEFAULT, LANGUAGES
from scorekeeper.texts.pages import PAGE_CATALOGS, words_for
from scorekeeper.texts.words import PLACEHOLDER, PLAIN
from scorekeeper.web.page import texts_of
from scorekeeper.web.static_files import STATIC

TEMPLATES = Path(str(files("scorekeeper.web").joinpath("templates")))
NAMES = sorted(each.relative_to(TEMPLATES).as_posix() for each in TEMPLATES.rglob("*.html"))
MODULES = [name for name in STATIC if name.endswith(".js") and not name.startswith("vendor/")]
SAYING = {"say": 0, "count": 1}
# This is the same in every language.
AS_THEY_ARE = {"K7QF-2M9X"}
each_translation = pytest.mark.parametrize(
    "language", [each for each in LANGUAGES if each != DEFAULT]
)


def source(name):
    return TEMPLATES.joinpath(name).read_text(encoding="utf-8")


def said_in(name):
    """The English texts of a template; each stands as a literal."""
    for call in Environment(autoescape=True).parse(source(name)).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in SAYING:
            said = call.args[SAYING[call.node.name]]
            assert isinstance(said, nodes.Const), (name, call.lineno)
            yield said.value


def everything_said():
    return {
        *(text for name in NAMES for text in said_in(name)),
        *(text for name in MODULES for text in texts_of(name)),
    }


@each_translation
def test_every_text_is_translated_with_the_same_places(language):
    for english in everything_said():
        translated = PAGE_CATALOGS[language].get(english)
        assert translated, f"locale/{CONVENTIONS[language].locale}.pages.po lacks: {english}"
        assert sorted(PLACEHOLDER.findall(translated)) == sorted(PLACEHOLDER.findall(english))


@each_translation
def test_the_catalog_holds_nothing_that_no_page_says(language):
    assert set(PAGE_CATALOGS[language]) == everything_said()


def test_a_page_is_the_same_in_each_process():
    """Each process orders sets differently."""
    said = list(words_for(everything_said(), "zh-TW", PLAIN))
    assert said == sorted(said)


@pytest.mark.parametrize("name", NAMES)
def test_a_template_has_no_bare_text(name):
    bare = re.sub(r"\{[{%#].*?[%}#]\}", " ", source(name), flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', bare)
    between = re.sub(r"<[^>]*>", "\n", bare).split("\n")
    texts = {text.strip() for text in [*attributes, *between]}
    assert {text for text in texts if re.search(r"[A-Za-z\u4e00-\u9fff]", text)} <= AS_THEY_ARE


@pytest.mark.parametrize("name", NAMES)
def test_a_template_ends_no_sentence_by_itself(name):
    """Languages have different punctuation."""
    assert re.findall(r"""(?:</\w+>|["']\) \}\})\s*[.,:;!?](?=\s|<)""", source(name)) == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_literals_only(name):
    if name == "core/given.js":
        return
    calls = re.findall(r"\b(?:say|count)\((.*)", STATIC.text(name))
    assert all(re.match(r'"|[^"]*, "', call) for call in calls)


def test_what_would_change_is_called_by_words_of_its_own():
    """One English word in a link or behind a star can need two Chinese words."""
    labels = set(words_for(texts_of("replay/changes.js"), "zh-TW", PLAIN).values())
    assert labels >= {"得分", "已分出勝負", "手上剩的"}
    assert not labels & {"計分", "獲勝", "罰分"}


@each_translation
@pytest.mark.parametrize("ending", [".po", ".pages.po"])
def test_no_text_stands_twice_in_a_catalog(language, ending):
    """Only one of two translations would ever be read."""
    name = f"{CONVENTIONS[language].locale}{ending}"
    text = files("scorekeeper.texts").joinpath("locale", name).read_text(encoding="utf-8")
    told = re.findall(r'^(?:msgctxt "(.*)"\n)?msgid "(.+)"$', text, re.MULTILINE)
    assert [each for each, times in Counter(told).items() if times > 1] == []

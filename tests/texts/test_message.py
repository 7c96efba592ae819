import ast
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import match
from scorekeeper.api.problems import Code as ProblemCode
from scorekeeper.match.events.events import Event
from scorekeeper.match.events.refusal import Bound, BreachReason, Reason, RefusalCode
from scorekeeper.texts.explanations import (
    AUDIT,
    EXPLANATIONS,
    LABELS,
    audit_line,
    explanation,
)
from scorekeeper.texts.guide import GUIDE
from scorekeeper.texts.language import CATALOGS, CONVENTIONS, DEFAULT, LANGUAGES, Language
from scorekeeper.texts.message import BREACH, FALLBACK, TITLES, message, problem_detail, title
from scorekeeper.texts.request_templates import (
    DID_YOU_MEAN,
    IMPORT_MESSAGES,
    REQUEST_MESSAGES,
)
from scorekeeper.texts.singular import SINGULAR
from scorekeeper.texts.templates import MESSAGES
from scorekeeper.texts.words import EVENTS, PLACEHOLDER
from tests.syntax_trees import syntax_tree
from tests.texts.terms import REQUEST_TERMS, TERMS

each_language = pytest.mark.parametrize("language", LANGUAGES)
TEMPLATES = [
    *(wording for wordings in MESSAGES.values() for wording in wordings),
    *TITLES.values(),
    *EXPLANATIONS.values(),
    *TERMS,
    *EVENTS.values(),
    *LABELS.values(),
    *AUDIT.values(),
    *(wording for wordings in REQUEST_MESSAGES.values() for wording in wordings),
    *REQUEST_TERMS,
    *(wording for wordings in IMPORT_MESSAGES.values() for wording in wordings),
    *GUIDE.values(),
    DID_YOU_MEAN,
    BREACH,
    FALLBACK,
]

each_translation = pytest.mark.parametrize(
    "language", [each for each in LANGUAGES if each != DEFAULT]
)


def test_what_an_amendment_puts_in_is_told_in_words() -> None:
    assert set(EVENTS) == {each.__struct_config__.tag for each in get_args(Event)}
    facts = {"first": 5, "types": ("cards_drawn", "uno_called")}
    assert explanation("amended-in", facts, "en") == (
        "Before entry 5 this is to be read: a draw, a call of UNO."
    )
    assert explanation("amended-in", facts, "zh-TW") == "在第 5 筆之前補上：抽牌、喊 UNO。"


def test_what_there_is_one_of_is_told_in_the_singular() -> None:
    assert set(TEMPLATES) >= SINGULAR.keys()
    for english, (fact, one) in SINGULAR.items():
        assert fact in PLACEHOLDER.findall(english)
        assert PLACEHOLDER.findall(english) == PLACEHOLDER.findall(one)
    facts = {"points": 1, "clause": "B-POINTS"}
    assert explanation("worth", facts, "en") == "It is worth 1 point (B-POINTS)."
    assert explanation("worth", facts, "zh-TW") == "共 1 分（B-POINTS）。"
    assert explanation("amended-back", {"versions": ("6",)}, "en") == "Withdrawn: amendment 6."
    drawn = {"player": "bo", "count": 1, "allowed": 0, "clause": "B-DRAW"}
    assert message("rule-violation", "too-many-drawn", drawn, "en") == (
        "bo draws 1 card where 0 can be drawn (B-DRAW)."
    )


@pytest.mark.parametrize(
    ("code", "reason", "facts", "told"),
    [
        (
            "players-not-schedulable",
            None,
            {"count": 1, "nearest": [4]},
            "No schedule of rotating partners is known for 1; there is one for 4.",
        ),
        (
            "rule-violation",
            "too-few-drawn",
            {"player": "bo", "count": 0, "allowed": 1, "clause": "B-MISPLAY"},
            "bo draws 0 of the 1 card that is due (B-MISPLAY).",
        ),
        (
            "impossible-event",
            "hand-missing",
            {"players": ("bo",)},
            "The hand of this player is missing: bo.",
        ),
        (
            "too-many-requests",
            "token",
            {"seconds": 1},
            "This token has asked too often. Wait for 1 second.",
        ),
        (
            "rows-refused",
            "bad-rows",
            {"lines": [7]},
            (
                "Nothing was imported, for a row is bad: line 7. Import without its match, or put "
                "it right."
            ),
        ),
        (
            "not-erasable",
            "league-entry",
            {"positions": [1]},
            (
                "This entry can't be erased: 1. It says who is in the league or what was erased, "
                "and nothing of a person."
            ),
        ),
    ],
)
def test_a_refusal_over_one_thing_speaks_of_one(
    code: str, reason: str | None, facts: dict[str, Any], told: str
) -> None:
    assert message(code, reason, facts, "en") == told


def test_an_audit_of_one_entry_speaks_of_one() -> None:
    told = [audit_line(check, "en", {"count": 1}) for check in ("chain", "contiguity")]
    assert told == [
        "Every header links to the one before it, over 1 entry.",
        "The only version, 1, is there.",
    ]


def reasons_with_facts() -> Iterator[tuple[str, set[str]]]:
    """Yield reason and fact names of each `impossible("reason", fact=…)` in the decider."""
    for path in sorted(Path(str(match.__file__)).parent.rglob("*.py")):
        for node in ast.walk(syntax_tree(path)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "impossible" and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value), {str(keyword.arg) for keyword in node.keywords}


@each_translation
def test_every_template_is_translated_with_the_same_placeholders(language: Language) -> None:
    for english in TEMPLATES:
        translated = CATALOGS[language].get(english)
        assert translated, f"locale/{CONVENTIONS[language].locale}.po lacks: {english}"
        assert translated != english
        assert sorted(PLACEHOLDER.findall(translated)) == sorted(PLACEHOLDER.findall(english))
        assert "{" not in PLACEHOLDER.sub("", english + translated)


@each_translation
def test_the_catalog_holds_nothing_that_nobody_says(language: Language) -> None:
    assert set(CATALOGS[language]) - set(TEMPLATES) == set()


@each_translation
def test_the_catalog_is_finished_and_read_as_babel_reads_it(language: Language) -> None:
    locale = CONVENTIONS[language].locale
    source = files("scorekeeper.texts").joinpath("locale", f"{locale}.po").read_bytes()
    catalog = read_po(BytesIO(source), locale=locale, abort_invalid=True)
    assert len(catalog) == len(CATALOGS[language])
    assert not catalog.obsolete
    for entry in catalog:
        assert not list(entry.check(catalog))


def test_every_refusal_and_violation_of_the_decider_has_a_message() -> None:
    alone = set(get_args(RefusalCode)) - {"impossible-event"}
    told = {
        *((code, None) for code in alone),
        *(("impossible-event", reason) for reason in get_args(Reason)),
        *(("too-many-amendments", bound) for bound in get_args(Bound)),
        *(("rule-violation", breach) for breach in get_args(BreachReason)),
    }
    by_the_service = {
        ("player-not-registered", None),
        ("edition-unknown", None),
        ("undo-would-void", None),
    }
    assert set(MESSAGES) == told | by_the_service


def test_a_reason_is_told_with_the_facts_that_the_decider_gives() -> None:
    found = list(reasons_with_facts())
    assert len({reason for reason, _ in found}) > 15
    for reason, facts in found:
        wordings = MESSAGES["impossible-event", reason]
        assert any(set(PLACEHOLDER.findall(wording)) <= facts for wording in wordings), reason


def test_every_problem_has_a_title() -> None:
    assert {code.value: code.title for code in ProblemCode} == TITLES


@each_language
def test_titles_of_different_problems_differ(language: Language) -> None:
    assert len({title(code, language) for code in TITLES}) == len(TITLES)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Not registered in this league: ann, bo."),
        ("zh-TW", "以下玩家尚未在這個聯盟登記：ann、bo。"),
    ],
)
def test_facts_stand_in_the_sentence(language: Language, told: str) -> None:
    assert message("player-not-registered", None, {"players": ["ann", "bo"]}, language) == told


@pytest.mark.clause("B-MATCH")
def test_cards_and_colours_are_called_as_people_call_them() -> None:
    facts = {
        "player": "ann",
        "card": "green-7",
        "top_card": "wild-draw-four",
        "named_color": "red",
        "clause": "B-MATCH",
    }
    told = message("rule-violation", "card-does-not-match", facts, "zh-TW")
    assert told.startswith("「綠色 7」與「萬用抽四張牌」（指定紅色）不相配（B-MATCH）")
    wanted = {"color": "pink", "colors": ["red", "green"]}
    told = message("impossible-event", "color-not-in-edition", wanted, "zh-TW")
    assert told == "這個版本沒有「粉紅色」這個顏色，只有：紅色、綠色。"


def test_an_event_and_a_phase_are_called_by_words() -> None:
    facts = {"type": "seats_changed", "phase": "playing"}
    told = message("impossible-event", "wrong-phase", facts, "zh-TW")
    assert told == "現在不能記錄「換座位」：比賽目前的階段是「進行中」。"
    assert message("impossible-event", "wrong-phase", facts, "en").startswith("seats_changed can't")
    ruled = {"entry": 9, "type": "dispute_ruled"}
    told = message("nothing-to-undo", None, ruled, "zh-TW")
    assert told == "紀錄 9（裁決）不會被收回，也不會改為收回更早的紀錄。"
    assert audit_line("voided", "zh-TW", {"type": "uno_called"}) == (
        "依目前的紀錄，這項「喊 UNO」不可能發生，因此略過不計。"
    )


def test_a_number_of_cards_is_no_card() -> None:
    facts = {"player": "ann", "cards": 1, "book": 7, "clause": "X-COUNT"}
    told = message("rule-violation", "cards-left", facts, "zh-TW")
    assert told == "回報 ann 有 1 張牌，但依紀錄應為 7 張（X-COUNT）。"


def test_teams_stand_in_parentheses() -> None:
    teams = (("ann", "cy"), ("bo", "di"))
    assert message("teams-invalid", None, {"teams": teams}, "en").endswith("(ann, cy), (bo, di).")


def test_the_wording_is_the_one_whose_facts_are_known() -> None:
    facts = {"player": "bo", "points": 3, "cards_left": None}
    without = message("impossible-event", "points-impossible", facts, "en")
    counted = message("impossible-event", "points-impossible", {**facts, "cards_left": 1}, "en")
    assert without == "No hand that bo can hold is worth 3 points."
    assert counted == "The 3 points of bo can't come from a hand of 1."


@pytest.mark.parametrize(
    ("template", "facts", "told"),
    [
        ("No such league: {slug}.", {"slug": "mond"}, "No such league: mond."),
        ("No such league: {slug}.", {"slug": "mond", "nearest": []}, "No such league: mond."),
        (
            "No such league: {slug}.",
            {"slug": "mond", "nearest": ["monday", "moon"]},
            "No such league: mond. Did you mean monday or moon?",
        ),
        ("{count}; {nearest} work.", {"count": 3, "nearest": [4, 8]}, "3; 4 or 8 work."),
    ],
)
def test_what_was_meant_is_asked_once(template: str, facts: dict[str, Any], told: str) -> None:
    assert problem_detail(template, facts, "en") == told


def test_long_facts_are_cut() -> None:
    many = message("player-not-registered", None, {"players": ["x" * 500] * 40}, "en")
    assert len(many) < 1200
    assert many.endswith("….")


@pytest.mark.clause("B-KEEP")
@each_language
def test_a_breach_without_words_of_its_own_names_its_clause(language: Language) -> None:
    assert "B-KEEP" in message("rule-violation", "unheard-of", {"clause": "B-KEEP"}, language)


@each_language
def test_without_the_facts_the_title_is_said(language: Language) -> None:
    for code, reason in MESSAGES:
        told = message(code, reason, {}, language)
        assert told
        assert not PLACEHOLDER.search(told)
    assert message("impossible-event", "card-not-in-box", {}, language) == title(
        "impossible-event", language
    )
    assert message("unheard-of", None, {}, language) == title("unheard-of", language)


_FACTS: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
    max_leaves=20,
)
_NAMES = sorted({name for template in TEMPLATES for name in PLACEHOLDER.findall(template)})


@settings(deadline=None)
@given(
    st.sampled_from(sorted(MESSAGES, key=str)),
    st.dictionaries(st.sampled_from(_NAMES), _FACTS),
    st.sampled_from(LANGUAGES),
)
def test_no_fact_can_break_a_message(
    key: tuple[str, str | None], facts: dict[str, Any], language: Language
) -> None:
    assert message(*key, facts, language)


def test_a_number_too_large_to_print_breaks_nothing() -> None:
    facts = {"player": "bo", "points": 10**9000, "cards_left": 1}
    assert "…" in message("impossible-event", "points-impossible", facts, "en")


def test_a_card_that_does_not_match_is_told_as_at_a_table() -> None:
    facts = {"clause": "M-MATCH", "card": "red-7", "top_card": "blue-skip"}
    told = {
        language: message("rule-violation", "card-does-not-match", facts, language)
        for language in LANGUAGES
    }
    assert told["en"] == (
        "red-7 does not match blue-skip (M-MATCH): same colour, number or symbol, or a wild."
    )
    assert "M-MATCH" in told["zh-TW"]
    assert "紅" in told["zh-TW"]

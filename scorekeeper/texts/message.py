"""The message of a refusal, a violation or a problem, in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Final

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.explanation import joined
from scorekeeper.texts.facts import PLACEHOLDER, worded
from scorekeeper.texts.import_templates import IMPORT_MESSAGES
from scorekeeper.texts.language import Language
from scorekeeper.texts.request_templates import DID_YOU_MEAN, REQUEST_MESSAGES
from scorekeeper.texts.templates import BREACH, FALLBACK, MESSAGES, TITLES
from scorekeeper.texts.words import PLAIN, Words

_MESSAGES: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    **MESSAGES,
    **REQUEST_MESSAGES,
}


def wording(code: str, reason: str | None, facts: Mapping[str, object]) -> str:
    """The English template that says most with these facts."""
    wordings: tuple[str, ...] = (
        *_MESSAGES.get((code, reason), ()),
        *((BREACH,) if code == "rule-violation" else ()),
        *_MESSAGES.get((code, None), ()),
    )
    return _first_known(wordings, facts) or TITLES.get(code, FALLBACK)


def _first_known(wordings: Iterable[str], facts: Mapping[str, object]) -> str | None:
    """The first wording whose facts are all known."""
    for each in wordings:
        if all(facts.get(name) is not None for name in PLACEHOLDER.findall(each)):
            return each
    return None


def message(
    code: str,
    reason: str | None,
    facts: Mapping[str, object],
    language: Language,
    words: Words = PLAIN,
) -> str:
    """One sentence or two for a person; never raises, whatever the facts are."""
    return worded(translate(wording(code, reason, facts), language), facts, language, words)


def import_message(
    reason: str, facts: Mapping[str, object], language: Language, *, whole: bool = False
) -> str:
    """What is to be said of a spreadsheet, without a stop; `whole`: however long its cells are."""
    english = _first_known(IMPORT_MESSAGES[reason], facts) or FALLBACK
    return worded(translate(english, language), facts, language, whole=whole)


def problem_detail(
    template: str, facts: Mapping[str, object], language: Language, words: Words = PLAIN
) -> str:
    """An English template as it is told to a person, who may have meant the fact `nearest`."""
    told = worded(translate(template, language), facts, language, words)
    if not facts.get("nearest") or "{nearest}" in template:
        return told
    return joined([told, worded(translate(DID_YOU_MEAN, language), facts, language)], language)


def title(problem_code: str, language: Language) -> str:
    """What all problems of one code have in common."""
    return translate(TITLES.get(problem_code, FALLBACK), language)

"""What people are told of a refusal, a violation or a problem."""

from collections.abc import Mapping

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.facts import PLACEHOLDER, worded
from scorekeeper.texts.language import Language
from scorekeeper.texts.templates import BREACH, FALLBACK, MESSAGES, TITLES
from scorekeeper.texts.words import PLAIN, Words


def message(
    code: str,
    reason: str | None,
    facts: Mapping[str, object],
    language: Language,
    words: Words = PLAIN,
) -> str:
    """One sentence or two for a person; never raises, whatever the facts are."""
    wordings = (
        *MESSAGES.get((code, reason), ()),
        *((BREACH,) if code == "rule-violation" else ()),
        *MESSAGES.get((code, None), ()),
    )
    for wording in wordings:
        if all(facts.get(name) is not None for name in PLACEHOLDER.findall(wording)):
            return worded(translate(wording, language), facts, language, words)
    return translate(TITLES.get(code, FALLBACK), language)


def title(problem_code: str, language: Language) -> str:
    """What all problems of one code have in common."""
    return translate(TITLES.get(problem_code, FALLBACK), language)

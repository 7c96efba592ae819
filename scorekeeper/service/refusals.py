"""What the decider refuses, in words for the caller."""

from collections.abc import Collection

from scorekeeper.match.refusal import Refusal
from scorekeeper.service.appended import violation_views
from scorekeeper.service.refused import Refused
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message
from scorekeeper.texts.words import PLAIN, Words


def from_refusal(
    refusal: Refusal, language: Language, words: Words = PLAIN, *, first_index: int = 0
) -> Refused:
    """The request's events count from `first_index`."""
    index = None if refusal.event_index is None else first_index + refusal.event_index
    violations = violation_views(
        refusal.violations, first_index=first_index, language=language, words=words
    )
    return Refused(
        refusal.code,
        message(refusal.code, refusal.reason, refusal.facts, language, words),
        reason=refusal.reason,
        event_index=index,
        facts=dict(refusal.facts),
        violations=violations or None,
    )


def unknown_edition(edition: str, language: Language) -> Refused:
    """No booklet has this id."""
    facts = {"edition": edition}
    detail = message("edition-unknown", None, facts, language)
    return Refused("edition-unknown", detail, facts=facts)


def unregistered(
    players: Collection[str], language: Language, *, event_index: int | None = None
) -> Refused:
    """Somebody who is not registered in the league."""
    facts = {"players": sorted(players)}
    return Refused(
        "player-not-registered",
        message("player-not-registered", None, facts, language),
        event_index=event_index,
        facts=facts,
    )

"""What the decider refuses, in words for the caller."""

from collections.abc import Collection, Iterable, Mapping
from typing import cast

from scorekeeper.editions.registry import edition_ids
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.service.matches.nearest import near, nearest
from scorekeeper.service.reading.append_presenter import violation_views
from scorekeeper.service.refused import Refused
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLAIN, Words

_MOST_LOOKED_UP = 10


def from_refusal(
    refusal: Refusal,
    language: Language,
    words: Words = PLAIN,
    *,
    first_index: int = 0,
    cards: Iterable[str] = (),
    players: Iterable[str] = (),
) -> Refused:
    """The request's events count from `first_index`.

    `cards` are those of the box, `players` those who take part: a name that is none of them may be
    meant for one that is.
    """
    index = None if refusal.event_index is None else first_index + refusal.event_index
    violations = violation_views(
        refusal.violations, first_index=first_index, language=language, words=words
    )
    return Refused(
        refusal.code,
        reason=refusal.reason,
        facts={**refusal.facts, **_meant(refusal, cards, players)},
        event_index=index,
        violations=violations or None,
        words=words,
    )


def _meant(refusal: Refusal, cards: Iterable[str], players: Iterable[str]) -> Mapping[str, object]:
    match (refusal.reason or refusal.code, dict(refusal.facts)):
        case ("card-not-in-box", {"card": str(card)}):
            return near(card, cards)
        case ("color-not-in-edition", {"color": str(color), "colors": colors}):
            return near(color, cast("Iterable[str]", colors))
        case ("dealer-not-in-match", {"dealer": str(player)}):
            return near(player, players)
        case ("player-not-in-match" | "player-not-in-tournament", {"player": str(player)}):
            return near(player, players)
        case _:
            return {}


def unknown_edition(edition: str) -> Refused:
    """No booklet has this id."""
    facts = {"edition": edition, **near(edition, edition_ids())}
    return Refused("edition-unknown", facts=facts)


def unregistered(
    strangers: Collection[str], registered: Collection[str], *, event_index: int | None = None
) -> Refused:
    """Somebody who is not registered in the league."""
    known = sorted(registered)
    meant = [
        name
        for stranger in sorted(strangers)[:_MOST_LOOKED_UP]
        for name in nearest(stranger, known)
    ]
    facts = {"players": sorted(strangers)}
    if meant:
        facts["nearest"] = list(dict.fromkeys(meant))
    return Refused("player-not-registered", facts=facts, event_index=event_index)

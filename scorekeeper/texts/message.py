"""The messages of refusals, violations and problems in the reader's language, and their titles."""

from collections.abc import Iterable, Mapping
from typing import Final

from scorekeeper.texts.explanations import joined
from scorekeeper.texts.language import Language, translate
from scorekeeper.texts.request_templates import DID_YOU_MEAN, IMPORT_MESSAGES, REQUEST_MESSAGES
from scorekeeper.texts.singular import template_for
from scorekeeper.texts.templates import MESSAGES
from scorekeeper.texts.words import PLACEHOLDER, PLAIN, Words, worded

BREACH: Final = "This is against the clause {clause}."
FALLBACK: Final = "This can't be recorded."

TITLES: Final[Mapping[str, str]] = {
    "malformed": "The request can't be read",
    "event-ids-incomplete": "Some events have an id and some have none",
    "event-id-twice": "One event id stands twice in the request",
    "unauthorized": "A valid token is needed",
    "invitation-unknown": "The code lets nobody in",
    "forbidden": "The token does not allow this",
    "not-found": "Nothing is found here",
    "method-not-allowed": "The method is not allowed here",
    "request-timeout": "The request took too long to arrive",
    "league-exists": "Another league has this name in its address",
    "player-exists": "Another player has this name in the address",
    "tournament-exists": "Another tournament has this name in its address",
    "match-exists": "Another match has this name in its address",
    "event-ids-out-of-order": "A recorded event follows one that is new",
    "event-id-reused": "The event id belongs to another event",
    "event-erased": "The event's content was erased",
    "idempotency-key-reused": "The idempotency key belongs to another request",
    "too-many-invitations": "Too many invitations are in force",
    "log-forked": "The ledger is not the one that was signed",
    "version-mismatch": "The match has moved on",
    "body-too-large": "The body is too large",
    "unsupported-media-type": "The body must be JSON",
    "impossible-event": "This can't have happened",
    "rule-violation": "The rules forbid this",
    "dealer-needed": "Nobody knows who deals",
    "player-not-registered": "A player is not registered in the league",
    "edition-unknown": "There is no such edition",
    "players-invalid": "The players can't sit down like this",
    "teams-invalid": "The teams don't fit the players",
    "teams-not-opposite": "Partners don't sit half a table apart",
    "teams-not-in-mode": "This scoring mode has no teams",
    "team-scoring-not-in-mode": "This team scoring does not go with the scoring mode",
    "players-not-schedulable": "No schedule is known for so many players",
    "rounds-per-partner-invalid": "Partners play a multiple of four rounds together",
    "rounds-needed": "This scoring mode needs a number of rounds",
    "scoring-invalid": "The scoring can't be used",
    "option-not-in-edition": "The edition lacks this option",
    "option-not-in-mode": "The scoring mode lacks this option",
    "option-invalid": "The option's value can't be used",
    "house-rule-invalid": "The house rules can't be played like this",
    "house-rule-not-in-force": "The match is not played by this house rule",
    "dealer-not-in-match": "The dealer is not a player of the match",
    "seating-invalid": "The seating can't be used",
    "color-not-open": "No colour is to be named",
    "swap-needed": "The exchange of hands is not told",
    "effects-not-allowed": "The card can't have these effects",
    "not-in-edition": "The booklet has no such rule",
    "points-needed": "The points of a hand are needed",
    "verdict-needed": "The challenge can't be judged",
    "position-unknown": "The ledger has no such position",
    "not-erasable": "The content of an entry can't be erased",
    "proof-impossible": "There is no such proof",
    "amendment-overlaps": "Two amendments touch the same entries",
    "dispute-closed": "The dispute has had its ruling",
    "inferred-not-removable": "What follows from other entries can't be removed",
    "nothing-to-undo": "There is nothing to take back",
    "round-not-reached": "The match has not come to this round",
    "round-taken": "The round is recorded already",
    "undo-would-void": "Something that was told later rests on this",
    "match-full": "The match has as many entries as it can have",
    "rows-refused": "Some rows can't be imported",
    "too-many-amendments": "Too many amendments",
    "opening-fixed": "The opening can't be amended",
    "if-match-needed": "The request must say which version it saw",
    "too-many-requests": "Too many requests",
    "too-many-followers": "Too many follow already",
    "internal": "The service failed",
    "unavailable": "The service can't answer at the moment",
}
"""The titles of problems by their codes. All problems of one code have the same title."""


_MESSAGES: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    **MESSAGES,
    **REQUEST_MESSAGES,
}


def wording(code: str, reason: str | None, facts: Mapping[str, object]) -> str:
    """Return the English template that says most with these facts.

    A wording counts only if all its facts are known. Without any, it is the title of the code.
    """
    wordings: tuple[str, ...] = (
        *_MESSAGES.get((code, reason), ()),
        *((BREACH,) if code == "rule-violation" else ()),
        *_MESSAGES.get((code, None), ()),
    )
    return _first_known(wordings, facts) or TITLES.get(code, FALLBACK)


def _first_known(wordings: Iterable[str], facts: Mapping[str, object]) -> str | None:
    """Return the first wording whose facts are all known."""
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
    """Return one sentence or two for a person. It raises nothing, even if facts are missing."""
    template = template_for(wording(code, reason, facts), facts, language)
    return worded(template, facts, language, words)


def import_message(
    reason: str, facts: Mapping[str, object], language: Language, *, whole: bool
) -> str:
    """Return what to say of a spreadsheet, without a full stop.

    `whole`: facts, such as the content of cells, are not shortened.
    """
    english = _first_known(IMPORT_MESSAGES[reason], facts) or FALLBACK
    return worded(translate(english, language), facts, language, whole=whole)


def problem_detail(
    template: str, facts: Mapping[str, object], language: Language, words: Words = PLAIN
) -> str:
    """Return an English template in the reader's language, with its facts.

    If there is a fact `nearest`, the question whether that was meant is added.
    """
    sentence = worded(template_for(template, facts, language), facts, language, words)
    if not facts.get("nearest") or "{nearest}" in template:
        return sentence
    return joined([sentence, worded(translate(DID_YOU_MEAN, language), facts, language)], language)


def title(problem_code: str, language: Language) -> str:
    """Return the title that all problems of one code share."""
    return translate(TITLES.get(problem_code, FALLBACK), language)

"""The English texts of an audit, keyed by what was checked and the finding."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.facts import worded
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLAIN, Words

AUDIT: Final[Mapping[str, str]] = {
    "amendment": (
        "From entry {first} on, entries taken out: {remove}, events put in: {count}. Why: {reason}"
    ),
    "amendment-withdrawing": "The amendments {versions} do not count any more: {reason}",
    "amendment-withdrawn": "This amendment was withdrawn and does not count: {reason}",
    "cards-fewer": "From here on {count} cards are missing, as the table played it ({clauses}).",
    "cards-lost": "From here on {count} cards are missing, and nothing says why.",
    "cards-made": "From here on there are {count} cards too many, and nothing says why.",
    "cards-more": "From here on there are {count} cards more, as the table played it ({clauses}).",
    "chain": "Every header links to the one before it, over all {count} entries.",
    "chain-broken": "The header of version {version} does not link to the one before it.",
    "conservation": "Draw pile, discards and hands make up the whole deck after every step.",
    "conservation-broken": "In the rounds {rounds} cards appear or vanish, and nothing says why.",
    "conservation-none": "No round was followed card by card, so that no cards can be counted.",
    "contents": "Every entry still says what it said when it was recorded.",
    "contents-broken": "Version {version} does not say what it said when it was recorded.",
    "contiguity": "Versions 1 to {count} are all there, in the order in which they were recorded.",
    "contiguity-broken": "Version {version} is missing, or stands in the wrong place.",
    "dispute-open": "{by} disputes round {round}, and nobody has ruled on it yet: {claim}",
    "dispute-rejected": "{by} disputed round {round} ({claim}); it was rejected: {reason}",
    "dispute-upheld": "{by} disputed round {round} ({claim}); it was upheld: {reason}",
    "erased": (
        "The content of entry {version} ({type}) was erased: what it did in round {round} can't be "
        "derived any more."
    ),
    "inference": "All that the service concluded by itself follows from the rules.",
    "inference-broken": "Version {version} is not what the rules force there.",
    "inference-erased": (
        "Content was erased, so that it can't be compared any more what the service concluded "
        "after it."
    ),
    "list": "The list of matches shows what the log says.",
    "list-broken": "The list of matches shows something else than the log says.",
    "recorder": "Entries told by {token}: {told}; concluded from them: {inferred}.",
    "tree": "The last entry, at position {position}, stands in the ledger's tree.",
    "tree-broken": "The last entry, at position {position}, does not stand in the ledger's tree.",
    "voided": "As the log is read now this {type} can't have happened, so it is left aside.",
}


def audit_line(
    name: str, language: Language, facts: Mapping[str, object], words: Words = PLAIN
) -> str:
    """One sentence; KeyError for what no audit says."""
    return worded(translate(AUDIT[name], language), facts, language, words)

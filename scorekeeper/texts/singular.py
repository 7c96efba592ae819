"""English templates in the singular. 繁體中文 needs none, since it has no plural."""

from collections.abc import Mapping, Sized
from typing import Final

from scorekeeper.texts.language import Language, translate

SINGULAR: Final[Mapping[str, tuple[str, str]]] = {
    "{points} points are counted against {player}.": (
        "points",
        "{points} point is counted against {player}.",
    ),
    "In all, {points} points are counted against {player} at catches.": (
        "points",
        "In all, {points} point is counted against {player} at catches.",
    ),
    "{player} counts {points} points in the hand ({clause}).": (
        "points",
        "{player} counts {points} point in the hand ({clause}).",
    ),
    "The match goes to {players} with {points} points ({clause}).": (
        "points",
        "The match goes to {players} with {points} point ({clause}).",
    ),
    "The discards under {top} become the draw pile, now {count} cards ({clause}).": (
        "count",
        "The discards under {top} become the draw pile, now {count} card ({clause}).",
    ),
    "It is worth {points} points ({clause}).": ("points", "It is worth {points} point ({clause})."),
    "Withdrawn: the amendments {versions}.": ("versions", "Withdrawn: amendment {versions}."),
    "The amendments {versions} do not count any more: {reason}": (
        "versions",
        "Amendment {versions} does not count any more: {reason}",
    ),
    "From here on {count} cards are missing, as the table played it ({clauses}).": (
        "count",
        "From here on {count} card is missing, as the table played it ({clauses}).",
    ),
    "From here on {count} cards are missing, and nothing says why.": (
        "count",
        "From here on {count} card is missing, and nothing says why.",
    ),
    "From here on there are {count} cards too many, and nothing says why.": (
        "count",
        "From here on there is {count} card too many, and nothing says why.",
    ),
    "From here on there are {count} cards more, as the table played it ({clauses}).": (
        "count",
        "From here on there is {count} card more, as the table played it ({clauses}).",
    ),
    "In the rounds {rounds} cards appear or vanish, and nothing says why.": (
        "rounds",
        "In round {rounds} cards appear or vanish, and nothing says why.",
    ),
    "The {points} points of {player} can't come from a hand of {cards_left}.": (
        "points",
        "The {points} point of {player} can't come from a hand of {cards_left}.",
    ),
    "No hand that {player} can hold is worth {points} points.": (
        "points",
        "No hand that {player} can hold is worth {points} point.",
    ),
    "{type} belongs before the first round; {rounds} have begun.": (
        "rounds",
        "{type} belongs before the first round; {rounds} has begun.",
    ),
    "There is no round {round}; {rounds} have begun.": (
        "rounds",
        "There is no round {round}; {rounds} has begun.",
    ),
    "{points} points are told for the hand of {player}; its cards are worth {book} ({clause}).": (
        "points",
        "{points} point is told for the hand of {player}; its cards are worth {book} ({clause}).",
    ),
    "The discards are shuffled while the draw pile still has {cards} cards ({clause}).": (
        "cards",
        "The discards are shuffled while the draw pile still has {cards} card ({clause}).",
    ),
    "{player} draws {count} cards where {allowed} can be drawn ({clause}).": (
        "count",
        "{player} draws {count} card where {allowed} can be drawn ({clause}).",
    ),
    "The draw pile is told with {cards} cards; it has to be whole, with {whole}.": (
        "cards",
        "The draw pile is told with {cards} card; it has to be whole, with {whole}.",
    ),
    "The new draw pile of {cards} cards is not made of the {whole} that were there ({clause}).": (
        "cards",
        "The new draw pile of {cards} card is not made of the {whole} that were there ({clause}).",
    ),
    "{player} draws {count} of the {allowed} cards that are due ({clause}).": (
        "allowed",
        "{player} draws {count} of the {allowed} card that is due ({clause}).",
    ),
    "The hands of these players are missing: {players}.": (
        "players",
        "The hand of this player is missing: {players}.",
    ),
    "The scores of these players are missing: {players}.": (
        "players",
        "The score of this player is missing: {players}.",
    ),
    "Tell the hands of these players, or else everybody's scores: {players}.": (
        "players",
        "Tell the hand of this player, or else everybody's scores: {players}.",
    ),
    "Too many requests from this address had no valid token. Wait for {seconds} seconds.": (
        "seconds",
        "Too many requests from this address had no valid token. Wait for {seconds} second.",
    ),
    "This token has asked too often. Wait for {seconds} seconds.": (
        "seconds",
        "This token has asked too often. Wait for {seconds} second.",
    ),
    (
        "Nothing was imported, for rows are bad: lines {lines}. Import without their matches, or "
        "put them right."
    ): (
        "lines",
        (
            "Nothing was imported, for a row is bad: line {lines}. Import without its match, or "
            "put it right."
        ),
    ),
    (
        "Nothing was imported, for rows were imported otherwise before: lines {lines}. Say whether "
        "to amend what was imported."
    ): (
        "lines",
        (
            "Nothing was imported, for a row was imported otherwise before: line {lines}. Say "
            "whether to amend what was imported."
        ),
    ),
    (
        "These entries can't be erased: {positions}. They say who is in the league and what was "
        "erased, and nothing of a person."
    ): (
        "positions",
        (
            "This entry can't be erased: {positions}. It says who is in the league or what was "
            "erased, and nothing of a person."
        ),
    ),
    (
        "These entries can't be erased: {positions}. Without its opening nothing that was recorded "
        "after it could be read."
    ): (
        "positions",
        (
            "This entry can't be erased: {positions}. Without its opening nothing that was "
            "recorded after it could be read."
        ),
    ),
    (
        "These entries can't be erased: {positions}. They say who plays where, and what was "
        "recorded at the tables rests on them."
    ): (
        "positions",
        (
            "This entry can't be erased: {positions}. It says who plays where, and what was "
            "recorded at the tables rests on it."
        ),
    ),
    "The ledger has {size} entries, and none at {positions}.": (
        "size",
        "The ledger has {size} entry, and none at {positions}.",
    ),
    "A tree of {size} entries does not hold position {position}.": (
        "size",
        "A tree of {size} entry does not hold position {position}.",
    ),
    "Every header links to the one before it, over all {count} entries.": (
        "count",
        "Every header links to the one before it, over {count} entry.",
    ),
    "Versions 1 to {count} are all there, in the order in which they were recorded.": (
        "count",
        "The only version, {count}, is there.",
    ),
}
"""By template: the fact that is a number or a list, and the template if it is 1 or has one item."""


def template_for(english: str, facts: Mapping[str, object], language: Language) -> str:
    """Return the template in the language, in English in the singular if its facts need that."""
    if language != "en":
        return translate(english, language)
    name, one = SINGULAR.get(english, ("", english))
    return one if _is_one(facts.get(name)) else english


def _is_one(fact: object) -> bool:
    if isinstance(fact, Sized) and not isinstance(fact, str):
        return len(fact) == 1
    return fact == 1

"""All examples in an order in which an admin can send them to a service without leagues."""

from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.api.document.examples.cards import CARD_BY_CARD
from scorekeeper.api.document.examples.example import Example
from scorekeeper.api.document.examples.house_rules import BY_HOUSE_RULES
from scorekeeper.api.document.examples.league import BEGINNING, END
from scorekeeper.api.document.examples.rounds import WHOLE_ROUNDS
from scorekeeper.api.document.examples.tournaments import TOURNAMENTS

_LEAGUE: Final = "friday"

STORY: Final[Sequence[Example]] = (
    *BEGINNING,
    *WHOLE_ROUNDS,
    *CARD_BY_CARD,
    *BY_HOUSE_RULES,
    *TOURNAMENTS,
    *END,
)


def address(example: Example, path: str) -> str:
    """Where it is sent; `path` is that of its operation, as OpenAPI has it."""
    return path.format(league=_LEAGUE, **example.at)


def named_examples(operation: str, path: str) -> dict[str, Any]:
    """The examples of one operation as OpenAPI has them, in the order of the story."""
    return {
        example.name: {
            "summary": example.title,
            "description": _where(example, path),
            "value": example.body,
        }
        for example in STORY
        if example.operation == operation
    }


def _where(example: Example, path: str) -> str:
    where = f"To `{address(example, path)}`"
    return f"{where}." if example.seen is None else f'{where}, with If-Match: `"{example.seen}"`.'

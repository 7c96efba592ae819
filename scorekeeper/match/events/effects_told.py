"""The words in which the table records what a card has done, beyond what every such card does.

The order in which they stand is the order in which they happened.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from scorekeeper.match.events.fields import MOST_NAMES, Cards, MoveCount, Slug


class _ToldEffect(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    pass


class Discard(_ToldEffect, frozen=True, tag="discard"):
    """Cards put on the discard pile, the last one uppermost; they have no effect of their own."""

    player: Slug
    cards: Cards


class Give(_ToldEffect, frozen=True, tag="give"):
    """Cards handed over: either which, or how many."""

    giver: Slug = field(name="from")
    to: Slug
    cards: Cards | None = None
    count: MoveCount | None = None

    def __post_init__(self) -> None:
        """Refuse a gift that is told twice, or not at all."""
        if bool(self.cards) == (self.count is not None):
            raise ValueError("A gift has either cards or a count.")


class Draw(_ToldEffect, frozen=True, tag="draw"):
    """Cards drawn; `cards` may be fewer than `count`, the rest is unknown."""

    player: Slug
    count: MoveCount | None = None
    cards: Cards | None = None

    @property
    def number(self) -> int:
        """How many cards are drawn."""
        return self.count or len(self.cards or ()) or 1


class Swap(_ToldEffect, frozen=True, tag="swap"):
    """Who holds whose hand afterwards; names everybody in play."""

    hands: Annotated[Mapping[Slug, Slug], Meta(max_length=MOST_NAMES)]


class Skip(_ToldEffect, frozen=True, tag="skip"):
    """The player's next turn is left out."""

    player: Slug


class Reverse(_ToldEffect, frozen=True, tag="reverse"):
    """Play runs the other way round."""


ToldEffect: TypeAlias = Discard | Give | Draw | Swap | Skip | Reverse

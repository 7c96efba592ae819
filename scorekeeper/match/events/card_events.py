"""The events of a round that is told card by card.

The effects come first. With them, the table records what a card has done beyond what every such
card does. Effects are listed in the order in which they happened. The tags and fields are the disk
format, like those of the other events.
"""

from collections.abc import Mapping
from typing import Annotated, Generic, TypeAlias

from msgspec import Meta, Struct, field

from scorekeeper.match.events.fields import (
    MOST_NAMES,
    CardCount,
    CardName,
    Cards,
    ColorName,
    MoveCount,
    PointsValue,
    S,
    Slug,
    Told,
)
from scorekeeper.rules.cards import Card


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
    """Cards drawn; `cards` may be fewer than `count`, the rest is unknown.

    Without `count`, as many cards are drawn as `cards` lists, or one if it lists none.
    """

    player: Slug
    count: MoveCount | None = None
    cards: Cards | None = None

    @property
    def number(self) -> int:
        """How many cards are drawn."""
        return self.count or len(self.cards or ()) or 1


class Swap(_ToldEffect, frozen=True, tag="swap"):
    """An exchange of hands. `hands`: by player, whose hand that player holds afterwards.

    It names everybody in play.
    """

    hands: Annotated[Mapping[Slug, Slug], Meta(max_length=MOST_NAMES)]


class Skip(_ToldEffect, frozen=True, tag="skip"):
    """The player's next turn is left out."""

    player: Slug


class Reverse(_ToldEffect, frozen=True, tag="reverse"):
    """Play runs the other way round."""


ToldEffect: TypeAlias = Discard | Give | Draw | Swap | Skip | Reverse


class FirstCardTurned(Told, frozen=True, tag="first_card_turned"):
    """The top card of the draw pile is turned up.

    If the edition has another card turned up after it, that is another event of this type.
    `color`: the colour that was named, if the card has a player name one. `draw_pile`: the whole
    draw pile afterwards, the top card first.
    """

    card: CardName
    color: ColorName | None = None
    draw_pile: Cards | None = None


class ColorNamed(Told, Generic[S], frozen=True, tag="color_named"):
    """A player names the colour that was still open."""

    player: S
    color: ColorName


class CardPlayed(Told, Generic[S], frozen=True, tag="card_played"):
    """A card is laid. `uno`: whether UNO was called with it, None if nobody recorded that.

    House rules: `jump_in`: the card is laid out of turn, on a card of the same name. `swap_with`:
    the player with whom the card's player exchanges hands. `count`: how many identical cards are
    laid, 1 if absent.
    """

    player: S
    card: CardName
    color: ColorName | None = None
    uno: bool | None = None
    effects: Annotated[tuple[ToldEffect, ...], Meta(max_length=40)] | None = None
    jump_in: bool | None = None
    swap_with: S | None = None
    count: MoveCount | None = None

    @property
    def number(self) -> int:
        """How many identical cards are laid."""
        return self.count or 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards that are laid."""
        return (self.card,) if self.count is None else (self.card,) * self.count


class CardsDrawn(Told, Generic[S], frozen=True, tag="cards_drawn"):
    """Cards are drawn; `cards` may be fewer than `count`, the rest is unknown.

    Without `count`, as many cards are drawn as `cards` lists, or one if it lists none. A `count` of
    0 with `as_played` says that the player never drew the cards that were owed, and that the table
    let it pass.
    """

    player: S
    count: CardCount | None = None
    cards: Cards | None = None

    def __post_init__(self) -> None:
        """Refuse a draw of no cards, unless it is told as played and settles a debt."""
        if self.count == 0 and not self.as_played:
            raise ValueError("A draw of no card is told as played.")

    @property
    def number(self) -> int:
        """How many cards are drawn."""
        return (len(self.cards or ()) or 1) if self.count is None else self.count


class CardGiven(Told, Generic[S], frozen=True, tag="card_given"):
    """The gift that a card asks for, if it was not told with the card.

    Without `card`, an unknown card is given.
    """

    player: S
    to: S
    card: CardName | None = None


class TurnPassed(Told, Generic[S], frozen=True, tag="turn_passed"):
    """A turn ends without a card being laid."""

    player: S


class UnoCalled(Told, Generic[S], frozen=True, tag="uno_called"):
    """A player calls UNO, before or after laying the second-to-last card."""

    player: S


class UnoCaught(Told, Generic[S], frozen=True, tag="uno_caught"):
    """`by` points out that `player` did not call UNO.

    `points`: the value of the player's hand at that moment, if catches count.
    """

    player: S
    by: S
    points: PointsValue | None = None


class WildDrawFourChallenged(Told, Generic[S], frozen=True, tag="wild_draw_four_challenged"):
    """`by` challenges the last wild-draw-four.

    `hand`: the cards that its player had left after the play. `guilty`: the table's own verdict.
    `points`: the value of that hand, if it is counted against a guilty player.
    """

    by: S
    hand: Cards | None = None
    guilty: bool | None = None
    points: PointsValue | None = None


class MisplayCalled(Told, Generic[S], frozen=True, tag="misplay_called"):
    """`by` points out that the last card was against the rules. The card is taken back."""

    by: S


class AdviceCalled(Told, Generic[S], frozen=True, tag="advice_called"):
    """`player` told somebody what to play, and `by` points it out."""

    player: S
    by: S


class AccusationMade(Told, Generic[S], frozen=True, tag="accusation_made"):
    """`by` says that `player` draws while holding a playable card."""

    by: S
    player: S


class PileReshuffled(Told, frozen=True, tag="pile_reshuffled"):
    """The discards under the top card become the draw pile.

    `draw_pile`: the whole draw pile afterwards, the top card first.
    """

    draw_pile: Cards | None = None


class HandShown(Told, Generic[S], frozen=True, tag="hand_shown"):
    """A whole hand, open to everybody."""

    player: S
    cards: Cards


class HandCounted(Told, Generic[S], frozen=True, tag="hand_counted"):
    """The value of a hand at the end of a round, if nobody lists its cards.

    `cards_left`: how many cards it has.
    """

    player: S
    points: PointsValue
    cards_left: CardCount | None = None


CardEvent: TypeAlias = (
    FirstCardTurned
    | ColorNamed
    | CardPlayed
    | CardsDrawn
    | CardGiven
    | TurnPassed
    | UnoCalled
    | UnoCaught
    | WildDrawFourChallenged
    | MisplayCalled
    | AdviceCalled
    | AccusationMade
    | PileReshuffled
    | HandShown
    | HandCounted
)

"""The choices that editions make, as values and enums that the core can carry out.

A name says what happens, and never which edition has it. Members that every entry asks for are
bound to module-level names: a lookup in the enum's class takes two calls in Python 3.11.
"""

from enum import StrEnum

import msgspec

from scorekeeper.rules.cards import Color


class DealerDraw(StrEnum):
    """How cards drawn before the first deal decide who deals."""

    LETTERED_COUNT_ZERO = "lettered-count-zero"
    LETTERED_CANNOT_DEAL = "lettered-cannot-deal"
    CHOSEN_FREELY = "chosen-freely"


class NextDealer(StrEnum):
    """Who deals the round after this one, if the table does not say."""

    WINNER = "winner"
    LEFT = "left"


class TurnedUp(StrEnum):
    """What a card does that is turned up before anybody has played.

    The first player is the one on the dealer's left. LEFT_BEGINS_REVERSED and
    DEALER_BEGINS_REVERSED play on counter-clockwise; the other members leave the direction alone.
    """

    PLAY_STARTS = "play-starts"
    DEALER_BEGINS = "dealer-begins"
    DEALER_BEGINS_REVERSED = "dealer-begins-reversed"
    LEFT_BEGINS_REVERSED = "left-begins-reversed"
    FIRST_IS_SKIPPED = "first-is-skipped"
    FIRST_DRAWS_TWO = "first-draws-two"
    FIRST_NAMES_COLOR_AND_PLAYS = "first-names-color-and-plays"
    FIRST_NAMES_COLOR_FOR_NEXT = "first-names-color-for-next"
    TO_BOTTOM_OF_DRAW_PILE = "to-bottom-of-draw-pile"
    STAYS_UNDER_NEXT = "stays-under-next"


class ColorNaming(StrEnum):
    """When the player of a card names the colour that goes on."""

    NEVER = "never"
    ALWAYS = "always"
    IF_WILD_ON_TOP = "if-wild-on-top"


class TurnAfter(StrEnum):
    """Who is on turn after a card; counted in the direction that holds once it has acted."""

    NEXT = "next"
    NEXT_REVERSED = "next-reversed"
    NEXT_IS_SKIPPED = "next-is-skipped"
    SAME_PLAYER = "same-player"


class HandsFrom(StrEnum):
    """Whose hand is taken over in an exchange.

    LEFT_NEIGHBOR: everybody's is that of the left neighbour, whatever the direction. PREVIOUS:
    everybody's is that of the player before, in the direction of play. CHOSEN: the player of the
    card and somebody whom that player names exchange theirs.
    """

    LEFT_NEIGHBOR = "left-neighbor"
    PREVIOUS = "previous"
    CHOSEN = "chosen"


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a card does when it is played.

    `next_draws`: cards that the next player draws. `reflects`: may answer a draw penalty just
    played at its holder, who then sends it back. `as_agreed`: does what the table agreed on and
    records. `own_discards`, `other_discards`: cards that its player, and every other player, may
    discard with it. `lays_off`: the colour of which its player may lay off any number with it.
    `gift`: cards that its player then gives to the next player.
    """

    color: ColorNaming = ColorNaming.NEVER
    turn: TurnAfter = TurnAfter.NEXT
    next_draws: int = 0
    reflects: bool = False
    as_agreed: bool = False
    own_discards: int = 0
    other_discards: int = 0
    lays_off: Color | None = None
    gift: int = 0
    hands_from: HandsFrom | None = None


class MatchBy(StrEnum):
    """What a card has to share with the top card, unless it is a wild."""

    COLOR = "color"
    NUMBER = "number"
    SYMBOL = "symbol"


class Keep(StrEnum):
    """Which playable cards a player may hold back and draw instead.

    Drawing against ONLY_WILD_DRAW_FOUR or NOTHING is flagged, never refused.
    """

    ANYTHING = "anything"
    ONLY_WILD_DRAW_FOUR = "only-wild-draw-four"
    NOTHING = "nothing"


class WildDrawFourLegal(StrEnum):
    """What the rest of the hand must not hold for a wild-draw-four to be honest.

    COLOR: a card of the current colour. COLOR_OR_WILD: nor a wild that is no wild-draw-four.
    PLAYABLE: any card but another wild-draw-four that could be laid.
    """

    COLOR = "color"
    COLOR_OR_WILD = "color-or-wild"
    PLAYABLE = "playable"


class JumpIn(StrEnum):
    """Which cards may be laid out of turn on a card of the same name."""

    COLORED = "colored"
    ANY = "any"


class Bluff(StrEnum):
    """What a wild-draw-four is, where nobody can challenge it, that would not be honest.

    MISPLAY: against the rules, as a card that does not match is. LEGAL: allowed.
    """

    MISPLAY = "misplay"
    LEGAL = "legal"


class LastCard(StrEnum):
    """What a card must not be that empties its player's hand."""

    NO_WILD = "no-wild"
    NUMBER = "number"


class ShownTo(StrEnum):
    """Who sees the hand of a player who is challenged."""

    TABLE = "table"
    CHALLENGER = "challenger"


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """How a challenge to a wild-draw-four ends.

    `guilty_draws` falls on the card's player, who with `taken_back` also takes the card back and
    undoes its colour; the challenger then plays. `innocent_draws` falls on the challenger in place
    of the four, and the turn is lost.
    """

    guilty_draws: int
    innocent_draws: int
    taken_back: bool
    shown_to: ShownTo


class UnoWindow(StrEnum):
    """What closes the time in which a forgotten UNO can be caught."""

    NEXT_CARD_LAID = "next-card-laid"
    NEXT_TURN_BEGUN = "next-turn-begun"


class Uno(msgspec.Struct, frozen=True, kw_only=True):
    """`draws`: cards for a player who is caught before the window closes."""

    draws: int
    window: UnoWindow


class Misplay(msgspec.Struct, frozen=True, kw_only=True):
    """What follows the taking back of a card that did not match.

    Where the turn is not lost the player still has to play a match or draw.
    """

    draws: int
    loses_turn: bool


class Rotation(msgspec.Struct, frozen=True, kw_only=True):
    """A cycle in which every player is everybody's partner once."""

    players: int
    tables: int
    rounds_with_each: int
    rounds: int

"""The choices that editions make, as values and enums that the core can carry out.

A name says what happens, and never which edition has it. Modules that need a member for every entry
bind it to a module-level name, because looking it up in its enum takes two calls in Python 3.11.
"""

from enum import StrEnum

import msgspec

from scorekeeper.rules.cards import Color


class DealerDraw(StrEnum):
    """How the first dealer is found, by drawing cards or by choice.

    Lettered cards are actions and wilds. LETTERED_COUNT_ZERO: they count as a 0.
    LETTERED_CANNOT_DEAL: a player who draws one can't become the dealer.
    """

    LETTERED_COUNT_ZERO = "lettered-count-zero"
    LETTERED_CANNOT_DEAL = "lettered-cannot-deal"
    CHOSEN_FREELY = "chosen-freely"


class NextDealer(StrEnum):
    """Who deals the next round if the table does not say.

    LEFT: the player on the dealer's left.
    """

    WINNER = "winner"
    LEFT = "left"


class TurnedUp(StrEnum):
    """What a card does when it is turned up before anybody has played.

    The first player is the one on the dealer's left. After LEFT_BEGINS_REVERSED and
    DEALER_BEGINS_REVERSED, play goes counter-clockwise. The other members leave the direction as it
    is. With TO_BOTTOM_OF_DRAW_PILE and STAYS_UNDER_NEXT, another card is turned up.
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
    """When the player of a card names the colour to be played next.

    IF_WILD_ON_TOP: if a wild lies on top once the card's effects have happened.
    """

    NEVER = "never"
    ALWAYS = "always"
    IF_WILD_ON_TOP = "if-wild-on-top"


class TurnAfter(StrEnum):
    """Who is on turn after a card, counted in the direction of play after the card's effect."""

    NEXT = "next"
    NEXT_REVERSED = "next-reversed"
    NEXT_IS_SKIPPED = "next-is-skipped"
    SAME_PLAYER = "same-player"


class HandsFrom(StrEnum):
    """Whose hand each player gets in an exchange.

    LEFT_NEIGHBOR: everybody gets the hand of the left neighbour, in either direction of play.
    PREVIOUS: everybody gets the hand of the previous player in the direction of play. CHOSEN: the
    player of the card and another player, whom the former names, exchange hands.
    """

    LEFT_NEIGHBOR = "left-neighbor"
    PREVIOUS = "previous"
    CHOSEN = "chosen"


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a card does when it is played.

    `next_draws`: how many cards the next player draws. `reflects`: whether a player may answer a
    draw penalty with the card, so that the player of the penalty card draws instead. `as_agreed`:
    whether the card does what the table has agreed on and records. `own_discards`,
    `other_discards`: how many cards its player, and each other player, may discard with it.
    `lays_off`: the colour of which its player may lay off any number of cards with it. `gift`: how
    many cards its player then gives to the next player. `hands_from`: how hands are exchanged.

    Of what was agreed, discards, an exchange, and own cards that are laid off or given, a card has
    one at most.
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
    """Which cards in the rest of the hand make a wild-draw-four illegal.

    COLOR: those of the current colour. COLOR_OR_WILD: those of the current colour, and all wilds
    except another wild-draw-four. PLAYABLE: all that could be laid, except another wild-draw-four.
    """

    COLOR = "color"
    COLOR_OR_WILD = "color-or-wild"
    PLAYABLE = "playable"


class JumpIn(StrEnum):
    """Which cards may be laid out of turn on a card of the same name.

    COLORED: all but wilds. ANY: wilds too.
    """

    COLORED = "colored"
    ANY = "any"


class Bluff(StrEnum):
    """How a wild-draw-four that the hand forbids is treated if it can't be challenged.

    MISPLAY: it is against the rules, like a card that does not match. LEGAL: it is allowed.
    """

    MISPLAY = "misplay"
    LEGAL = "legal"


class LastCard(StrEnum):
    """Which condition a card has to meet that empties its player's hand.

    NO_WILD: it is not a wild of any kind. NUMBER: it is a number.
    """

    NO_WILD = "no-wild"
    NUMBER = "number"


class ShownTo(StrEnum):
    """Who sees the hand of a player who is challenged."""

    TABLE = "table"
    CHALLENGER = "challenger"


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """How a challenge to a wild-draw-four ends.

    If the card's player is guilty, that player draws `guilty_draws` cards, and the challenger plays
    next. With `taken_back`, the card also returns to its player's hand, and the colour before it is
    in force again. If the card's player is innocent, the challenger draws `innocent_draws` cards in
    place of the four, and loses the turn. `shown_to`: who sees the hand.
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
    """The penalty for a forgotten UNO.

    `draws`: how many cards a player draws who is caught before the `window` closes.
    """

    draws: int
    window: UnoWindow


class Misplay(msgspec.Struct, frozen=True, kw_only=True):
    """What follows after a card that did not match was taken back.

    `draws`: how many cards its player draws. If the turn is not lost, the player still has to play
    a match or draw.
    """

    draws: int
    loses_turn: bool


class Rotation(msgspec.Struct, frozen=True, kw_only=True):
    """A cycle in which everybody is the partner of every other player once.

    `rounds`: the rounds of the whole cycle at one table.
    """

    players: int
    tables: int
    rounds_with_each: int
    rounds: int

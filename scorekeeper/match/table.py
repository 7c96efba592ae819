"""What lies on the table while a round is played card by card.

A table that belongs to a state is never changed: every event begins with a copy, whose containers
are replaced, not changed. So taking back a card is keeping the table from before it. Nothing here
can refer back to itself, which is why the collector is told not to look at it (`gc=False`).
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardsDrawn, PileReshuffled
from scorekeeper.match.known_cards import Hand, Hands, Pile, height, without
from scorekeeper.rules.cards import Card, Color

Direction: TypeAlias = Literal["clockwise", "counter-clockwise"]


class Debt(Struct, frozen=True, gc=False, kw_only=True):
    """Cards that somebody still has to draw, or to give to `to`.

    `clause`: the one that caused it. `hit`: it is what a card just laid does to the next player,
    who loses the turn by it and may lay nothing on it.
    """

    kind: Literal["draw", "give"]
    player: str
    count: int
    clause: str
    hit: bool = False
    to: str | None = None


class Drawn(Struct, frozen=True, gc=False):
    """What the player on turn has drawn in this turn without owing it.

    `beside`: cards that were known to be in the hand before. `ordered`: `cards` stand in the order
    in which they were drawn.
    """

    cards: tuple[Card, ...]
    unknown: int
    beside: tuple[Card, ...] = ()
    ordered: bool = True

    @property
    def count(self) -> int:
        """How many cards."""
        return len(self.cards) + self.unknown

    def all_unseen_of(self, hand: Hand) -> bool:
        """Whether the unknown cards of the hand are the unknown ones of these, and no others.

        A card that was laid and taken back is known by now, and may be a drawn one.
        """
        return hand.unknown == self.unknown and not without(hand.known, (*self.beside, *self.cards))


class Blow(Struct, frozen=True, gc=False, kw_only=True):
    """A draw penalty just played at somebody, as long as it can be answered with a card.

    `count`: all that its victim draws, those included on which it was stacked.
    """

    source: str
    victim: str
    count: int


class Suspect(Struct, frozen=True, gc=False, kw_only=True):
    """A wild-draw-four that can still be challenged.

    `hand`: what its player was left with. `top` and `color`: before it was laid. `last`: it was
    the player's last card. `flagged`: the book knew at once that it was a bluff. `count`: how many
    were laid at once. `beyond`: what the victim draws beyond the penalty of a single one.
    `shuffled`: how many cards from under it went back into the draw pile since; None where nobody
    who looks on can say which ones.
    """

    player: str
    challenger: str
    card: Card
    hand: Hand
    top: Card | None
    color: Color | None
    last: bool
    flagged: bool
    count: int
    beyond: int
    shuffled: int | None = 0


class Misplayed(Struct, frozen=True, gc=False, kw_only=True):
    """A card that was laid against the rules, while it can still be called.

    `before`: the table that it was laid on, with what has changed the draw pile since and is none
    of its effects. `moved`: it changed other hands than its player's. `alone`: it is all that its
    player's hand lost, and nothing came into it. `count`: how many of it were laid at once.
    `shuffled`: the discards have gone back into the draw pile since.
    """

    player: str
    card: Card
    count: int
    before: "Table"
    moved: bool
    alone: bool
    shuffled: bool = False


class Closing(Struct, frozen=True, gc=False):
    """A draw for a last card, or the reshuffle that it needs, where hands do not count.

    `cards`: those drawn that are known; `unknown`: how many more.
    """

    event: CardsDrawn | PileReshuffled
    cards: tuple[Card, ...] = ()
    unknown: int = 0


class Table(Struct, kw_only=True, eq=False, gc=False):
    """See the module; `seats`: who is in play, clockwise.

    `discards`: the top card last; `buried`: unknown cards under them. `laid`: the top card is the
    one of the last play, which nobody turned up, discarded or uncovered. `added`: cards that a
    reshuffle brought in beyond the box; `uncounted`: it may have brought in any, for all that can
    be seen. `next_turn`: who is on turn once the open colour is named, if not the one who names it.
    `owing`: who went down to one card without a known call, and whether that is flagged already;
    `called`: who has called since the hand last grew. `skipping`: whose next turn the last card
    leaves out; `skipped`: those of earlier cards. `charges`: points counted at catches; `out`: who
    left the match by them. `winners`: not empty once the round is out. `closing`: what the table
    may still tell.
    """

    seats: tuple[str, ...]
    hands: Hands
    pile: Pile
    discards: tuple[Card, ...] = ()
    buried: int = 0
    laid: bool = False
    added: Mapping[Card, int] = {}
    uncounted: bool = False
    direction: Direction = "clockwise"
    turn: str | None = None
    color: Color | None = None
    color_pending: str | None = None
    next_turn: str | None = None
    drawn: Drawn | None = None
    debts: tuple[Debt, ...] = ()
    blow: Blow | None = None
    suspect: Suspect | None = None
    misplayed: Misplayed | None = None
    owing: Mapping[str, bool] = {}
    called: frozenset[str] = frozenset()
    skipped: tuple[str, ...] = ()
    skipping: tuple[str, ...] = ()
    charges: Mapping[str, int] = {}
    out: tuple[str, ...] = ()
    over: bool = False
    winners: tuple[str, ...] = ()
    closing: tuple[Closing, ...] = ()

    def copy(self) -> "Table":
        """A table to be changed."""
        return replace(self)

    @property
    def top(self) -> Card | None:
        """The uppermost discard."""
        return self.discards[-1] if self.discards else None

    @property
    def under_top(self) -> int:
        """How many discards a reshuffle brings back."""
        return max(0, len(self.discards) - 1) + self.buried

    @property
    def available(self) -> int:
        """How many cards can be drawn at most, discards included."""
        return height(self.pile) + self.under_top


def next_seat(table: Table, player: str, steps: int = 1) -> str:
    """Who sits so many places further in the direction of play; `player` is in play."""
    seats = table.seats
    if table.direction == "counter-clockwise":
        steps = -steps
    return seats[(seats.index(player) + steps) % len(seats)]


def give_turn(table: Table, player: str) -> None:
    """Put a player on turn, or the first after whose turn is not to be left out."""
    while player in table.skipped or player in table.skipping:
        if player in table.skipped:
            table.skipped = without(table.skipped, (player,))
        else:
            table.skipping = without(table.skipping, (player,))
        player = next_seat(table, player)
    table.turn = player
    table.drawn = None


def owe(table: Table, debt: Debt) -> None:
    """Write down a debt of cards, unless there are no cards left to draw."""
    if debt.kind == "give" or table.available:
        table.debts = (*table.debts, debt)


def owe_draw(table: Table, player: str, count: int, clause: str, *, hit: bool = False) -> None:
    """The same of cards to draw; `clause` and `hit` as a debt has them."""
    owe(table, Debt(kind="draw", player=player, count=count, clause=clause, hit=hit))


def owed(table: Table, player: str) -> int:
    """The cards that a player still has to draw."""
    if not table.debts:
        return 0
    return sum(d.count for d in table.debts if d.player == player and d.kind == "draw")


def beyond_debt(table: Table, event: CardsDrawn) -> int:
    """How many of the cards pay no debt; a draw told as played settles the whole debt."""
    debt = owed(table, event.player)
    if not debt:
        return event.number
    return 0 if event.as_played else max(0, event.number - debt)


def owe_no_call(table: Table, player: str) -> None:
    """Whoever went down to one card can't be caught any more."""
    if player in table.owing:
        table.owing = {p: flagged for p, flagged in table.owing.items() if p != player}


def end_round(table: Table, winners: tuple[str, ...]) -> None:
    """Nobody is on turn any more, and nothing that was forgotten can be caught."""
    table.over = True
    table.winners = winners
    table.turn = table.color_pending = table.next_turn = table.drawn = None
    table.owing = {}
    table.blow = table.suspect = table.misplayed = None


def on_the_left(seats: Sequence[str]) -> dict[str, str]:
    """By player: who sits on the left, which is the next name, since seating is clockwise."""
    return {player: seats[(seat + 1) % len(seats)] for seat, player in enumerate(seats)}


def set_hand(table: Table, player: str, hand: Hand) -> None:
    """Replace a hand."""
    hands = table.hands.copy()
    hands[player] = hand
    table.hands = hands

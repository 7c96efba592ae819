"""What lies on the table while a round is played card by card.

A table that belongs to a state is never changed. Every event begins with a copy, whose containers
are replaced, not changed. So a card can be taken back by keeping the table from before it. No
struct here can refer to itself, so that the garbage collector need not track any (`gc=False`).
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
    """Cards that a player still has to draw, or to give to the player `to`.

    `clause`: the clause by which they are owed. `hit`: the debt is a penalty by which the player
    loses the turn as well. The player may lay no card on it, except one that answers it.
    """

    kind: Literal["draw", "give"]
    player: str
    count: int
    clause: str
    hit: bool = False
    to: str | None = None


class Drawn(Struct, frozen=True, gc=False):
    """The cards that the player on turn has drawn in this turn, without those that paid a debt.

    `cards`: the known ones. `unknown`: how many more. `beside`: the cards that were known to be in
    the hand before. `ordered`: `cards` are in the order in which they were drawn.
    """

    cards: tuple[Card, ...]
    unknown: int
    beside: tuple[Card, ...] = ()
    ordered: bool = True

    @property
    def count(self) -> int:
        """The number of drawn cards, known or not."""
        return len(self.cards) + self.unknown

    def all_unseen_of(self, hand: Hand) -> bool:
        """Return whether the unknown cards of the hand are exactly the unknown drawn cards.

        They need not be if a card was laid and taken back. Such a card is known since then, and it
        may be a drawn one.
        """
        return hand.unknown == self.unknown and not without(hand.known, (*self.beside, *self.cards))


class Blow(Struct, frozen=True, gc=False, kw_only=True):
    """A draw penalty just played, while its victim can still answer it with a card.

    `source`: the player of the penalty card, None once that player is out of the match. `victim`:
    the player who has to draw. `count`: how many cards the victim draws in all, including those of
    the cards on which it was stacked.
    """

    source: str | None
    victim: str
    count: int


class Suspect(Struct, frozen=True, gc=False, kw_only=True):
    """A wild-draw-four that can still be challenged.

    `hand`: the hand that its player had left. `top`, `color`: the top card and the colour in force
    before it was laid. `last`: it was the player's last card. `flagged`: the book knew at once that
    it was a bluff, and recorded the violation. `count`: how many were laid at once. `beyond`: how
    many cards the victim draws beyond the penalty of a single card. `shuffled`: how many cards from
    under it have gone back into the draw pile since, None if a viewer can't say which ones.
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
    """A card that was laid against the rules, or may have been, while it can still be called.

    `count`: how many copies were laid at once. `before`: the table before the play, in which later
    changes of the draw pile are made as well if they are no effects of the card. `moved`: the card
    changed other hands than its player's. `alone`: the player's hand lost nothing but the card, and
    gained nothing. `shuffled`: the discards have gone back into the draw pile since.
    """

    player: str
    card: Card
    count: int
    before: "Table"
    moved: bool
    alone: bool
    shuffled: bool = False


class Closing(Struct, frozen=True, gc=False):
    """A draw that a last card forces, or the reshuffle for it, in a mode that counts no hands.

    `cards`: the drawn cards that are known. `unknown`: how many more were drawn.
    """

    event: CardsDrawn | PileReshuffled
    cards: tuple[Card, ...] = ()
    unknown: int = 0


class Table(Struct, kw_only=True, eq=False, gc=False):
    """The table of a round; see the module on how it is changed.

    `seats`: the players in play, clockwise. `discards`: the known discards, the top card last.
    `buried`: how many unknown cards lie under them. `laid`: the top card comes from the last play,
    and was not turned up, discarded by an effect, or uncovered. `added`: the cards that a reshuffle
    brought in beyond the box. `uncounted`: a reshuffle may have brought in any cards, for all that
    a viewer can see.

    `turn`: the player on turn. `color`: the colour in force. `color_pending`: the player who still
    has to name a colour. `next_turn`: the player who is on turn once the colour is named, None if
    the turn does not change then.

    `drawn`: what was drawn in this turn. `owing`: the players who went down to one card without a
    known call, and whether that violation is recorded already. `called`: the players who have
    called UNO since their hands last grew. `skipping`: the players whose next turn the last card
    leaves out. `skipped`: those whose next turn an earlier card leaves out.

    `charges`: the points counted at catches. `out`: the players whom these points eliminated.
    `over`: the round is out, and `winners` are its winners. `closing`: forced draws and reshuffles
    of which the table may still tell the cards.
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
        """Return a copy that may be changed."""
        return replace(self)

    @property
    def top(self) -> Card | None:
        """The uppermost discard."""
        return self.discards[-1] if self.discards else None

    @property
    def under_top(self) -> int:
        """The number of discards that a reshuffle puts back into the draw pile."""
        return max(0, len(self.discards) - 1) + self.buried

    @property
    def available(self) -> int:
        """The number of cards that can be drawn, including those after a reshuffle."""
        return height(self.pile) + self.under_top


def next_seat(table: Table, player: str, steps: int = 1) -> str:
    """Return the player `steps` seats after `player`, who is in play, in the direction of play."""
    seats = table.seats
    if table.direction == "counter-clockwise":
        steps = -steps
    return seats[(seats.index(player) + steps) % len(seats)]


def give_turn(table: Table, player: str) -> None:
    """Put a player on turn, or else the next player whose turn is not left out."""
    while player in table.skipped or player in table.skipping:
        if player in table.skipped:
            table.skipped = without(table.skipped, (player,))
        else:
            table.skipping = without(table.skipping, (player,))
        player = next_seat(table, player)
    table.turn = player
    table.drawn = None


def owe(table: Table, debt: Debt) -> None:
    """Add a debt. A debt of cards to draw is dropped if there are no cards left to draw."""
    if debt.kind == "give" or table.available:
        table.debts = (*table.debts, debt)


def owe_draw(table: Table, player: str, count: int, clause: str, *, hit: bool = False) -> None:
    """Add a debt of cards to draw as `owe` does. `clause`, `hit`: those of the debt."""
    owe(table, Debt(kind="draw", player=player, count=count, clause=clause, hit=hit))


def owed(table: Table, player: str) -> int:
    """Return how many cards a player still has to draw."""
    count = 0
    for debt in table.debts:
        if debt.player == player and debt.kind == "draw":
            count += debt.count
    return count


def beyond_debt(table: Table, event: CardsDrawn) -> int:
    """Return how many of the drawn cards pay no debt.

    If the player owes cards, a draw told as played settles the whole debt and has no such cards.
    """
    debt = owed(table, event.player)
    if not debt:
        return event.number
    return 0 if event.as_played else max(0, event.number - debt)


def owe_no_call(table: Table, player: str) -> None:
    """Cancel the call that a player with one card owes, so that nobody can catch that player."""
    if player in table.owing:
        table.owing = {p: flagged for p, flagged in table.owing.items() if p != player}


def end_round(table: Table, winners: tuple[str, ...]) -> None:
    """End the round: nobody is on turn, and no earlier call, misplay or bluff can be caught.

    No card is given any more: a player who still owes one has none left.
    """
    table.over = True
    table.debts = tuple(debt for debt in table.debts if debt.kind == "draw")
    table.winners = winners
    table.turn = table.color_pending = table.next_turn = table.drawn = None
    table.owing = {}
    table.blow = table.suspect = table.misplayed = None


def on_the_left(seats: Sequence[str]) -> dict[str, str]:
    """Return each player's left neighbour: the next in `seats`, since seating is clockwise."""
    return {player: seats[(seat + 1) % len(seats)] for seat, player in enumerate(seats)}


def set_hand(table: Table, player: str, hand: Hand) -> None:
    """Replace a hand."""
    hands = table.hands.copy()
    hands[player] = hand
    table.hands = hands

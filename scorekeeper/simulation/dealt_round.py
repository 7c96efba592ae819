"""The full state of a simulated round: where every card is, and whose turn it is.

This model is independent of the decider: it rests only on the editions' parameters and the players'
habits. Habits say how often players do what the rules leave open, or forbid. The decider is tested
against the events that the model tells.
"""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

from scorekeeper.match.events.card_events import CardsDrawn, PileReshuffled
from scorekeeper.match.events.events import TableEvent
from scorekeeper.rules.cards import Box, Card, Color
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Effect


class Habits(Struct, frozen=True, kw_only=True):
    """How often players do something: each figure is the number out of 1,000 chances."""

    keeps_back: int = 50
    """Draws although a card could be played, in order to keep it."""
    plays_drawn: int = 850
    bluffs: int = 250
    challenges: int = 250
    answers: int = 600
    stacks: int = 600
    jumps_in: int = 600
    lays_several: int = 700
    writes_exchange: int = 150
    """Tells an exchange of hands as an effect, although naming a player, or nothing, would do."""
    forgets_uno: int = 120
    calls_late: int = 200
    catches: int = 550
    catches_wrongly: int = 2
    misplays: int = 6
    moves_out_of_turn: int = 3
    misplay_called: int = 650
    breaks_other_rules: int = 3
    """Too many cards drawn, a pass without a draw, another card than the drawn one."""
    advises: int = 3
    accuses: int = 15
    shows_hand: int = 2
    names_color_later: int = 100
    notes: int = 2
    voids_round: int = 10


FREQUENT = Habits(
    keeps_back=120,
    bluffs=600,
    challenges=500,
    answers=800,
    forgets_uno=400,
    catches_wrongly=40,
    misplays=40,
    moves_out_of_turn=25,
    breaks_other_rules=25,
    advises=25,
    accuses=120,
    shows_hand=15,
    names_color_later=300,
    notes=10,
    voids_round=30,
    stacks=800,
    jumps_in=800,
)
"""Habits that often do what is rare at a table, for tests that look at it closely."""

LAWFUL = Habits(misplays=0, moves_out_of_turn=0, breaks_other_rules=0)
"""Habits that do nothing forbidden but bluff, keep back playable cards and forget to call UNO."""


def happens(rng: Random, per_mille: int) -> bool:
    """Decide at random whether something happens that does in so many of 1,000 cases."""
    return rng.randrange(1000) < per_mille


class Circumstances(Struct, frozen=True, kw_only=True):
    """What a round starts from. `seats`: the players who take part, clockwise.

    `agreed`: the cards for which the table has agreed on an effect. `ends_at_once`: nobody draws
    for a last card, because hands do not count. `caught_counts`: points are counted at catches and
    added to `totals`; a player with more than `target` is out.
    """

    edition: Edition
    box: Box
    habits: Habits
    seats: tuple[str, ...]
    dealer: str
    agreed: frozenset[Card]
    ends_at_once: bool
    caught_counts: bool
    totals: Mapping[str, int]
    target: int | None


class Happening(Struct, frozen=True):
    """An event that tells all that is true of it.

    `forced`: the rules leave no other way to go on. `hit`: it is a draw for a card just laid.
    `early`: it is a draw that is made while an older debt is still open.
    """

    event: TableEvent
    forced: bool = False
    hit: bool = False
    early: bool = False


class Owed(Struct, frozen=True):
    """Cards that a player has to draw; `hit`: for a card just laid."""

    player: str
    count: int
    hit: bool = False


class Layout(Struct, kw_only=True):
    """What laying a card changes, and what is restored when the card is taken back.

    `pile`: the top card first; `discards`: the top card last. `laid`: the top discard is the last
    card that a player has laid. `skipping`: the players whose next turn the last card leaves out;
    `skipped`: those whose next turn earlier cards leave out. `forgot`: the players who came to one
    card without calling since the last card was laid.
    """

    hands: dict[str, list[Card]]
    pile: list[Card]
    discards: list[Card]
    turn: str
    clockwise: bool
    color: Color | None
    owed: list[Owed]
    skipped: list[str]
    skipping: list[str]
    forgot: list[str]
    laid: bool = False

    def copy(self) -> "Layout":
        """Return a copy, which later changes leave as it is."""
        return Layout(
            hands={player: hand.copy() for player, hand in self.hands.items()},
            pile=self.pile.copy(),
            discards=self.discards.copy(),
            turn=self.turn,
            clockwise=self.clockwise,
            color=self.color,
            owed=self.owed.copy(),
            skipped=self.skipped.copy(),
            skipping=self.skipping.copy(),
            forgot=self.forgot.copy(),
            laid=self.laid,
        )


class DealtRound:
    """A round in play. `happened` grows until the round is `over`."""

    def __init__(self, rng: Random, given: Circumstances) -> None:
        self.rng = rng
        self.given = given
        self.edition = given.edition
        self.seats = list(given.seats)
        self.happened: list[Happening] = []
        self.charges: dict[str, int] = {}
        self.winners: tuple[str, ...] = ()
        self.over = False
        pile = [card for card, count in given.box.counts.items() for _ in range(count)]
        rng.shuffle(pile)
        hands: dict[str, list[Card]] = {}
        for player in self.seats:
            hands[player] = pile[: given.edition.hand_size.value]
            del pile[: given.edition.hand_size.value]
        self.on = Layout(
            hands=hands,
            pile=pile,
            discards=[],
            turn=self.seats[0],
            clockwise=True,
            color=None,
            owed=[],
            skipped=[],
            skipping=[],
            forgot=[],
        )

    def chance(self, per_mille: int) -> bool:
        """Decide at random whether a player does what happens in so many of 1,000 cases."""
        return happens(self.rng, per_mille)

    def tell(
        self, event: TableEvent, *, forced: bool = False, hit: bool = False, early: bool = False
    ) -> None:
        """Write down what happened."""
        self.happened.append(Happening(event, forced, hit, early))

    @property
    def top(self) -> Card:
        """The uppermost discard."""
        return self.on.discards[-1]

    @property
    def available(self) -> int:
        """How many cards can be drawn at most."""
        return len(self.on.pile) + max(0, len(self.on.discards) - 1)

    def hand(self, player: str) -> list[Card]:
        """Return the player's cards."""
        return self.on.hands[player]

    def effect(self, card: Card) -> Effect:
        """Return what the card does with the present number of players."""
        rule = self.edition.card_rule(card)
        return (rule.played_two_players if len(self.seats) == 2 else rule.played).value

    def others(self, player: str) -> list[str]:
        """Return all players but one, in seating order."""
        return [one for one in self.seats if one != player]

    def after(self, player: str, steps: int = 1) -> str:
        """Return the player who sits so many places further in the direction of play."""
        at = self.seats.index(player) + (steps if self.on.clockwise else -steps)
        return self.seats[at % len(self.seats)]

    def give_turn(self, player: str) -> None:
        """Put a player on turn, or the first player after that one whose turn is not left out."""
        while player in self.on.skipped or player in self.on.skipping:
            earlier = player in self.on.skipped
            (self.on.skipped if earlier else self.on.skipping).remove(player)
            player = self.after(player)
        self.on.turn = player

    def owe(self, player: str, count: int, *, hit: bool = False) -> None:
        """Note that a player has to draw, if there is anything to draw."""
        if self.available and count:
            self.on.owed.append(Owed(player, count, hit))

    def pay(self) -> None:
        """Let all players draw what they owe, the oldest debt first."""
        while self.on.owed:
            debt = self.on.owed.pop(0)
            self.draw(debt.player, debt.count, forced=True, hit=debt.hit)

    def draw(
        self,
        player: str,
        count: int,
        *,
        forced: bool = False,
        hit: bool = False,
        early: bool = False,
        as_played: bool = False,
    ) -> list[Card]:
        """Take cards from the pile, after a reshuffle if it is too low.

        If there are not enough cards, fewer are taken.
        """
        if len(self.on.pile) < count and len(self.on.discards) > 1:
            self.reshuffle(as_played=as_played and bool(self.on.pile))
        cards = self.on.pile[:count]
        if cards:
            del self.on.pile[:count]
            self.hand(player).extend(cards)
            drawn = CardsDrawn(
                player=player, count=len(cards), cards=tuple(cards), as_played=as_played
            )
            self.tell(drawn, forced=forced, hit=hit, early=early)
        return cards

    def reshuffle(self, *, as_played: bool = False) -> None:
        """Shuffle the discards under the top card, and put them under what is left of the pile.

        `as_played`: the reshuffle is against the rules, since only a forbidden draw needs it.
        """
        shuffled = self.on.discards[:-1]
        self.rng.shuffle(shuffled)
        self.on.pile.extend(shuffled)
        del self.on.discards[:-1]
        made = PileReshuffled(draw_pile=tuple(self.on.pile), as_played=as_played)
        self.tell(made, forced=True)

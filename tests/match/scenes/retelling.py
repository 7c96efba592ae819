"""Games that other programs played, retold to the book in its own events.

Neither program is a reference for the rules. So every event is told with `as_played`: the book may
then record a breach, but need not find one. Each telling names exactly the clauses that the book
has to flag.
"""

from typing import Any, NamedTuple

from tests.match.scenes.telling import Told

NAMES = ("ann", "bo", "cy", "di")
DRAWS = {"draw-two": 2, "wild-draw-four": 4}
WILDS = ("wild", "wild-draw-four")


class Telling(NamedTuple):
    """One event, and the clauses that it breaks."""

    event: Told
    breaks: tuple[str, ...] = ()


class ForeignGame(NamedTuple):
    """`score`: the sum of the hands left over, or None if the program does not add it up."""

    players: tuple[str, ...]
    dealer: str
    tellings: tuple[Telling, ...]
    hands: dict[str, list[str]]
    winner: str
    score: int | None


class Table:
    """Keeps whose turn it is by the booklet, so that moves out of turn are noticed."""

    def __init__(self, players: tuple[str, ...], letter: str) -> None:
        self.players = players
        self.letter = letter
        self.direction = 1
        self.owner = ""
        self.pile_known = False

    def after(self, player: str, steps: int = 1) -> str:
        at = self.players.index(player) + steps * self.direction
        return self.players[at % len(self.players)]

    def moves(self, player: str) -> tuple[str, ...]:
        """Note that `player` moves, and return the clauses that this breaks.

        A move out of turn breaks X-TURN, and the turn then goes on from that player.
        """
        breaks = () if player == self.owner else ("X-TURN",)
        self.owner = player
        return breaks

    def played(self, player: str, card: str) -> None:
        symbol = symbol_of(card)
        if symbol == "reverse" and len(self.players) > 2:
            self.direction = -self.direction
        skips = symbol in ("skip", *DRAWS) or (symbol == "reverse" and len(self.players) == 2)
        self.owner = self.after(player, 2 if skips else 1)

    def clause(self, name: str) -> str:
        return f"{self.letter}-{name}"


def symbol_of(card: str) -> str:
    return card if card in WILDS else card.partition("-")[2]


def color_of(card: str) -> str | None:
    return None if card in WILDS else card.partition("-")[0]


def told_as_played(kind: str, **fields: Any) -> Told:
    """Return an event that the book records even if a clause forbids it."""
    return {"type": kind, "as_played": True, **fields}


def cards_drawn(player: str, cards: list[str]) -> Told:
    """Return a draw whose cards the program names."""
    return told_as_played("cards_drawn", player=player, cards=cards)

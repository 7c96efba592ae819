"""Games that other programs played, retold to the book in its own events.

Neither program is a reference: everything is told with `as_played`, which is a permission and no
claim, and each telling names the clauses that the book has to flag there, and no others.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from telling import Told

NAMES = ("ann", "bo", "cy", "di")
DRAWS = {"draw-two": 2, "wild-draw-four": 4}
WILDS = ("wild", "wild-draw-four")


class Telling(NamedTuple):
    """One event, and the clauses that it breaks."""

    event: Told
    breaks: tuple[str, ...] = ()


class ForeignGame(NamedTuple):
    """`score`: the sum of the hands left over, where the program adds it up."""

    players: tuple[str, ...]
    dealer: str
    tellings: tuple[Telling, ...]
    hands: dict[str, list[str]]
    winner: str
    score: int | None


class Table:
    """Whose turn it is by the booklet, so that a departure can be told from a move in turn."""

    def __init__(self, players: tuple[str, ...], letter: str) -> None:
        self.players = players
        self.letter = letter
        self.direction = 1
        self.owner = ""

    def after(self, player: str, steps: int = 1) -> str:
        at = self.players.index(player) + steps * self.direction
        return self.players[at % len(self.players)]

    def moves(self, player: str) -> tuple[str, ...]:
        """A move; out of turn it breaks X-TURN, and the turn goes on from its player."""
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


def _told(kind: str, **fields: Any) -> Told:
    return {"type": kind, "as_played": True, **fields}


def _drawn(player: str, cards: list[str]) -> Told:
    return _told("cards_drawn", player=player, cards=cards)


def recorded_game(path: Path, letter: str) -> ForeignGame:
    """A game of uno-engine from its file, judged by the booklet with this letter."""
    game = json.loads(path.read_text(encoding="utf-8"))
    players = tuple(game["players"])
    dealer = players[players.index(game["begins"]) - 1]
    return ForeignGame(
        players=players,
        dealer=dealer,
        tellings=tuple(_uno_engine(game, Table(players, letter), dealer)),
        hands=game["hands_at_end"],
        winner=game["winner"],
        score=game["score"],
    )


def _uno_engine(game: dict[str, Any], table: Table, dealer: str) -> Iterator[Telling]:
    yield Telling(_told("round_started", dealer=dealer, hands=game["hands"]))
    for card in (*game["ignored"], game["first"]):
        yield Telling(_told("first_card_turned", card=card))
    hands = {player: list(cards) for player, cards in game["hands"].items()}
    table.owner = game["begins"]
    top, color, drawn = game["first"], color_of(game["first"]), None
    for move in game["moves"]:
        player = move["player"]
        hand = hands[player]
        taken = move.get("next_draws", {}).get("cards") or move.get("cards") or []
        if "draws" in move:
            taken = [move["draws"]]
        renewed = _renewed(move, taken, table)
        if "plays" in move:
            card = move["plays"]
            breaks = list(table.moves(player))
            if drawn is not None and card != drawn:
                breaks.append(table.clause("KEEP"))
            hand.remove(card)
            if card == "wild-draw-four" and hand and _bluffs(hand, color, table.letter):
                breaks.append(table.clause("WILD4-LEGAL"))
            if move.get("uno") is False:
                breaks.append(table.clause("UNO"))
            told = {key: move[key] for key in ("color", "uno") if key in move}
            yield Telling(_told("card_played", player=player, card=card, **told), tuple(breaks))
            top, color, drawn = card, move.get("color") or color_of(card), None
            victim = table.after(player)
            table.played(player, card)
            if taken:
                yield from renewed
                hands[move["next_draws"]["player"]] += taken
                yield Telling(_drawn(move["next_draws"]["player"], taken))
            elif not hand and symbol_of(card) in DRAWS:
                # the engine forgets the draw of the last card: the hand is shown as it is
                shown = _told("hand_shown", player=victim, cards=hands[victim])
                yield Telling(shown, ("X-COUNT",))
        elif "caught_by" in move:
            yield Telling(_told("uno_caught", player=player, by=move["caught_by"]))
            yield from renewed
            hand += taken
            yield Telling(_drawn(player, taken))
        elif "draws" in move:
            breaks = list(table.moves(player))
            if table.letter == "B" and any(_keeps_back(card, top, color) for card in hand):
                breaks.append(table.clause("KEEP"))
            yield from renewed
            hand += taken
            yield Telling(_drawn(player, taken), tuple(breaks))
            drawn = move["draws"]
        else:
            yield Telling(_told("turn_passed", player=player))
            table.owner, drawn = table.after(player), None


def _renewed(move: dict[str, Any], taken: list[str], table: Table) -> Iterator[Telling]:
    """The engine takes a new deck out of nowhere when its pile runs out."""
    if "fresh_pile" in move:
        pile = [*taken, *move["fresh_pile"]]
        yield Telling(_told("pile_reshuffled", draw_pile=pile), (table.clause("RESHUFFLE"),))


def _bluffs(hand: list[str], color: str | None, letter: str) -> bool:
    return any(color_of(card) == color or (letter == "C" and card == "wild") for card in hand)


def _keeps_back(card: str, top: str, color: str | None) -> bool:
    if card in WILDS:
        return card == "wild"
    return color_of(card) == color or (top not in WILDS and symbol_of(card) == symbol_of(top))


RLCARD_COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
RLCARD_TRAITS = {"draw_2": "draw-two", "wild_draw_4": "wild-draw-four"}


def rlcard_game(seed: int, seats: int, letter: str) -> ForeignGame | None:
    """A game of rlcard between players who choose at random.

    None where the booklet can't begin with the card that rlcard began with.
    """
    numpy = __import__("numpy")
    from rlcard.games.uno import Game  # noqa: PLC0415

    game = Game(num_players=seats)
    game.np_random = numpy.random.RandomState(seed)
    game.init_game()
    players = NAMES[:seats]
    first = _rlcard_name(game.round.target)
    if letter == "C" and not symbol_of(first).isdigit():
        return None
    tellings = tuple(_rlcard(game, Table(players, letter), random.Random(seed)))
    hands = {
        player: [_rlcard_name(card) for card in seat.hand]
        for player, seat in zip(players, game.players, strict=True)
    }
    winner = players[game.round.winner[0]]
    # player 0 begins, so the last one deals
    return ForeignGame(players, players[-1], tellings, hands, winner, None)


def _rlcard_name(card: Any) -> str:
    trait = RLCARD_TRAITS.get(card.trait, card.trait)
    return trait if card.type == "wild" else f"{RLCARD_COLORS[card.color]}-{trait}"


def _rlcard(game: Any, table: Table, chance: random.Random) -> Iterator[Telling]:
    players = table.players
    dealt = [[_rlcard_name(card) for card in seat.hand] for seat in game.players]
    first = _rlcard_name(game.round.target)
    hands = {player: cards[:7] for player, cards in zip(players, dealt, strict=True)}
    yield Telling(_told("round_started", dealer=players[-1], hands=hands))
    color = {"color": RLCARD_COLORS[game.round.target.color]} if first in WILDS else {}
    yield Telling(_told("first_card_turned", card=first, **color))
    table.owner = _first_by_the_booklet(table, first)
    if dealt[0][7:]:
        yield Telling(_drawn(players[0], dealt[0][7:]))
    piles: list[list[str]] = []
    renew = game.round.replace_deck

    def replace_deck() -> None:
        renew()
        piles.append([_rlcard_name(card) for card in reversed(game.dealer.deck)])

    game.round.replace_deck = replace_deck
    while not game.is_over():
        before = [len(seat.hand) for seat in game.players]
        seat = game.round.current_player
        action = chance.choice(sorted(game.get_legal_actions()))
        renews_first = action == "draw" and not game.dealer.deck
        game.step(action)
        gained = [
            [_rlcard_name(card) for card in other.hand[had:]]
            for other, had in zip(game.players, before, strict=True)
        ]
        renewed = [
            Telling(_told("pile_reshuffled", draw_pile=pile), (table.clause("RESHUFFLE"),))
            for pile in piles
        ]
        piles.clear()
        if renews_first:
            yield renewed.pop(0)
        yield from _rlcard_move(game, table, players[seat], action, gained, renewed)


def _first_by_the_booklet(table: Table, first: str) -> str:
    """Who makes the first move: rlcard agrees on numbers and skips only."""
    if symbol_of(first) in ("skip", "draw-two", "wild"):
        return table.players[1]
    if symbol_of(first) == "reverse" and len(table.players) > 2:
        table.direction = -1
    return table.players[0]


def _rlcard_move(
    game: Any,
    table: Table,
    player: str,
    action: str,
    gained: list[list[str]],
    renewed: list[Telling],
) -> Iterator[Telling]:
    own = gained[table.players.index(player)]
    breaks = table.moves(player)
    card, color = _rlcard_name(game.round.target), game.round.target.color
    if action == "draw":
        if own:
            yield Telling(_drawn(player, own), breaks)
            table.owner = table.after(player)
            return
        yield Telling(_drawn(player, [card]), breaks)
        breaks = ()
    named = {"color": RLCARD_COLORS[color]} if card in WILDS else {}
    yield Telling(_told("card_played", player=player, card=card, **named), breaks)
    victim = table.after(player)
    table.played(player, card)
    yield from renewed
    drawn = gained[table.players.index(victim)]
    if drawn:
        yield Telling(_drawn(victim, drawn))
    elif symbol_of(card) in DRAWS:
        # a drawn wild-draw-four is a plain wild to rlcard: the next hand stays as it is
        held = [_rlcard_name(one) for one in game.players[table.players.index(victim)].hand]
        yield Telling(_told("hand_shown", player=victim, cards=held), ("X-COUNT",))

"""Games of rlcard (PyPI), played here from a seed."""

import random
from collections.abc import Iterator
from typing import Any

from tests.match.scenes.retelling import (
    DRAWS,
    NAMES,
    WILDS,
    ForeignGame,
    Table,
    Telling,
    cards_drawn,
    symbol_of,
    told_as_played,
)

RLCARD_COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
RLCARD_TRAITS = {"draw_2": "draw-two", "wild_draw_4": "wild-draw-four"}


def rlcard_game(seed: int, seats: int, letter: str) -> ForeignGame | None:
    """Play a game of rlcard between players who choose at random.

    Return None if the booklet ignores the first card that rlcard turned up.
    """
    import numpy as np
    from rlcard.games.uno import Game

    game = Game(num_players=seats)
    game.np_random = np.random.RandomState(seed)
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
    yield Telling(told_as_played("round_started", dealer=players[-1], hands=hands))
    color = {"color": RLCARD_COLORS[game.round.target.color]} if first in WILDS else {}
    yield Telling(told_as_played("first_card_turned", card=first, **color))
    table.owner = _first_by_the_booklet(table, first)
    if dealt[0][7:]:
        yield Telling(cards_drawn(players[0], dealt[0][7:]))
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
            Telling(told_as_played("pile_reshuffled", draw_pile=pile), (table.clause("RESHUFFLE"),))
            for pile in piles
        ]
        table.pile_known = table.pile_known or bool(piles)
        piles.clear()
        if renews_first:
            yield renewed.pop(0)
        yield from _rlcard_move(game, table, players[seat], action, gained, renewed)


def _first_by_the_booklet(table: Table, first: str) -> str:
    """Return who moves first by the booklet. Sets the direction if a reverse is turned up.

    rlcard agrees with the booklet on turned-up numbers and skips only.
    """
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
            yield Telling(cards_drawn(player, own), breaks)
            table.owner = table.after(player)
            return
        yield Telling(cards_drawn(player, [card]), breaks)
        breaks = ()
    named = {"color": RLCARD_COLORS[color]} if card in WILDS else {}
    yield Telling(told_as_played("card_played", player=player, card=card, **named), breaks)
    victim = table.after(player)
    table.played(player, card)
    yield from renewed
    drawn = gained[table.players.index(victim)]
    if drawn:
        yield Telling(cards_drawn(victim, drawn))
    elif symbol_of(card) in DRAWS:
        # A wild-draw-four that is drawn and laid is a plain wild to rlcard: the next player draws
        # nothing.
        held = [_rlcard_name(one) for one in game.players[table.players.index(victim)].hand]
        yield Telling(told_as_played("hand_shown", player=victim, cards=held), ("X-COUNT",))
        if table.pile_known:
            # The book took four cards off the pile that still lie there in rlcard, so the pile is
            # told again.
            pile = [_rlcard_name(one) for one in reversed(game.dealer.deck)]
            again = told_as_played("pile_reshuffled", draw_pile=pile)
            yield Telling(again, (table.clause("RESHUFFLE"),))

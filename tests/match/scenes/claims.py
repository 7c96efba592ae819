"""What golden rounds claim, and what the book shows for each kind of claim."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from scorekeeper.match.events.events import Event
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import Pending, Scoreboard, hands, rounds, scoreboard

NOTHING: Final = ("nothing", "nobody", "none")


def spoken(event: Event) -> str:
    """An inferred entry in the words of the golden rounds."""
    data = msgspec.to_builtins(event)
    player = data.get("player")
    match data["type"]:
        case "cards_drawn":
            count = data.get("count") or len(data.get("cards", ())) or 1
            return f"{player} draws {count}"
        case "card_given":
            return f"{player} gives 1 to {data['to']}"
        case "turn_passed":
            return f"{player} passes"
        case "pile_reshuffled":
            return "shuffle"
        case "round_ended":
            return "round ends"
        case "match_won":
            return "match won"
        case other:
            return str(other)


def listed(said: str) -> list[str]:
    """Return the parts of a comma-separated list. The words in `NOTHING` mean an empty list."""
    return [] if said in NOTHING else [one.strip() for one in said.split(",")]


def _numbers(said: str) -> dict[str, int]:
    return {player: int(n) for player, n in (one.split() for one in said.split(","))}


def claimed(name: str, claim: str) -> object:
    """Return a claim in the form in which `shown` returns what the book shows."""
    if name == "violations":
        return [] if claim in NOTHING else sorted(claim.split())
    if name in ("counts", "scores", "points", "totals"):
        return _numbers(claim)
    if name in ("owes", "awaiting", "winners", "out of the match", "won by"):
        return listed(claim)
    if name in ("pile", "round"):
        return int(claim)
    if name == "hand":
        _, *cards = claim.split()
        return sorted(cards)
    return None if claim in NOTHING else claim


Show = Callable[[State, Scoreboard, str], object]

SHOWN: Final[Mapping[str, Show]] = {
    "turn": lambda _, board, __: board.turn,
    "top": lambda _, board, __: board.top_card,
    "color": lambda _, board, __: board.color,
    "names": lambda _, board, __: board.color_pending,
    "owes": lambda _, board, claim: [_debt(one, open_="?" in claim) for one in board.pending],
    "pile": lambda _, board, __: board.draw_pile_count,
    "phase": lambda _, board, __: board.phase,
    "direction": lambda _, board, __: board.direction,
    "awaiting": lambda _, board, __: list(board.awaiting_hands),
    "dealer": lambda _, board, __: board.dealer,
    "round": lambda _, board, __: board.round,
    "won by": lambda _, board, __: list(board.winners),
    "out of the match": lambda _, board, __: list(board.eliminated),
    "winners": lambda state, _, __: list(rounds(state)[-1].winners),
    "totals": lambda _, board, claim: _named(board.totals, claim),
    "scores": lambda state, _, claim: _named(rounds(state)[-1].scores, claim),
    "points": lambda state, _, claim: _named(rounds(state)[-1].hand_points, claim),
    "counts": lambda state, _, claim: _named(
        {player: len(hand.known) + (hand.unknown or 0) for player, hand in hands(state).items()},
        claim,
    ),
    "hand": lambda state, _, claim: _held(state, claim.split(maxsplit=1)[0]),
}


def shown(state: State, name: str, claim: str) -> object:
    """Return what the book shows for the name of a claim.

    Of the players' numbers, only those are returned that the claim names.
    """
    return SHOWN[name](state, scoreboard(state, match="m", position=1), claim)


def _named(numbers: Mapping[str, int | None], claim: str) -> dict[str, int | None]:
    return {player: numbers[player] for player in _numbers(claim)}


def _held(state: State, player: str) -> list[str]:
    hand = hands(state)[player]
    return sorted([*hand.known, *(["?"] * (hand.unknown or 0))])


def _debt(pending: Pending, *, open_: bool) -> str:
    """Return a debt in the words of the golden rounds.

    `open_`: the booklet does not say which clause applies, so the round has `?` in its place.
    """
    verb = "" if pending.kind == "draw" else f" {pending.kind}s"
    return f"{pending.player}{verb} {pending.count} {'?' if open_ else pending.clause}"

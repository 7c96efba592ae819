"""The rounds of a match, each as it was dealt, ended and scored."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.table.hand import Hand
from scorekeeper.match.table.state import Round, RoundStatus, State


class HandAtEnd(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand when the round ended: its cards, or its points and perhaps their number."""

    cards: tuple[str, ...] | None = None
    points: int | None = None
    cards_left: int | None = None


class RoundView(Struct, frozen=True, kw_only=True):
    """One round; the mappings name the players in seating order.

    `hands` and `hand_points` hold None for a hand that nobody told. `scores` is empty until the
    round has ended, and for a voided one. `charges`: points counted at catches, scores included.
    `substitutes`: who sat in for whom. `tallied`: told as a whole. `first_version` and
    `last_version`: the entries that the round spans, both included.
    """

    round: int
    status: RoundStatus
    dealer: str | None
    players: tuple[str, ...]
    substitutes: Mapping[str, str]
    winners: tuple[str, ...]
    hands: Mapping[str, HandAtEnd | None]
    hand_points: Mapping[str, int | None]
    scores: Mapping[str, int]
    charges: Mapping[str, int]
    tallied: bool
    first_version: int
    last_version: int


def rounds(state: State) -> tuple[RoundView, ...]:
    """All rounds begun, in order; the running one, if there is one, is the last."""
    return tuple(reversed([_view(state, dealt) for dealt in state.latest_first()]))


def _view(state: State, dealt: Round) -> RoundView:
    running = dealt.status == "running"
    charges = state.table.charges if running and state.table else dealt.charges
    return RoundView(
        round=dealt.number,
        status=dealt.status,
        dealer=dealt.dealer,
        players=dealt.seating,
        substitutes=dealt.substitutes,
        winners=dealt.winners,
        hands={} if running else {p: _at_end(hand) for p, hand in dealt.hands.items()},
        hand_points=dealt.hand_points,
        scores=dealt.scores,
        charges={p: charges[p] for p in dealt.seating if p in charges},
        tallied=dealt.tally is not None,
        first_version=dealt.first_version,
        last_version=state.version if running else dealt.last_version,
    )


def _at_end(hand: Hand) -> HandAtEnd | None:
    if hand.points is not None:
        return HandAtEnd(points=hand.points, cards_left=hand.count)
    if hand.unknown == 0:
        return HandAtEnd(cards=hand.known)
    return None

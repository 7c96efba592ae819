"""The scoreboard: a match as it stands."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.opening import OptionsInForce, ScoringInForce
from scorekeeper.match.state import Direction, Phase, State, Status


class Pending(Struct, frozen=True, kw_only=True):
    """A debt of cards; `kind`: `draw` or `give`; `clause`: the one that caused it."""

    kind: str
    player: str
    count: int
    clause: str


class TeamTotal(Struct, frozen=True, kw_only=True):
    """A team and what it has scored together."""

    players: tuple[str, ...]
    total: int


class Scoreboard(Struct, frozen=True, kw_only=True):
    """None stands for what nobody told.

    `position`: of entry `version` in the league's ledger. `players`: the seating, clockwise.
    `round`: rounds begun. `dealer`: of the running round, between rounds of the next.
    `pending`: oldest first. `eliminated`: in the order of going out. `winners`: in seating order.
    """

    match: str
    edition: str
    revision: int
    status: Status
    phase: Phase
    version: int
    position: int
    players: tuple[str, ...]
    scoring: ScoringInForce
    options: OptionsInForce
    round: int
    dealer: str | None
    turn: str | None
    direction: Direction
    top_card: str | None
    color: str | None
    pending: tuple[Pending, ...]
    awaiting_hands: tuple[str, ...]
    draw_pile_count: int | None
    color_pending: str | None
    hand_counts: Mapping[str, int] | None
    totals: Mapping[str, int]
    teams: tuple[TeamTotal, ...] | None
    rounds_won: Mapping[str, int]
    eliminated: tuple[str, ...]
    winners: tuple[str, ...]
    violations: int
    amendments: int
    voided: int
    open_disputes: int


def scoreboard(state: State, *, match: str, position: int) -> Scoreboard:
    """The state in the contract's words, under the names that the ledger gave it."""
    counts = _hand_counts(state)
    return Scoreboard(
        match=match,
        edition=state.edition.id,
        revision=state.edition.revision,
        status=state.status,
        phase=state.phase,
        version=state.version,
        position=position,
        players=state.seating,
        scoring=state.scoring,
        options=state.options,
        round=state.round,
        dealer=state.dealer,
        turn=None,
        direction=state.direction,
        top_card=None,
        color=None,
        pending=(),
        awaiting_hands=(),
        draw_pile_count=state.box.size - sum(counts.values()) if counts else None,
        color_pending=None,
        hand_counts=counts,
        totals=state.totals.copy(),
        teams=tuple(TeamTotal(players=team, total=state.totals[team[0]]) for team in state.teams)
        or None,
        rounds_won=state.rounds_won.copy(),
        eliminated=state.eliminated,
        winners=state.winners,
        violations=state.violations,
        amendments=0,
        voided=0,
        open_disputes=0,
    )


def _hand_counts(state: State) -> dict[str, int] | None:
    """Known while cards are dealt; a tally leaves no cards to count."""
    if state.phase != "turning":
        return None
    return {player: hand.count for player, hand in state.hands.items() if hand.count is not None}

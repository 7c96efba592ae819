"""The scoreboard: a match as it stands."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from scorekeeper.match.events.opening import OptionsInForce, ScoringInForce
from scorekeeper.match.table.hand import held
from scorekeeper.match.table.pile import height
from scorekeeper.match.table.state import Phase, State, Status
from scorekeeper.match.table.table import Direction, Table
from scorekeeper.match.turns.shown import awaited
from scorekeeper.rules.house_rules import Chosen


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
    `house_rules`: those that depart from the booklet; `house_rules_revision`: None where the
    opening sent none. `round`: rounds begun. `dealer`: of the running round, between rounds of the
    next. `pending`: oldest first. `rounds_won`: rounds in which the player's own hand was emptied;
    a partner's count for the partner alone. `eliminated`: in the order of going out. `winners`: in
    seating order. `substitutes`: who sits in, by column; absent where nobody does.
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
    house_rules: Chosen
    house_rules_revision: int | None
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
    substitutes: Mapping[str, str] | UnsetType = UNSET


def scoreboard(state: State, *, match: str, position: int) -> Scoreboard:
    """The state in the contract's words, under the names that the ledger gave it."""
    table = state.table
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
        house_rules=state.edition.house.chosen,
        house_rules_revision=state.edition.house.revision,
        round=state.round,
        dealer=state.dealer,
        turn=table.turn if table else None,
        direction=table.direction if table else "clockwise",
        top_card=table.top if table else None,
        color=table.color if table else None,
        pending=_pending(table),
        awaiting_hands=awaited(state),
        draw_pile_count=height(table.pile) if table else None,
        color_pending=table.color_pending if table else None,
        hand_counts={p: held(hand) for p, hand in table.hands.items()} if table else None,
        totals=totals(state),
        teams=_teams(state) if state.teams else None,
        rounds_won=state.rounds_won.copy(),
        eliminated=(*state.eliminated, *(table.out if table and state.running else ())),
        winners=state.winners,
        violations=state.violations,
        amendments=state.amendments,
        voided=state.voided,
        open_disputes=state.open_disputes,
        substitutes=state.substitutes.copy() or UNSET,
    )


def totals(state: State) -> dict[str, int]:
    """By player, in the seating of the opening; with what catches have cost in a running round."""
    table = state.table
    charges: Mapping[str, int] = table.charges if table and state.running else {}
    if not charges:
        return state.totals.copy()
    return {player: total + charges.get(player, 0) for player, total in state.totals.items()}


def _teams(state: State) -> tuple[TeamTotal, ...]:
    return tuple(TeamTotal(players=team, total=state.totals[team[0]]) for team in state.teams)


def _pending(table: Table | None) -> tuple[Pending, ...]:
    if table is None or not table.debts:
        return ()
    return tuple(
        Pending(kind=debt.kind, player=debt.player, count=debt.count, clause=debt.clause)
        for debt in table.debts
    )

"""The scoreboard: a match as it stands, its hands and its rounds.

The hands are those of the running round, or of the one that ended last. Each round is shown as it
was dealt, ended and scored. The totals round by round are for the plots of a match and of a
tournament.
"""

from collections.abc import Iterable, Mapping
from itertools import accumulate, zip_longest
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from scorekeeper.match.events.opening import OptionsInForce, ScoringInForce
from scorekeeper.match.known_cards import Hand, card_count, height
from scorekeeper.match.state import Phase, Round, RoundStatus, State, Status
from scorekeeper.match.table import Direction, Table
from scorekeeper.match.turns.closing import caught_out
from scorekeeper.match.turns.shown import awaited_players
from scorekeeper.rules.edition import ChosenVariants
from scorekeeper.tournament.standings import Results
from scorekeeper.tournament.tournament import Tournament

_Scores: TypeAlias = Mapping[str, list[int]]
"""What each column scored in its rounds, in their order."""


class Pending(Struct, frozen=True, kw_only=True):
    """A debt of cards. `kind` is `draw` or `give`, `clause` the clause that caused the debt."""

    kind: str
    player: str
    count: int
    clause: str


class TeamTotal(Struct, frozen=True, kw_only=True):
    """A team and what it has scored together."""

    players: tuple[str, ...]
    total: int


class Scoreboard(Struct, frozen=True, kw_only=True):
    """A match at a version. Null stands for what was not recorded.

    `position`: the position of entry `version` in the league's ledger. `players`: the seating,
    clockwise. `house_rules`: those that depart from the booklet. `house_rules_revision`: null if
    the opening sent no house rules. `round`: how many rounds were begun. `dealer`: of the running
    round, between rounds that of the next. `pending`: oldest first. `rounds_won`: rounds in which
    the player emptied the hand; a partner's rounds count for the partner alone. `eliminated`: in
    the order of elimination. `winners`: in seating order. `substitutes`: who sits in, by the player
    whose seat it is; absent if nobody does.
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
    house_rules: ChosenVariants
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
    """Return the scoreboard of a state. `match` and `position` are what the ledger calls it."""
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
        awaiting_hands=awaited_players(state),
        draw_pile_count=height(table.pile) if table else None,
        color_pending=table.color_pending if table else None,
        hand_counts={p: card_count(hand) for p, hand in table.hands.items()} if table else None,
        totals=totals(state),
        teams=_teams(state) if state.teams else None,
        rounds_won=state.rounds_won,
        eliminated=(*state.eliminated, *caught_out(state)),
        winners=state.winners,
        violations=state.violations,
        amendments=state.amendments,
        voided=state.voided,
        open_disputes=state.open_disputes,
        substitutes=state.substitutes or UNSET,
    )


def totals(state: State) -> Mapping[str, int]:
    """Return the totals by player, in the seating of the opening.

    They include the points counted at catches in a running round.
    """
    charges = state.charges
    if not charges:
        return state.totals
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


class HandView(Struct, frozen=True, kw_only=True):
    """The known cards of a hand, and the number of unknown ones, null if it is not known."""

    known: tuple[str, ...]
    unknown: int | None


def hands(state: State) -> Mapping[str, HandView]:
    """Return the hands by player, in seating order. Empty before the first round."""
    return {
        player: HandView(known=hand.known, unknown=hand.unknown)
        for player, hand in state.hands.items()
    }


class HandAtEnd(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand when the round ended: its cards, or its points and perhaps the number of cards."""

    cards: tuple[str, ...] | None = None
    points: int | None = None
    cards_left: int | None = None


class RoundView(Struct, frozen=True, kw_only=True):
    """One round; the mappings name the players in seating order.

    `hands` and `hand_points` have null for a hand that was not recorded. `scores` is empty until
    the round has ended, and for a voided round that is dealt again. A voided round that is not
    dealt again has 0 for all. `charges`: points counted at catches, which `scores` include.
    `substitutes`: who sat in, by the player whose seat it is. `tallied`: the round was recorded as
    a whole. `first_version` and `last_version`: the entries that the round spans, both included.
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
    """Return all rounds begun, in order. The running one, if there is one, is the last."""
    return tuple(reversed([_view(state, dealt) for dealt in state.latest_first()]))


def _view(state: State, dealt: Round) -> RoundView:
    running = dealt.status == "running"
    charges = state.charges if running else dealt.charges
    return RoundView(
        round=dealt.number,
        status=dealt.status,
        dealer=dealt.dealer,
        players=dealt.seating,
        substitutes=dealt.substitutes,
        winners=dealt.winners,
        hands={} if running else {p: _at_end(hand) for p, hand in dealt.hands.items()},
        hand_points=dealt.hand_points,
        scores=dealt.scores or _nothing_scored(dealt),
        charges={p: charges[p] for p in dealt.seating if p in charges},
        tallied=dealt.tally is not None,
        first_version=dealt.first_version,
        last_version=state.version if running else dealt.last_version,
    )


def _nothing_scored(dealt: Round) -> Mapping[str, int]:
    """Return the scores of a round that has none: 0 for all if the round counts."""
    return dict.fromkeys(dealt.seating, 0) if dealt.counted else {}


def _at_end(hand: Hand) -> HandAtEnd | None:
    if hand.points is not None:
        return HandAtEnd(points=hand.points, cards_left=hand.count)
    if hand.unknown == 0:
        return HandAtEnd(cards=hand.known)
    return None


class Progress(Struct, frozen=True, kw_only=True):
    """Row k has the total of each column after the k-th counted round of that column.

    Null if a column has fewer rounds. A round counts if it has ended. A round that was voided and
    is not dealt again counts, too, with 0 for all.
    """

    columns: tuple[str, ...]
    rounds: tuple[tuple[int | None, ...], ...]


def match_progress(state: State) -> Progress:
    """Return the totals round by round. The columns are the players in the seating of the opening.

    A round does not count for a player who was eliminated before. Catches count with their round.
    """
    scores: _Scores = {player: [] for player in state.opened.players}
    for dealt in reversed([dealt for dealt in state.latest_first() if dealt.counted]):
        _add(scores, dealt.played_by, dealt.scores)
    return _totals(scores)


def tournament_progress(tournament: Tournament, results: Results) -> Progress:
    """Return the totals round by round, in the order of the schedule.

    In this order, each player plays one table after the other. The columns are in the order of
    entry. The last number of a column is the player's total in the standings.
    """
    scores: _Scores = {player: [] for player in tournament.players}
    for table in tournament.schedule.tables:
        for result in results[table.match].rounds:
            _add(scores, result.scores, result.scores)
    return _totals(scores)


def _add(scores: _Scores, players: Iterable[str], scored: Mapping[str, int]) -> None:
    for player in players:
        scores[player].append(scored.get(player, 0))


def _totals(scores: _Scores) -> Progress:
    totals = (accumulate(own) for own in scores.values())
    return Progress(columns=tuple(scores), rounds=tuple(zip_longest(*totals)))

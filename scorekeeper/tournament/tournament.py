"""A tournament: what is refused at its opening, how its matches are opened, and its state.

The state is folded from the tournament's own stream. Results belong to the matches.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from scorekeeper.match.events.fields import in_utc
from scorekeeper.match.events.opening import MatchOpened, Opening, Scoring, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.scoring import MODES, ModeName
from scorekeeper.tournament.events import (
    PlayerWithdrawn,
    SeatTakenOver,
    TieDrawn,
    TournamentClosed,
    TournamentEvent,
    TournamentOpened,
    TournamentOpening,
)
from scorekeeper.tournament.schedule import (
    DESIGNS,
    ROUNDS_OF_A_PATTERN,
    Schedule,
    ScheduledTable,
    nearest,
    schedule,
)

DEFAULT_MODE: Final[ModeName] = "lowest-total"
"""The mode in which partners score in the only booklet with rotating partners (B-TEAM)."""

# Followers of a tournament ask for its schedule repeatedly. To make that of 41 players takes 2 ms.
_laid_out = lru_cache(maxsize=16)(schedule)


def mode_of(scoring: Scoring | None) -> ModeName:
    """Return the mode in which all tables are scored. `scoring`: that of the opening."""
    return DEFAULT_MODE if scoring is None else scoring.mode or DEFAULT_MODE


def open_tournament(
    edition: Edition, tournament: str, opening: TournamentOpening
) -> TournamentOpened | Refusal:
    """Return the first event of a tournament, or why it can't be opened.

    `edition` is the one that the opening names, as it is played by the opening's house rules.
    """
    refused = _refused_players(opening) or _refused_rounds(opening) or _refused_scoring(opening)
    if refused is not None:
        return refused
    opened = TournamentOpened(
        tournament=tournament,
        name=opening.name,
        edition=opening.edition,
        players=opening.players,
        rounds_per_partner=opening.rounds_per_partner,
        cycles=opening.cycles,
        scoring=opening.scoring,
        options=opening.options,
        house_rules=opening.house_rules,
        at=in_utc(opening.at),
        revision=edition.revision,
        house_rules_revision=edition.house.revision,
    )
    # All tables are alike but for the names: what holds for one holds for each.
    first = next(table_openings(opened))[1]
    refused_table = open_match(edition, first)
    return refused_table if isinstance(refused_table, Refusal) else opened


def schedule_of(opened: TournamentOpened) -> Schedule:
    """Return the schedule. It is computed from the opening, since the log does not store it."""
    return _laid_out(
        opened.tournament,
        opened.players,
        rounds_per_partner=opened.rounds_per_partner,
        cycles=opened.cycles,
    )


def tables_opened(edition: Edition, opened: TournamentOpened) -> Iterator[tuple[str, MatchOpened]]:
    """Yield the slug and the first event of each table's match, in the order of the schedule."""
    for match, opening in table_openings(opened):
        first = open_match(edition, opening)
        assert isinstance(first, MatchOpened)
        yield match, replace(first, tournament=opened.tournament)


def table_openings(opened: TournamentOpened) -> Iterator[tuple[str, Opening]]:
    """Yield what each table's match is opened with, in the order of the schedule."""
    for table in schedule_of(opened).tables:
        yield table.match, _opening(opened, table)


def _opening(opened: TournamentOpened, table: ScheduledTable) -> Opening:
    told = opened.scoring or Scoring()
    return Opening(
        edition=opened.edition,
        players=table.rounds[0].players,
        teams=table.teams,
        scoring=Scoring(
            mode=mode_of(told),
            target=None,
            rounds=len(table.rounds),
            team_scoring=told.team_scoring,
        ),
        options=opened.options,
        house_rules=opened.house_rules,
        seating=table.seating,
        at=opened.at,
    )


def _refused_players(opening: TournamentOpening) -> Refusal | None:
    players = opening.players
    if len(set(players)) < len(players):
        return Refusal(code="players-invalid", facts={"twice": _twice(players)})
    if len(players) not in DESIGNS:
        facts = {"count": len(players), "nearest": nearest(len(players))}
        return Refusal(code="players-not-schedulable", clause="X-ROTATE", facts=facts)
    return None


def _twice(players: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({player for player in players if players.count(player) > 1}))


def _refused_rounds(opening: TournamentOpening) -> Refusal | None:
    rounds = opening.rounds_per_partner
    if rounds % ROUNDS_OF_A_PATTERN == 0:
        return None
    facts = {"rounds_per_partner": rounds, "multiple_of": ROUNDS_OF_A_PATTERN}
    return Refusal(code="rounds-per-partner-invalid", clause="X-ROTATE", facts=facts)


def _refused_scoring(opening: TournamentOpening) -> Refusal | None:
    """Refuse a target, and a number of rounds other than `rounds_per_partner`.

    Every table plays a fixed number of rounds, so that all columns can be compared.
    """
    told = opening.scoring
    if told is None:
        return None
    played = opening.rounds_per_partner
    facts = {"mode": mode_of(told), "rounds_per_partner": played}
    if told.target is not UNSET and told.target is not None:
        return Refusal(code="scoring-invalid", facts=facts | {"target": told.target})
    if told.rounds not in (UNSET, None, played):
        return Refusal(code="scoring-invalid", facts=facts | {"rounds": told.rounds})
    return None


class Tournament(Struct, frozen=True, kw_only=True):
    """The state of a tournament.

    `substitutes`: who sits in for whom, by column. `withdrawn`: the players who withdrew, in order.
    `reasons`: why they did, for those of whom it was told. `drawn`: the orders of drawn lots, the
    latest draw first. `closing_reason`: why it was closed, None if nobody told.
    """

    opened: TournamentOpened
    schedule: Schedule
    version: int = 1
    substitutes: Mapping[str, str] = {}
    withdrawn: tuple[str, ...] = ()
    reasons: Mapping[str, str] = {}
    drawn: tuple[tuple[str, ...], ...] = ()
    closed: bool = False
    closing_reason: str | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of entry. A column keeps its name if a substitute sits in."""
        return self.opened.players

    def order_drawn(self, tied: Collection[str]) -> tuple[str, ...] | None:
        """Return the order of the lots drawn last among exactly these; None: none were."""
        return next((order for order in self.drawn if set(order) == set(tied)), None)

    @property
    def lowest_wins(self) -> bool:
        return MODES[mode_of(self.opened.scoring)].lowest_wins


def initial(opened: TournamentOpened) -> Tournament:
    """Return the tournament at version 1."""
    return Tournament(opened=opened, schedule=schedule_of(opened))


def fold(tournament: Tournament, events: Iterable[TournamentEvent]) -> Tournament:
    """Return the tournament after more events of its stream."""
    for event in events:
        tournament = evolve(tournament, event)
    return tournament


def evolve(before: Tournament, event: TournamentEvent) -> Tournament:
    """Return the tournament after one event, which was decided on `before`."""
    after = replace(before, version=before.version + 1)
    match event:
        case SeatTakenOver(player=player, substitute=substitute):
            own = {} if substitute == player else {player: substitute}
            return replace(after, substitutes=_without(before.substitutes, player) | own)
        case PlayerWithdrawn(player=player, reason=reason):
            return replace(
                after,
                substitutes=_without(before.substitutes, player),
                withdrawn=(*before.withdrawn, player),
                reasons={**before.reasons, player: reason} if reason else before.reasons,
            )
        case TieDrawn(order=order):
            return replace(after, drawn=(order, *before.drawn))
        case TournamentClosed(reason=reason):
            return replace(after, closed=True, closing_reason=reason)


def by_column(tournament: Tournament, event: TournamentEvent) -> TournamentEvent:
    """Return the event with players (columns) in place of those who sit in for them."""
    columns = {person: column for column, person in tournament.substitutes.items()}
    match event:
        case SeatTakenOver(player=player) | PlayerWithdrawn(player=player):
            return replace(event, player=columns.get(player, player))
        case TieDrawn(order=order):
            return replace(event, order=tuple(columns.get(player, player) for player in order))
        case TournamentClosed():
            return event


def _without(substitutes: Mapping[str, str], player: str) -> dict[str, str]:
    return {column: person for column, person in substitutes.items() if column != player}

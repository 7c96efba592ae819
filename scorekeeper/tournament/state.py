"""The state of a tournament, folded from its own stream. Results belong to the matches."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.opening import Scoring
from scorekeeper.rules.scoring import MODES
from scorekeeper.tournament.events import (
    PlayerWithdrawn,
    SeatTakenOver,
    TieDrawn,
    TournamentClosed,
    TournamentEvent,
    TournamentOpened,
)
from scorekeeper.tournament.opening import DEFAULT_MODE, schedule_of
from scorekeeper.tournament.schedule import Schedule


class Tournament(Struct, frozen=True, kw_only=True):
    """`substitutes`: who sits in for whom. `drawn`: the lots, the latest first."""

    opened: TournamentOpened
    schedule: Schedule
    version: int = 1
    substitutes: Mapping[str, str] = {}
    withdrawn: tuple[str, ...] = ()
    drawn: tuple[tuple[str, ...], ...] = ()
    closed: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        """In the order of entry; a column keeps its name whoever sits in."""
        return self.opened.players

    @property
    def lowest_wins(self) -> bool:
        told = self.opened.scoring or Scoring()
        return MODES[told.mode or DEFAULT_MODE].lowest_wins


def initial(opened: TournamentOpened) -> Tournament:
    """The tournament at version 1."""
    return Tournament(opened=opened, schedule=schedule_of(opened))


def fold(tournament: Tournament, events: Iterable[TournamentEvent]) -> Tournament:
    """The tournament after more events of its stream."""
    for event in events:
        tournament = evolve(tournament, event)
    return tournament


def evolve(before: Tournament, event: TournamentEvent) -> Tournament:
    """The tournament after one event, which was decided on `before`."""
    after = replace(before, version=before.version + 1)
    match event:
        case SeatTakenOver(player=player, substitute=substitute):
            rest = {p: s for p, s in before.substitutes.items() if p != player}
            own = {} if substitute == player else {player: substitute}
            return replace(after, substitutes=rest | own)
        case PlayerWithdrawn(player=player):
            return replace(after, withdrawn=(*before.withdrawn, player))
        case TieDrawn(order=order):
            return replace(after, drawn=(order, *before.drawn))
        case TournamentClosed():
            return replace(after, closed=True)

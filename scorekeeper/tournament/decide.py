"""The decider of a tournament: whether an event is recorded, and what it does at the tables."""

from collections.abc import Iterator

from scorekeeper.match.events import events as at_table
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.tournament.events import (
    PlayerWithdrawn,
    SeatTakenOver,
    TieDrawn,
    TournamentClosed,
    TournamentEvent,
    event_type,
)
from scorekeeper.tournament.schedule import ScheduledTable
from scorekeeper.tournament.standings import Results, standings
from scorekeeper.tournament.tournament import Tournament


def decide(tournament: Tournament, event: TournamentEvent, results: Results) -> Refusal | None:
    """Return why an event is not recorded, None if it is.

    `results`: those of all tables.
    """
    match event:
        case TieDrawn():
            return _refused_draw(tournament, event, results)
        case _ if tournament.closed:
            return impossible("tournament-closed", type=event_type(event))
        case SeatTakenOver(player=player, substitute=substitute):
            return _refused_player(tournament, player) or _refused_substitute(
                tournament, player, substitute
            )
        case PlayerWithdrawn(player=player):
            return _refused_player(tournament, player)
        case TournamentClosed():
            return None


def at_the_tables(
    tournament: Tournament, event: TournamentEvent, results: Results
) -> Iterator[tuple[str, at_table.TableEvent]]:
    """Yield what is recorded in the matches at the tables along with an event of the tournament.

    Each item is the slug of a match, and the event to record in it. Only matches that are still
    open are changed, in the order of the schedule.
    """
    for table in _open_tables(tournament, results):
        seated = {player for team in table.teams for player in team}
        match event:
            case SeatTakenOver(player=player, substitute=substitute) if player in seated:
                yield (
                    table.match,
                    at_table.PlayerSubstituted(player=player, substitute=substitute, at=event.at),
                )
            case PlayerWithdrawn(player=player) if player in seated:
                reason = event.reason or f"{player} withdrew"
                yield table.match, at_table.MatchAbandoned(reason=reason, at=event.at)
            case TournamentClosed():
                reason = event.reason or "the tournament was closed"
                yield table.match, at_table.MatchAbandoned(reason=reason, at=event.at)
            case _:
                pass


def _open_tables(tournament: Tournament, results: Results) -> Iterator[ScheduledTable]:
    for table in tournament.schedule.tables:
        if results[table.match].status == "open":
            yield table


def _refused_player(tournament: Tournament, player: str) -> Refusal | None:
    if player not in tournament.players:
        return impossible("player-not-in-tournament", player=player)
    if player in tournament.withdrawn:
        return impossible("player-withdrawn", player=player)
    return None


def _refused_substitute(tournament: Tournament, player: str, substitute: str) -> Refusal | None:
    """Refuse a substitute who plays in another column.

    A person who already sits in for this player is accepted again, since some of the tables may not
    have recorded it.
    """
    others = [each for each in tournament.players if each != player]
    if substitute in others or substitute in map(tournament.substitutes.get, others):
        return impossible("substitute-in-tournament", player=player, substitute=substitute)
    return None


def _refused_draw(tournament: Tournament, event: TieDrawn, results: Results) -> Refusal | None:
    stand = standings(tournament, results)
    if not stand.complete:
        return impossible("rounds-outstanding")
    if sorted(event.order) in [sorted(tied) for tied in stand.tied]:
        return None
    tied = {"tied": stand.tied} if stand.tied else {}
    return impossible("not-tied", players=event.order, **tied)

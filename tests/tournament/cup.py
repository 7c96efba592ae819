"""A small tournament for tests, and results for it."""

import msgspec

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.tournament.events import TournamentEvent, TournamentOpened, TournamentOpening
from scorekeeper.tournament.standings import RoundResult, TableResult
from scorekeeper.tournament.tournament import Tournament, fold, initial, open_tournament

FOUR = ("ann", "bo", "cy", "di")
FIVE = (*FOUR, "ed")
EIGHT = (*FIVE, "flo", "gus", "hal")


def asked(**fields) -> TournamentOpening:
    return msgspec.convert(
        {"name": "The cup", "edition": "basic", "players": FOUR, **fields}, TournamentOpening
    )


def opening(**fields) -> TournamentOpened | Refusal:
    opening = asked(**fields)
    return open_tournament(latest(opening.edition), "cup", opening)


def cup(*events, **fields) -> Tournament:
    opened = opening(**fields)
    assert isinstance(opened, TournamentOpened), opened
    return fold(initial(opened), told(*events))


def told(*events) -> list[TournamentEvent]:
    return [msgspec.convert(event, TournamentEvent) for event in events]


def tables(tournament):
    return [table for segment in tournament.schedule.segments for table in segment.tables]


def results(tournament, scored, *, status="won"):
    """Return results for the tables of a tournament.

    `scored`: by table, the scores of the two teams in each round. The team that scores less has
    won.
    """
    found = {table.match: TableResult("open", ()) for table in tables(tournament)}
    for table, rounds in zip(tables(tournament), scored, strict=False):
        ours, theirs = table.teams
        found[table.match] = TableResult(
            status,
            tuple(
                RoundResult(
                    dict.fromkeys(ours, one) | dict.fromkeys(theirs, other),
                    ours if one < other else theirs,
                )
                for one, other in rounds
            ),
        )
    return found

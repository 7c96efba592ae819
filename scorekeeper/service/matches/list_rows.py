"""The stored views of a match, for lists and standings, written with the append itself.

They follow from the match's opening and its latest state alone: a fresh fold gives the same.
"""

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.writing.append import RowWrite
from scorekeeper.match.table.state import State
from scorekeeper.projections.scoreboard import totals
from scorekeeper.service.reading.tournaments import table_row
from scorekeeper.service.standings.changes import held_at, table_changes
from scorekeeper.store import matches


def list_row(league: str, match: str, state: State, opening: Entry) -> RowWrite:
    """The row of a match that was just opened; `state` includes what was recorded with it."""
    return matches.added(
        league=league,
        match=match,
        opened=opening.position,
        edition=state.edition.id,
        status=state.status,
        players=state.opened.players,
        winners=state.winners,
        opened_at=opening.time,
        held_at=held_at(state, opening.time),
        open_disputes=state.open_disputes,
        ending=_ending(state),
    )


def changed_views(
    league: str, match: str, before: State, after: State, *, won_at: int | None
) -> tuple[RowWrite, ...]:
    """What an append changes in the stored views: nothing while a round just goes on.

    `won_at`: the position of the entry by which the match, not won before it, came to be won.
    """
    rows: list[RowWrite] = []
    if "won" in (before.status, after.status):
        rows.extend(table_changes(league, match, before, after, won_at))
    if _shown(before) != _shown(after):
        rows.append(
            matches.changed(
                league=league,
                match=match,
                status=after.status,
                winners=after.winners,
                open_disputes=after.open_disputes,
                ending=_ending(after),
            )
        )
    if after.opened.tournament is not None and _played(before) != _played(after):
        rows.append(table_row(league, match, after))
    return tuple(rows)


def _shown(state: State) -> tuple[object, ...]:
    """What the list keeps: how a match ended, and whether it is disputed."""
    return state.status, state.winners, state.open_disputes, _ending(state)


def _ending(state: State) -> matches.Ending | None:
    return None if state.status == "open" else matches.Ending(state.round, totals(state))


def _played(state: State) -> tuple[object, ...]:
    return state.status, state.finished

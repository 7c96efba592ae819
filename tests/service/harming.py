"""The views of a database, what can be done to them, and play that goes on."""

from typing import Any

from sqlalchemy import Connection, Table, delete, update

from scorekeeper.store.tables import leagues, players, rating_progress, ratings, tokens
from scorekeeper.store.views import VIEWS as DECLARED
from tests.api.serving import League, note, tally

VIEWS = tuple(view.table for view in DECLARED if view.rebuilt)
RATINGS = (ratings, rating_progress)
NAMES = (leagues, players, tokens)


def changed(connection: Connection, table: Table) -> None:
    """Every column of the view that is no key says something else."""
    for column in table.columns:
        if not column.primary_key:
            value = 77 if column.type.python_type is int else "x"
            connection.execute(update(table).values({column: value}))


def deleted(connection: Connection, table: Table) -> None:
    connection.execute(delete(table))


def play_on(league: League, number: int) -> Any:
    """Open a match, add a note and win the match, one append at a time."""

    async def play() -> None:
        slug = f"on-{number}"
        opening = league.opening(match=slug, players=["ann", "bo"], scoring={"rounds": 1})
        for path, body in (
            ("/matches", opening),
            (f"/matches/{slug}/events", {"events": [note("a cup of tea")]}),
            (f"/matches/{slug}/events", {"events": [tally("ann", bo=number)]}),
        ):
            answer = await league.owner.asking("POST", path, json=body)
            assert answer.status_code == 201, answer.text

    return play()

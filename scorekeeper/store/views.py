"""The stored views: each is declared here once, and with which derivation a league's were written.

How the rows of a view follow from the log needs the rules, so it is registered above the store, in
`service/integrity/fresh_views`. Verifying, rebuilding, importing and the sweep of what an upgrade
left stale walk this list. They read the rows of a league in parts, and put them right.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, islice
from typing import Any, Final, TypeAlias

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)

from scorekeeper.store import tables
from scorekeeper.store.tables import ViewRow

DERIVATION: Final = 6
"""The number of today's way of deriving all of them (ADR 17).

Raise it by one whenever a stored view would hold something else than before for the same log, be it
another table, another column or another figure. A digest over a whole league
(`tests/store/derivations.txt`) goes red where that was forgotten.
"""

Columns: TypeAlias = Mapping[str, object]
Key: TypeAlias = tuple[object, ...]
"""A primary key without the league."""

_noted = tables.stored_views
_made_anew = text(
    "INSERT INTO stored_views (league, derivation) VALUES (:league, :derivation)"
    " ON CONFLICT (league) DO UPDATE SET derivation = excluded.derivation"
).bindparams(bindparam("league", type_=Text()), bindparam("derivation", type_=BigInteger()))

_PART = 1_000
_AT_ONCE = 200

Row = dict[str, Any]
"""All columns by name."""


class StoredView(Struct, frozen=True, kw_only=True, dict=True):
    """A table whose rows follow from the log of their league.

    `subject`: the column of the key that names what a row is derived from. `erasable`: columns that
    nobody can tell any more once something was erased of what the row is derived from. `given`:
    columns that follow from no log, as names do; such rows are compared, and not rebuilt.
    `of_all_matches`: one match that can't be replayed leaves the whole view untold. `behind`: it
    follows the results when somebody asks; where it is wrong it is dropped.
    """

    table: Table
    subject: str
    erasable: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    of_all_matches: bool = False
    behind: bool = False

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def rebuilt(self) -> bool:
        """Whether its rows are written from the log alone."""
        return not (self.given or self.behind)

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        """The columns of the primary key without the league, in order."""
        return tuple(column.name for column in self.table.primary_key if column.name != "league")

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The columns of the key, so that the rows of a subject stand side by side."""
        return (self.subject, *(name for name in self.key_names if name != self.subject))

    def key(self, row: Columns) -> Key:
        return tuple(row[name] for name in self.key_names)

    def is_whole(self, row: Columns) -> bool:
        """Whether it has all columns but the league, and may be written as it is."""
        return row.keys() >= {column.name for column in self.table.columns} - {"league"}

    def subject_of(self, key: Key) -> str:
        return str(key[self.key_names.index(self.subject)])


MATCHES: Final = StoredView(table=tables.matches, subject="match")
TOURNAMENTS: Final = StoredView(table=tables.tournaments, subject="tournament")
TOURNAMENT_TABLES: Final = StoredView(table=tables.tournament_tables, subject="match")
RESULTS: Final = StoredView(
    table=tables.results,
    subject="match",
    erasable=frozenset({"finished", "ordinal"}),
    of_all_matches=True,
)
STANDINGS: Final = StoredView(
    table=tables.standings,
    subject="player",
    erasable=frozenset({"streak", "longest_streak", "last_ordinal"}),
    of_all_matches=True,
)
RATINGS: Final = StoredView(table=tables.ratings, subject="player", behind=True)
PLAYERS: Final = StoredView(table=tables.players, subject="player", given=frozenset({"name"}))
TOKENS: Final = StoredView(
    table=tables.tokens, subject="token_id", given=frozenset({"name", "digest"})
)

VIEWS: Final = (
    MATCHES,
    TOURNAMENTS,
    TOURNAMENT_TABLES,
    RESULTS,
    STANDINGS,
    RATINGS,
    PLAYERS,
    TOKENS,
)
"""In the order in which they are compared: what another one rests on comes before it."""


def begun(league: str) -> ViewRow:
    """A league whose views are written by this program from its first entry on."""
    return _noted, {"league": league, "derivation": DERIVATION}


def made_anew(connection: Connection, league: str) -> None:
    """Note that all views of a league follow today's derivation."""
    connection.execute(_made_anew, {"league": league, "derivation": DERIVATION})


def up_to_date(connection: Connection) -> set[str]:
    """The leagues whose views follow today's derivation."""
    found = select(_noted.c.league).where(_noted.c.derivation == DERIVATION)
    return set(connection.execute(found).scalars())


def is_up_to_date(connection: Connection, league: str) -> bool:
    found = select(_noted.c.derivation).where(_noted.c.league == league)
    return connection.execute(found).scalar() == DERIVATION


def newest(connection: Connection) -> int:
    """The greatest derivation that any league's views were written with; 0 where none is known."""
    return connection.execute(select(func.max(_noted.c.derivation))).scalar() or 0


def forget(connection: Connection, league: str) -> None:
    """Drop the note on a league that is not there."""
    connection.execute(delete(_noted).where(_noted.c.league == league))


def rows_of(connection: Connection, view: StoredView, league: str) -> Iterator[Row]:
    """By their subject and key."""
    last: Row | None = None
    while rows := part_of(connection, view, league, last):
        yield from rows
        last = rows[-1]


def part_of(
    connection: Connection, view: StoredView, league: str, last: Columns | None
) -> list[Row]:
    """The next rows behind the last one in that order, some hundreds; none behind the last."""
    order = [view.table.c[name] for name in view.order]
    page = select(view.table).where(view.table.c.league == league).order_by(*order).limit(_PART)
    if last is not None:
        page = page.where(tuple_(*order) > tuple(last[name] for name in view.order))
    return [dict(row) for row in connection.execute(page).mappings()]


def rows_about(
    connection: Connection, view: StoredView, league: str, subjects: Collection[str]
) -> Iterator[Row]:
    """All that are derived from one of these, those of one side by side."""
    wanted = sorted(subjects)
    subject = view.table.c[view.subject]
    for start in range(0, len(wanted), _AT_ONCE):
        among = subject.in_(wanted[start : start + _AT_ONCE])
        found = connection.execute(
            select(view.table).where(view.table.c.league == league, among).order_by(subject)
        )
        yield from (dict(row) for row in found.mappings())


def leagues_in(connection: Connection, table: Table) -> Iterator[str]:
    """The leagues that a table has rows of."""
    after = ""
    while True:
        found: str | None = connection.execute(
            select(table.c.league).where(table.c.league > after).order_by(table.c.league).limit(1)
        ).scalar()
        if found is None:
            return
        yield found
        after = found


def add(connection: Connection, table: Table, league: str, rows: Iterable[Columns]) -> None:
    """New rows, told without their league, within the caller's transaction."""
    following = ({**row, "league": league} for row in rows)
    while part := list(islice(following, _PART)):
        connection.execute(insert(table), part)


def change(
    connection: Connection,
    view: StoredView,
    league: str,
    rows: Sequence[tuple[Key, Mapping[str, object]]],
) -> None:
    """The columns of rows that are to say something else."""
    table = view.table
    ordered = sorted(rows, key=lambda each: sorted(each[1]))
    for columns, same in groupby(ordered, key=lambda each: sorted(each[1])):
        values = {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in columns}
        connection.execute(
            update(table).where(*_at_key(table)).values(values),
            [
                _named_key(view, league, key)
                | {f"new_{name}": said for name, said in other.items()}
                for key, other in same
            ],
        )


def drop(connection: Connection, view: StoredView, league: str, keys: Sequence[Key]) -> None:
    if keys:
        dropped = delete(view.table).where(*_at_key(view.table))
        connection.execute(dropped, [_named_key(view, league, key) for key in keys])


def _at_key(table: Table) -> list[ColumnElement[bool]]:
    """The condition that one row meets."""
    return [column == bindparam(f"of_{column.name}") for column in table.primary_key]


def _named_key(view: StoredView, league: str, key: Key) -> dict[str, object]:
    named = zip(view.key_names, key, strict=True)
    return {"of_league": league} | {f"of_{name}": value for name, value in named}

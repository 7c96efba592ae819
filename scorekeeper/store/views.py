"""The stored views, each declared once, and the derivation with which a league's were written.

Deriving the rows of a view from the log needs the rules. So it is registered above the store, in
`service/integrity/fresh_views`. Verifying, rebuilding and importing walk this list, and so does the
rebuild of views that an upgrade made stale. They read the rows of a league in parts, and correct
them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import groupby, islice
from typing import Any, Final, TypeAlias

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
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

DERIVATION: Final = 8
"""The number of the present way of deriving the stored views (ADR 17).

Raise it by one whenever a stored view would hold something else than before for the same log, be it
another table, another column or another figure. If that is forgotten, the test of a whole league's
digest (`tests/store/derivations.txt`) fails.
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

    `subject`: the column of the key that names what a row is derived from, such as a match.
    `erasable`: columns that can't be derived any more once content of the subject was erased.
    `given`: columns that don't follow from the log, such as names. Rows of such a view are
    compared, and not rebuilt. `of_all_matches`: if one match can't be replayed, the view can't be
    derived at all. `behind`: the view is brought up to date only when somebody asks for it. Wrong
    rows are not corrected but dropped.
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
        """Whether a rebuild writes the view's rows from the log alone."""
        return not (self.given or self.behind)

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        """The columns of the primary key without the league, in order."""
        return tuple(column.name for column in self.table.primary_key if column.name != "league")

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows are sorted: first the subject, then the rest of the key."""
        return (self.subject, *(name for name in self.key_names if name != self.subject))

    @cached_property
    def select_part(self) -> Select[Any]:
        """Selects the first rows of a `league` in the order of `rows_of`."""
        return (
            select(self.table)
            .where(self.table.c.league == bindparam("league"))
            .order_by(*(self.table.c[name] for name in self.order))
            .limit(_PART)
        )

    @cached_property
    def select_about(self) -> Select[Any]:
        """Selects the rows of a `league` that are derived from `subjects`, sorted by subject."""
        subject = self.table.c[self.subject]
        return (
            select(self.table)
            .where(
                self.table.c.league == bindparam("league"),
                subject.in_(bindparam("subjects", expanding=True)),
            )
            .order_by(subject)
        )

    def key(self, row: Columns) -> Key:
        return tuple(row[name] for name in self.key_names)

    def is_whole(self, row: Columns) -> bool:
        """Return whether a row has all columns but the league, and can be written as it is."""
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
"""All stored views in the order in which they are compared: a view follows those it rests on."""


def begun(league: str) -> ViewRow:
    """Return the row of a new league, whose views this program writes from the first entry on."""
    return _noted, {"league": league, "derivation": DERIVATION}


def made_anew(connection: Connection, league: str) -> None:
    """Note that all views of a league follow today's derivation."""
    connection.execute(_made_anew, {"league": league, "derivation": DERIVATION})


def up_to_date(connection: Connection) -> set[str]:
    """Return the leagues whose views follow today's derivation."""
    found = select(_noted.c.league).where(_noted.c.derivation == DERIVATION)
    return set(connection.execute(found).scalars())


def is_up_to_date(connection: Connection, league: str) -> bool:
    found = select(_noted.c.derivation).where(_noted.c.league == league)
    return connection.execute(found).scalar() == DERIVATION


def newest(connection: Connection) -> int:
    """Return the greatest derivation that is noted for any league, 0 if none is."""
    return connection.execute(select(func.max(_noted.c.derivation))).scalar() or 0


def forget(connection: Connection, league: str) -> None:
    """Delete the noted derivation of a league that does not exist."""
    connection.execute(delete(_noted).where(_noted.c.league == league))


def rows_of(connection: Connection, view: StoredView, league: str) -> Iterator[Row]:
    """Yield all rows of a league in a view, in order of subject and key."""
    rows = part_of(connection, view, league, None)
    yield from rows
    while len(rows) == _PART:
        rows = part_of(connection, view, league, rows[-1])
        yield from rows


def part_of(
    connection: Connection, view: StoredView, league: str, last: Columns | None
) -> list[Row]:
    """Return the rows after the row `last` in the order of `rows_of`, up to 1,000 of them.

    `last` None: from the first row on. Empty if no rows are left.
    """
    part = view.select_part
    if last is not None:
        order = [view.table.c[name] for name in view.order]
        part = part.where(tuple_(*order) > tuple(last[name] for name in view.order))
    return [dict(row) for row in connection.execute(part, {"league": league}).mappings()]


def rows_about(
    connection: Connection, view: StoredView, league: str, subjects: Collection[str]
) -> Iterator[Row]:
    """Yield the rows that are derived from one of these subjects, sorted by subject."""
    wanted = sorted(subjects)
    for start in range(0, len(wanted), _AT_ONCE):
        parameters = {"league": league, "subjects": wanted[start : start + _AT_ONCE]}
        found = connection.execute(view.select_about, parameters)
        yield from (dict(row) for row in found.mappings())


def leagues_in(connection: Connection, table: Table) -> Iterator[str]:
    """Yield the leagues that a table has rows of."""
    league_after = _league_after(table)
    found: str | None = connection.execute(league_after, {"after": ""}).scalar()
    while found is not None:
        yield found
        found = connection.execute(league_after, {"after": found}).scalar()


@cache
def _league_after(table: Table) -> Select[Any]:
    """Selects the first league of a table's rows that comes `after` another one."""
    league = table.c.league
    return select(league).where(league > bindparam("after")).order_by(league).limit(1)


def add(connection: Connection, table: Table, league: str, rows: Iterable[Columns]) -> None:
    """Insert rows, which are given without the league, within the caller's transaction."""
    following = ({**row, "league": league} for row in rows)
    while part := list(islice(following, _PART)):
        connection.execute(insert(table), part)


def change(
    connection: Connection,
    view: StoredView,
    league: str,
    rows: Sequence[tuple[Key, Mapping[str, object]]],
) -> None:
    """Update rows. Each is named by its key, and has its changed columns with their new values."""
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
    """Return the condition that one row meets."""
    return [column == bindparam(f"of_{column.name}") for column in table.primary_key]


def _named_key(view: StoredView, league: str, key: Key) -> dict[str, object]:
    named = zip(view.key_names, key, strict=True)
    return {"of_league": league} | {f"of_{name}": value for name, value in named}

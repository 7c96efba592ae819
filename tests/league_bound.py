"""Finds the statements that do not name their league for every table that they touch.

Where tables are distributed by league, as on Citus, one server answers a statement that names its
league. Any other statement is sent to all servers, or refused.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import sqlglot
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlglot import exp

from scorekeeper.ledger import tables as ledger_tables
from scorekeeper.store import tables as store_tables

ROOT = Path(__file__).resolve().parents[1]
TABLES = (*ledger_tables.metadata.tables.values(), *store_tables.metadata.tables.values())
OF_LEAGUES = {table.name for table in TABLES if "league" in table.c}
OF_ALL_LEAGUES = {
    "ledger/ledger.py: Ledger.heads.<locals>.<lambda>": "doctor and restore compare every ledger",
    "ledger/ledger.py: Ledger.recorded_after.<locals>.<lambda>": "doctor looks at every clock",
    "ledger/integrity/raw_rows.py: leagues_with_a_head": "verify and rebuild walk every league",
    **dict.fromkeys(
        (
            f"ledger/writing/joint_statements.py: JointPostgresql.{name}"
            for name in ("heads", "streams", "repeated", "append")
        ),
        "never asked of Citus, as can_join tells",
    ),
    "ledger/writing/statements.py: read_sizes": "one question for all with followers",
    "store/invitations.py: end_of_admin": "a new admin token ends what the former one has made",
    "store/invitations.py: invited_by": "a code does not tell its league, and is typed once",
    "store/invitations.py: set_setup_code": "serve asks whether there is any league yet",
    "store/leagues.py: page": "the list of leagues, which the admin reads",
    "store/views.py: leagues_in": "rebuild goes through every league",
    "store/views.py: newest": "migrate and serve look for leagues to rebuild",
    "store/views.py: up_to_date": "migrate and serve look for leagues to rebuild",
}
"""The functions whose statements are about many leagues, with the reason.

On Citus none of them is part of an append.
"""

_NAMES = "|".join(sorted(OF_LEAGUES))
_OF_LEAGUES = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:{_NAMES})\b")
_DIALECTS = {"postgresql": "postgres", "sqlite": "sqlite"}
_SCOPES = (exp.Select, exp.Update, exp.Delete)


def unbound(statement: str, dialect: str) -> list[str]:
    """The tables of a statement for which no parameter says which league is meant."""
    tree = sqlglot.parse_one(_with_one_row(statement), dialect=_DIALECTS[dialect])
    return [
        table.name
        for table in tree.find_all(exp.Table)
        if table.name in OF_LEAGUES and not _is_bound(table)
    ]


def _with_one_row(statement: str) -> str:
    """Return the statement with one row of values.

    SQLAlchemy and the ledger write out all rows, and each has the form of the first.
    """
    rows = r"(\((?:\$\d+(?:::\w+)?(?:, )?)+\))(?:, \((?:\$\d+(?:::\w+)?(?:, )?)+\))+"
    return re.sub(rows, r"\1", statement)


def _is_bound(table: exp.Table) -> bool:
    if isinstance(table.parent, exp.Schema) and isinstance(table.parent.parent, exp.Insert):
        return _gives_its_league(table.parent.parent)
    scope = table.find_ancestor(*_SCOPES)
    return scope is not None and any(
        _is_league_of(table, scope, one) and _is_given(other)
        for condition in _conditions(scope)
        if isinstance(condition, exp.EQ)
        for one, other in ((condition.left, condition.right), (condition.right, condition.left))
    )


def _conditions(scope: exp.Expression) -> Iterator[exp.Expression]:
    """Yield each condition that rows must meet, from WHERE and from the ON of each JOIN."""
    joins = [join.args.get("on") for join in scope.args.get("joins") or ()]
    where = scope.args.get("where")
    for condition in (where and where.this, *joins):
        if condition is not None:
            parts = condition.flatten() if isinstance(condition, exp.And) else (condition,)
            for part in parts:
                yield part.unnest()


def _is_league_of(table: exp.Table, scope: exp.Expression, column: exp.Expression) -> bool:
    if not (isinstance(column, exp.Column) and column.name == "league"):
        return False
    if column.table:
        return bool(column.table == table.alias_or_name)
    return [
        each.name
        for each in scope.find_all(exp.Table)
        if each.find_ancestor(*_SCOPES) is scope or each.parent is scope
    ] == [table.name]


def _is_given(value: exp.Expression) -> bool:
    """Return whether the value is a parameter, with or without a cast."""
    if isinstance(value, exp.Cast):
        value = value.this
    return isinstance(value, (exp.Parameter, exp.Placeholder))


def _gives_its_league(insert: exp.Insert) -> bool:
    """Return whether each row's league is a parameter, or is selected in the same statement."""
    place = [column.name for column in insert.this.expressions].index("league")
    source = insert.expression
    if isinstance(source, exp.Values):
        return all(_is_given(row.expressions[place]) for row in source.expressions)
    chosen = {cte.alias for cte in insert.find_all(exp.CTE)}
    value = source.expressions[place].unalias()
    return _is_given(value) or (
        isinstance(value, exp.Column) and value.name == "league" and value.table in chosen
    )


class Statements:
    """The statements that the product sends, each with the function that sent it first."""

    def __init__(self) -> None:
        self.said: dict[tuple[str, str], str] = {}

    def listen(self, monkeypatch: Any) -> None:
        """Listen to SQLAlchemy, and to asyncpg, which the ledger also calls directly."""
        import asyncpg

        for name in ("execute", "executemany", "fetch", "fetchrow", "fetchval"):
            monkeypatch.setattr(asyncpg.Connection, name, self._noting(name, asyncpg.Connection))
        event.listen(Engine, "before_cursor_execute", self._before)

    def stop(self) -> None:
        event.remove(Engine, "before_cursor_execute", self._before)

    def _noting(self, name: str, connections: type) -> Any:
        """Return the method so that the call is noted, not the await, which others may do."""
        asked = getattr(connections, name)

        def asking(connection: Any, query: str, *rest: Any, **options: Any) -> Any:
            self._note(query, "postgresql")
            return asked(connection, query, *rest, **options)

        return asking

    def _before(self, connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        self._note(statement, connection.dialect.name)

    def _note(self, statement: str, dialect: str) -> None:
        if (statement, dialect) not in self.said:
            self.said[statement, dialect] = _by_whom(sys._getframe())

    def places(self) -> set[str]:
        """Return the functions of the product that sent a statement."""
        return set(self.said.values())

    def unbound(self) -> dict[str, set[str]]:
        """Return the product's functions that name no league, with the tables concerned."""
        found: dict[str, set[str]] = {}
        for (statement, dialect), place in self.said.items():
            if place and _OF_LEAGUES.search(statement) and (tables := unbound(statement, dialect)):
                found.setdefault(place, set()).update(tables)
        return found


def _by_whom(frame: FrameType | None) -> str:
    """Return the innermost function of this repository, or "" if it is not the product's."""
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(ROOT) and not file.is_relative_to(ROOT / ".venv"):
            place = file.relative_to(ROOT)
            if place.parts[0] != "scorekeeper":
                if place == Path(__file__).relative_to(ROOT):
                    frame = frame.f_back
                    continue
                return ""
            return f"{place.relative_to('scorekeeper')}: {frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""

"""Databases as older versions of this program left them, made from an exported league.

`club.tar.gz` holds at least one of everything. It was written once by `filling.py` and never
changes.
"""

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, column, insert, inspect, select, table
from sqlalchemy.types import TypeEngine

from scorekeeper.ledger import tables as ledger_tables
from scorekeeper.store import tables as store_tables
from scorekeeper.store.migrate import _config
from tests.api.serving import Served
from tests.commands import invoked
from tests.databases import in_database
from tests.service.filling import rate_to_the_end
from tests.service.harming import RATINGS, VIEWS

LEAGUE = "club"
GOLDEN = Path(__file__).parents[1] / "golden" / "ledgers" / f"{LEAGUE}.tar.gz"
DERIVATIONS = Path(__file__).with_name("derivations.txt")
REVISIONS = sorted(
    script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()
)
TABLES = (*ledger_tables.metadata.sorted_tables, *store_tables.metadata.sorted_tables)

Row = Mapping[str, Any]
Rows = Mapping[str, Sequence[Row]]
"""Rows by the name of their table."""


class Known(NamedTuple):
    """A past or present derivation of the stored views.

    `revision`: the migration it came with. `digest`: over the rows that it derives from the league.
    """

    number: int
    revision: str
    digest: str


def known_derivations() -> list[Known]:
    lines = DERIVATIONS.read_text(encoding="utf-8").splitlines()
    return [
        Known(int(number), revision, digest)
        for number, revision, digest in (line.split() for line in lines)
    ]


def derivation_at(revision: str) -> int | None:
    """Return the derivation of the program whose newest migration is `revision`."""
    return max(
        (each.number for each in known_derivations() if each.revision <= revision), default=None
    )


def bring_in(url: str, folder: Path) -> None:
    """Import the league with today's `import` command."""
    file = folder / f"{LEAGUE}.tar"
    file.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    done = invoked("import", file, "--database-url", url, "--data-dir", folder)
    assert done.exit_code == 0, done.output


def all_rows(connection: Connection) -> Rows:
    return {
        each.name: [dict(row) for row in connection.execute(select(each)).mappings()]
        for each in TABLES
    }


def views(url: str) -> Mapping[str, list[str]]:
    """The rows of all stored views."""
    rows = in_database(url, all_rows)
    return {each.name: sorted(map(repr, rows[each.name])) for each in (*VIEWS, *RATINGS)}


def migrate_to(connection: Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def write_as_of(url: str, revision: str, rows: Rows, *, stale: bool) -> None:
    """Create the tables of that revision and fill in the rows that fit its tables and columns.

    `stale`: numbers in views differ from today's, as another derivation would have counted.
    """

    def write(connection: Connection) -> None:
        migrate_to(connection, revision)
        seen = inspect(connection)
        for each in TABLES:
            if each.name not in seen.get_table_names() or not rows[each.name]:
                continue
            there = seen.get_columns(each.name)
            types: dict[str, TypeEngine[Any]] = {
                told["name"]: each.c[told["name"]].type if told["name"] in each.c else told["type"]
                for told in there
            }
            keys = set(seen.get_pk_constraint(each.name)["constrained_columns"])
            counted = {
                name
                for name, kind in types.items()
                if stale and each in (*VIEWS, *RATINGS) and isinstance(kind, BigInteger)
            }
            target = table(each.name, *(column(name, kind) for name, kind in types.items()))
            values = [
                {
                    name: _as_then(row.get(name, _nothing(kind)), otherwise=name in counted - keys)
                    for name, kind in types.items()
                }
                for row in rows[each.name]
            ]
            if each is store_tables.stored_views:
                values = [value | {"derivation": derivation_at(revision)} for value in values]
            connection.execute(insert(target), values)

    in_database(url, write)


def _as_then(value: Any, *, otherwise: bool) -> Any:
    return value + 1 if otherwise and value is not None else value


def _nothing(kind: TypeEngine[Any]) -> Any:
    """Return a value for a column that no longer exists."""
    return kind.python_type()


def answers(served: Served) -> dict[str, Any]:
    """Return all lists, tables, statistics and ratings of the league as the service has them."""
    root = f"/v1/leagues/{LEAGUE}"

    def ask(path: str, **request: Any) -> Any:
        answer = served.ask("GET", root + path, **request)
        assert answer.status_code == 200, answer.text
        return answer.text if request else answer.json()

    players = [each["player"] for each in ask("/players")["items"]]
    as_csv = {"headers": {"accept": "text/csv"}}
    paths = [
        "/matches",
        "/tournaments",
        "/tournaments/cup",
        "/tournaments/cup/standings",
        "/standings",
        "/results",
        *(f"/players/{player}" for player in players),
        *(f"/players/{player}/statistics" for player in players),
        *(f"/players/{player}/ratings" for player in players),
    ]
    rate_to_the_end(served, LEAGUE)
    found = {path: ask(path) for path in paths}
    found |= {f"{path} as CSV": ask(path, **as_csv) for path in ("/standings", "/results")}
    return found

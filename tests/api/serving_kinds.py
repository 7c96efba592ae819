"""Marks for tests that run on every kind of database."""

from collections.abc import Collection, Iterable

import pytest

from tests.databases import KINDS

on_both = pytest.mark.parametrize("kind", KINDS, indirect=True, scope="session")
# For behaviour above the database layer, if another test of the file covers PostgreSQL.
quick_on_sqlite = pytest.mark.parametrize(
    "kind",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)],
    indirect=True,
    scope="session",
)


def each_on_sqlite(
    name: str, values: Iterable[str], *, quick_on_postgresql: Collection[str]
) -> pytest.MarkDecorator:
    """Run a test with each value of a table; those that end above the database are slow there."""
    on_sqlite = [("sqlite", value) for value in values]
    on_postgresql = [
        pytest.param(
            "postgresql", value, marks=[] if value in quick_on_postgresql else pytest.mark.slow
        )
        for _, value in on_sqlite
    ]
    return pytest.mark.parametrize(
        ("kind", name), [*on_sqlite, *on_postgresql], indirect=["kind"], scope="session"
    )

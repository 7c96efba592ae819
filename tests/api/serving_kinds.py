"""Marks for tests that run on every kind of database."""

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

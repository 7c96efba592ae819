"""A mark for tests that run on every kind of database."""

import pytest
from databases import KINDS

on_both = pytest.mark.parametrize("kind", KINDS, indirect=True, scope="session")

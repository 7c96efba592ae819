"""What is handed over to be written with an append."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from sqlalchemy import Executable, Table

RowChange: TypeAlias = tuple[Executable, Mapping[str, Any]]
"""A statement that is built once, and its parameters."""

NewRow: TypeAlias = tuple[Table, Mapping[str, Any]]
"""A table and all columns of a new row: for what may come by the thousand."""

ViewRow: TypeAlias = RowChange | NewRow

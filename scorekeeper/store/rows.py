"""What is handed over to be written with an append."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Executable

Row = tuple[Executable, Mapping[str, Any]]
"""A statement that is built once, and its parameters."""

"""Checking rows by the rules, on all processors where there are many."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.cli.imports.parallel import parallel_map, processors
from scorekeeper.service.imports.checked_rows import CheckedMatch, check_rows
from scorekeeper.service.imports.result_rows import ResultRow

_SHARE: Final = 1_000
"""Rows for a process; with fewer it takes longer to begin than they do."""


def judged(tables: Sequence[Sequence[ResultRow]]) -> list[list[CheckedMatch]]:
    """As `check_rows`; there must be no threads yet."""
    shares = min(processors(), sum(map(len, tables)) // _SHARE)
    return parallel_map(check_rows, tables, max(1, shares))

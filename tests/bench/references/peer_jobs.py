"""What the peer is asked to do in a process of its own.

Nothing of the peer is imported here, so that a command tells its options also where the peer is not
installed.
"""

from typing import Any, Literal

import msgspec

from tests.bench.loads.bulk import Bulk


class Peer(msgspec.Struct):
    """A job: to write for so long, with so many threads."""

    socket: str
    database: str
    writers: int
    seconds: float
    warm_up: float
    told: dict[str, Any]
    enable_db_functions: bool


class PeerReplay(msgspec.Struct):
    """A job. `settings` are the peer's own; `bulk` describes the league whose matches it holds."""

    settings: dict[str, str]
    bulk: Bulk
    what: Literal["write", "read"]

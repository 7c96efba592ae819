"""The bounds that the documentation states are those of the code."""

from pathlib import Path
from typing import NamedTuple

import pytest

from scorekeeper import postgres
from scorekeeper.api import lists
from scorekeeper.api.layers import input_validation, rate_limits
from scorekeeper.cli import serve
from scorekeeper.ledger import reading as ledger_reading
from scorekeeper.ledger.writing import head_cache
from scorekeeper.service.live import follower, followers, frames
from scorekeeper.service.reading import matches, viewer_folds

DOCS = Path(__file__).resolve().parents[2] / "docs"
KIB, MIB = 1 << 10, 1 << 20


class Bound(NamedTuple):
    page: str
    sentence: str
    said: tuple[float, ...]
    held: tuple[float, ...]


BOUNDS = [
    Bound("reliability.md", "| a request's body | 1 MiB |", (MIB,), (input_validation.BODY_LIMIT,)),
    Bound(
        "reliability.md",
        "| a page of a list or a log | 1 MiB, or one item that is longer |",
        (MIB,),
        (lists.PAGE_BYTES,),
    ),
    Bound(
        "reliability.md",
        "for exported lines or for followers | 1 MiB, or one entry that is longer |",
        (MIB,),
        (ledger_reading.PART_BYTES,),
    ),
    Bound(
        "reliability.md",
        "| the queue of a follower that does not read | 1 MiB;",
        (MIB,),
        (follower.MOST_WAITING,),
    ),
    Bound(
        "reliability.md",
        "catch up | 64 KiB at a time, for eight followers at once |",
        (64 * KIB, 8),
        (follower.PART_SIZE, followers._CATCHING_UP),
    ),
    Bound(
        "reliability.md",
        "| cached states of matches for readers | about 128 MiB |",
        (128 * MIB,),
        (matches.MOST_BYTES,),
    ),
    Bound(
        "reliability.md",
        "| cached ends of streams for appends | about 128 MiB for each writing connection",
        (128 * MIB,),
        (head_cache.MOST_BYTES,),
    ),
    Bound(
        "reliability.md",
        "| states of followed matches | about 32 MiB |",
        (32 * MIB,),
        (frames.MOST_BYTES,),
    ),
    Bound(
        "reliability.md",
        "| what viewers see of matches, with the states that it was made from | about 64 MiB |",
        (64 * MIB,),
        (viewer_folds.MOST_BYTES,),
    ),
    Bound(
        "reliability.md",
        "| states of amended matches of which it is known what viewers see | about 64 MiB |",
        (64 * MIB,),
        (viewer_folds.MOST_BYTES_OF_HORIZONS,),
    ),
    Bound(
        "reliability.md",
        "A token has at most twelve readings at a time and 1,250 streams",
        (12, 1_250),
        (rate_limits.MOST_AT_ONCE, followers.Places().token),
    ),
    Bound(
        "operations.md",
        "Failed authentication is always limited to 60 a minute for each address",
        (60,),
        (rate_limits.FAILURES_PER_MINUTE,),
    ),
    Bound(
        "operations.md",
        "A body has at most\n1 MiB, 32 levels, and thirty seconds to arrive",
        (MIB, 32, 30),
        (
            input_validation.BODY_LIMIT,
            input_validation.DEPTH_LIMIT,
            input_validation.BODY_SECONDS,
        ),
    ),
    Bound(
        "operations.md",
        "not whole thirty seconds after it began to wait for them",
        (30,),
        (serve.HEAD_SECONDS,),
    ),
    Bound(
        "operations.md",
        "One that\n  does not answer within three seconds is passed over.",
        (3,),
        (postgres._HOST_SECONDS,),
    ),
    Bound(
        "operations.md",
        "- A machine that falls silent is noticed after ten seconds,",
        (10,),
        (postgres._SILENT_SECONDS,),
    ),
    Bound("operations.md", "answers 431 beyond 64 KiB of them", (64 * KIB,), (serve.HEAD_LIMIT,)),
    Bound(
        "operations.md",
        "A worker process takes 10,000 connections.",
        (10_000,),
        (serve.MOST_CONNECTIONS,),
    ),
    Bound(
        "operations.md",
        "- concurrent readings: 12 for each token, or for each address without one.",
        (12,),
        (rate_limits.MOST_AT_ONCE,),
    ),
    Bound(
        "operations.md",
        "- A worker process takes 5,000 followers, then answers 503.",
        (5_000,),
        (followers.Places().process,),
    ),
]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.sentence)
def test_a_bound_is_as_it_is_documented(bound: Bound) -> None:
    assert bound.sentence in (DOCS / bound.page).read_text(encoding="utf-8")
    assert bound.held == bound.said


def test_the_memory_for_matches_that_are_remembered_is_what_its_parts_come_to() -> None:
    caches = (matches, head_cache, frames, viewer_folds)
    parts = [cache.MOST_BYTES for cache in caches] + [viewer_folds.MOST_BYTES_OF_HORIZONS]
    rounded = round(sum(parts) / MIB, -1)
    sentence = f"| about {rounded:.0f} MiB on SQLite |"
    assert sentence in (DOCS / "operations.md").read_text(encoding="utf-8")

"""The limits and defaults in docs/operations.md and docs/reliability.md are those of the code."""

import re
from pathlib import Path

import pytest

from scorekeeper import postgres
from scorekeeper.api.layers import input_validation, rate_limits
from scorekeeper.api.lists import PAGE_BYTES
from scorekeeper.cli import serve
from scorekeeper.ledger.reading import PART_BYTES
from scorekeeper.ledger.writing import head_cache
from scorekeeper.service.live import follower, followers, frames
from scorekeeper.service.reading import matches, viewer_folds
from scorekeeper.settings import Settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
OPERATIONS = (DOCS / "operations.md").read_text(encoding="utf-8")
RELIABILITY = (DOCS / "reliability.md").read_text(encoding="utf-8")
MIB = 1 << 20
WORDS = {3: "three", 8: "eight", 10: "ten", 12: "twelve", 30: "thirty"}
_SETTING = re.compile(r"^\| `SCOREKEEPER_([A-Z_]+)` \| `--[a-z-]+` \| ([^|]+) \|", re.MULTILINE)
_BOUND = re.compile(r"^\| ([^|]+) \| (?:about )?(\d+) MiB\b", re.MULTILINE)


def test_each_default_of_a_setting_is_told() -> None:
    told = {name.lower(): default for name, default in _SETTING.findall(OPERATIONS)}
    assert told.keys() == set(Settings.__struct_fields__)
    for name, default in told.items():
        value = getattr(Settings(), name)
        # Words say what is done where the setting has no value of its own.
        assert default == f"`{value}`" if value else " " in default or default.isalpha(), name


@pytest.mark.parametrize(
    "sentence",
    [
        f"limited to {rate_limits.FAILURES_PER_MINUTE} a minute for each address",
        f"concurrent readings: {rate_limits.MOST_AT_ONCE} for each token",
        (
            f"{input_validation.BODY_LIMIT // MIB} MiB, {input_validation.DEPTH_LIMIT} levels, "
            f"and {WORDS[input_validation.BODY_SECONDS]} seconds to arrive"
        ),
        f"the first {serve.HEAD_LIMIT >> 10} KiB",
        f"not whole {WORDS[serve.HEAD_SECONDS]} seconds after it began to wait for them",
        f"does not answer within {WORDS[postgres._HOST_SECONDS]} seconds is passed over",
        f"falls silent is noticed after {WORDS[postgres._SILENT_SECONDS]} seconds",
        f"A worker process takes {serve.MOST_CONNECTIONS:,} connections",
        f"A worker process takes {followers.MOST_FOLLOWERS:,} followers",
        f"longer than {followers.HEARTBEAT_SECONDS:.0f} seconds",
    ],
)
def test_each_limit_is_told(sentence: str) -> None:
    assert sentence in OPERATIONS


@pytest.mark.parametrize(
    "sentence",
    [
        f"{follower.PART_SIZE >> 10} KiB at a time, for {WORDS[followers._CATCHING_UP]} followers",
        (
            f"at most {WORDS[rate_limits.MOST_AT_ONCE]} readings at a time "
            f"and {followers.Places().token:,} streams"
        ),
    ],
)
def test_each_share_is_told(sentence: str) -> None:
    assert sentence in RELIABILITY


def test_each_bound_of_memory_is_told() -> None:
    bounds = [
        input_validation.BODY_LIMIT,
        PAGE_BYTES,
        PART_BYTES,
        follower.MOST_WAITING,
        matches.MOST_BYTES,
        head_cache.MOST_BYTES,
        frames.MOST_BYTES,
        viewer_folds.MOST_BYTES,
        viewer_folds.MOST_BYTES_OF_HORIZONS,
    ]
    told = [(what, int(mebibytes) * MIB) for what, mebibytes in _BOUND.findall(RELIABILITY)]
    assert [size for what, size in told if what != "finished pages, for a minute"] == bounds


def test_the_memory_for_matches_is_the_sum_of_its_caches() -> None:
    caches = (matches, head_cache, frames, viewer_folds)
    together = sum(cache.MOST_BYTES for cache in caches) + viewer_folds.MOST_BYTES_OF_HORIZONS
    assert f"about {round(together / MIB, -1):.0f} MiB on SQLite" in OPERATIONS

"""The time as it is recorded, and ids that sort by time."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache

Clock = Callable[[], int]
"""Microseconds since 1970-01-01T00:00:00Z."""

# Two bits of the digit with the variant are random.
_VARIANTS = "89ab"


def wall_clock() -> int:
    return time.time_ns() // 1_000


def a_day_after(time: str) -> str:
    """Return the time 24 hours after `time`. Both are text as `as_text` writes it."""
    day_later = datetime.fromisoformat(time) + timedelta(days=1)
    return day_later.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def as_text(moment: int) -> str:
    """RFC 3339 in UTC with microseconds and `Z`; such texts sort as their times do."""
    seconds, micros = divmod(moment, 1_000_000)
    return f"{_second(seconds)}.{micros:06}Z"


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def time_ordered_id(moment: int) -> str:
    """Return a UUIDv7 (RFC 9562, section 5.7); its `rand_a` holds the part below a millisecond."""
    chance = os.urandom(8)
    variant = _VARIANTS[chance[0] >> 6]
    return f"{_time_of_id(moment)}-{variant}{chance.hex()[1:4]}-{chance[2:].hex()}"


@lru_cache(maxsize=64)
def _time_of_id(moment: int) -> str:
    millis, micros = divmod(moment, 1_000)
    digits = f"{millis:012x}7{micros * 4096 // 1000:03x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:]}"

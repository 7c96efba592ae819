"""What differs between two readings: every leaf, by where it stands (RFC 6901)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

import msgspec
from msgspec import Struct

Leaf: TypeAlias = str | int | float | bool | None

_NONE: Final[Mapping[str, object]] = {}


class Change(Struct, frozen=True):
    """A leaf that differs; `at`: a JSON Pointer into the reading.

    Null where there is no such leaf: null in the reading itself, or not in it at all. Empty lists
    and objects have no leaves.
    """

    at: str
    before: Leaf
    after: Leaf


def changes(before: object, after: object, at: str = "") -> Iterator[Change]:
    """What leads from one to the other, in the order of `before`, then what only `after` has.

    Both are made of structs, mappings with keys of text, sequences and leaves. What is equal is not
    looked into.
    """
    if before == after:
        return
    if _leaf(before) != _leaf(after):
        yield Change(at, _leaf(before), _leaf(after))
    old, new = _members(before), _members(after)
    for name in (*old, *(added for added in new if added not in old)):
        escaped = name.replace("~", "~0").replace("/", "~1")
        yield from changes(old.get(name), new.get(name), f"{at}/{escaped}")


def _leaf(value: object) -> Leaf:
    return value if isinstance(value, str | int | float) else None


def _members(value: object) -> Mapping[str, object]:
    """By what a pointer calls them; lists have indices."""
    if isinstance(value, Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return {str(index): each for index, each in enumerate(cast("Sequence[object]", value))}
    return _NONE

"""The differences between two readings: every changed leaf with its JSON Pointer (RFC 6901)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

import msgspec
from msgspec import Struct

Leaf: TypeAlias = str | int | float | bool | None

_NONE: Final[Mapping[str, object]] = {}


class Change(Struct, frozen=True):
    """A leaf that differs. `at` is a JSON Pointer into the reading.

    `before` or `after` is null if the leaf is null in that reading, or is not in it at all. Empty
    lists and objects have no leaves.
    """

    at: str
    before: Leaf
    after: Leaf


def changes(before: object, after: object, at: str = "") -> Iterator[Change]:
    """Yield the leaves that differ, in the order of `before`, then those that only `after` has.

    Both values are made of structs, mappings with keys of text, sequences and leaves. Equal values
    are not looked into.
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
    """Return the members of a value by their names in a pointer. Those of a list are indices."""
    if isinstance(value, Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return {str(index): each for index, each in enumerate(cast("Sequence[object]", value))}
    return _NONE

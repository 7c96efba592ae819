"""A value of a booklet, or of a house rule, with the clause that it rests on."""

from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Cited(Struct, Generic[T], frozen=True):
    """A value and the id of the clause that says so."""

    value: T
    clause: str

"""Clauses: the numbered places, in a booklet or in our own readings, that rules rest on.

A clause has a text in each of the supported languages. A value that rests on one cites it.
"""

from typing import Final, Generic, TypeVar

import msgspec
from msgspec import Struct

READING: Final = "reading"

T = TypeVar("T")


class Text(msgspec.Struct, frozen=True):
    """`zh_tw` is Traditional Chinese in the usage of Taiwan."""

    en: str
    zh_tw: str


class Clause(msgspec.Struct, frozen=True):
    """One rule as a person reads it beside a disputed step.

    `source` is the id of the edition whose booklet has the rule, or `READING` where it settles
    what the booklets leave open.
    """

    id: str
    text: Text
    source: str


class Cited(Struct, Generic[T], frozen=True):
    """A value and the id of the clause that says so."""

    value: T
    clause: str

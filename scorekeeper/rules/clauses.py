"""Clauses: the places that rules rest on, in a booklet or in our own readings, each with an id.

A clause has a text in each supported language. A value that rests on a clause cites its id.
"""

from typing import Final, Generic, TypeVar

import msgspec
from msgspec import Struct

READING: Final = "reading"

T = TypeVar("T")


class Text(msgspec.Struct, frozen=True):
    """A text in both languages; `zh_tw` is Traditional Chinese in the usage of Taiwan."""

    en: str
    zh_tw: str


class Clause(msgspec.Struct, frozen=True):
    """One rule, in words that a person reads beside a disputed step.

    `source` is the id of the edition whose booklet has the rule. It is `READING` if the rule is our
    own and settles what the booklets leave open, and `house-rules` if it is that of a house rule.
    """

    id: str
    text: Text
    source: str


class Cited(Struct, Generic[T], frozen=True):
    """A value and the id of the clause that it rests on."""

    value: T
    clause: str

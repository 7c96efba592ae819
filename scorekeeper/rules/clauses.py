"""Clauses: the numbered places, in a booklet or in our own readings, that rules rest on."""

from typing import Final

import msgspec

from scorekeeper.rules.text import Text

READING: Final = "reading"


class Clause(msgspec.Struct, frozen=True):
    """One rule as a person reads it beside a disputed step.

    `source` is the id of the edition whose booklet has the rule, or `READING` where it settles
    what the booklets leave open.
    """

    id: str
    text: Text
    source: str

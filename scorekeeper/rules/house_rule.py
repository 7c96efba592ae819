"""One house rule as data: what a table can choose, and what it changes of an edition."""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.rules.edition import Edition
from scorekeeper.rules.house_rules import Variant
from scorekeeper.rules.text import Text


class Choice(Struct, frozen=True):
    """A variant as people choose it; `clauses`: those that it brings into force."""

    name: Text
    clauses: tuple[str, ...]


class HouseRule(Struct, frozen=True, kw_only=True):
    """`name`: the field of an opening. `label`: what people call it.

    `booklet`: the variant that every edition plays by itself, or which one a given edition does,
    where it is a number. `choices`: the variants that depart from that. `numbers`: the variants,
    where any number of a range is one; there are no `choices` then. `clauses`: all that the
    variants bring into force. `excludes`: the names of those, earlier in the registry, that can't
    be in force beside it. `applied`: the edition as it is played by a variant that departs from it.
    """

    name: str
    label: Text
    booklet: str | Callable[[Edition], int]
    choices: Mapping[str, Choice] = {}
    numbers: range | None = None
    clauses: Mapping[str, Text]
    excludes: frozenset[str] = frozenset()
    applied: Callable[[Edition, Variant], Edition]

    def by_booklet(self, edition: Edition) -> Variant:
        """The variant that changes nothing in this edition."""
        return self.booklet if isinstance(self.booklet, str) else self.booklet(edition)


def with_house(edition: Edition, **changed: object) -> Edition:
    """The edition with some of the values that no booklet has."""
    return replace(edition, house=replace(edition.house, **changed))

"""How one event is told again: the form in which it is said of each what it cites and says."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from scorekeeper.match.events.events import Event
from scorekeeper.projections.narration.moment import Moment
from scorekeeper.projections.narration.sentence import Sentence
from scorekeeper.rules.edition import Edition

E = TypeVar("E", bound=Event)

Clauses: TypeAlias = Iterator[str]
Sentences: TypeAlias = Iterator[Sentence]


class Narration(Struct, Generic[E], frozen=True, kw_only=True):
    """`cites`: the ids of the clauses that bear on it, the weightiest first.

    None: no booklet speaks of such a thing. `says`: at least one sentence, in no language yet.
    """

    event: type[E]
    says: Callable[[Moment[E]], Sentences]
    cites: Callable[[Moment[E]], Clauses] | None = None


def where_listed(edition: Edition, clause: str) -> Clauses:
    """A clause that no value of an edition cites, where the edition lists it."""
    if any(one.id == clause for one in edition.clauses):
        yield clause

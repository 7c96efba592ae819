"""What one event means: the form in which each mechanic says it of the events that are its own."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import Event, TableEvent
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.state import Phase, State

E = TypeVar("E", bound=Event)
R = TypeVar("R", bound=Event)

BETWEEN_ROUNDS: Final[frozenset[Phase]] = frozenset({"ready"})
IN_A_ROUND: Final[frozenset[Phase]] = frozenset({"turning", "playing", "showing_hands"})
PLAYING: Final[frozenset[Phase]] = frozenset({"playing"})
PLAYING_OR_OUT: Final[frozenset[Phase]] = frozenset({"playing", "showing_hands"})
ALWAYS: Final[frozenset[Phase]] = frozenset(get_args(Phase))


class EventRule(Struct, Generic[E], frozen=True, kw_only=True):
    """All that an event means to a match. What most events have no need of is None, or empty.

    Every function is given the state before the event. In the order in which they are asked:

    `names`: the fields that name columns: a name, names, what is told by name, or effects.
    `settles_debts`: all that players owe is paid before it, and a round that is over is ended.
    `presupposes`: the next entry that has to stand before it, while cards are played.
    `phases`: in which it can happen; none where nobody tells it.
    `refuse`: why it can't have happened. `breach`: the clauses that forbid it, unless it is told
    as played. `flag`: breaches that are recorded and never refused, since the table plays on.
    `evolve`: makes the state the one after it, whose version is counted already.

    And where the log is read:

    `flags_earlier`: what it flags is the breach of an earlier play, so that it is legal itself.
    `doubt`: whether too little is known to say that it broke nothing.
    `hides`: the event without the cards that only some players have seen, or nobody has.
    `reveals`: the event as `hides` left it, with what the table saw come of the hidden cards; it
    is given the event itself, and then what was left.
    """

    event: type[E]
    names: tuple[str, ...] = ()
    settles_debts: bool = False
    presupposes: Callable[[State, E], TableEvent | None] | None = None
    phases: frozenset[Phase] = frozenset()
    refuse: Callable[[State, E], Refusal | None] | None = None
    breach: Callable[[State, E], tuple[Violation, ...]] | None = None
    flag: Callable[[State, E], tuple[Violation, ...]] | None = None
    evolve: Callable[[State, E], None] | None = None
    flags_earlier: bool = False
    doubt: Callable[[State, E], bool] | None = None
    hides: Callable[[E], E] | None = None
    reveals: Callable[[State, E, E], E] | None = None


def without_fields(*fields: str) -> Callable[[R], R]:
    """For `hides`: the event without these fields, or the event itself where it has none of them.

    They have the default None.
    """

    def redacted(event: R) -> R:
        gone = {name: None for name in fields if getattr(event, name) is not None}
        return replace(event, **gone) if gone else event

    return redacted

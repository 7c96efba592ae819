"""`EventRule`: the form in which each mechanic declares what its events mean."""

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
    """All that one type of event means to a match.

    A field that most events do not need is None or empty. Every function that takes a state is
    called with the state before the event. These fields are used for recording, in this order:

    `names`: the fields that name columns. Such a field has a name, several names, a mapping by
    name, or effects. `settles_debts`: before the event, all debts are paid, and a round that is out
    is ended. `presupposes`: returns the next entry that has to precede the event, while cards are
    played. `phases`: the phases in which the event can happen, empty if nobody tells it. `refuse`:
    returns why the event can't have happened. `breach`: returns the violations for which the event
    is refused, unless it is told as played. `flag`: returns the violations that are recorded and
    never refused, since the table plays on. `evolve`: changes the state to the one after the event.
    The version of the state counts the event already.

    These fields are used when the log is read:

    `flags_earlier`: the flagged violations are those of an earlier play, and the event itself is
    legal. `doubt`: returns whether too little is known to say that the event broke no rule.
    `hides`: returns the event without the cards that nobody, or only some players, have seen.
    `reveals`: takes the state, the event, and the event that `hides` returned. It returns the
    latter with the consequences of the hidden cards that the whole table has seen.
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
    """Return a function for `hides` that sets these fields to None, which is their default.

    If none of the fields is set, that function returns the event itself.
    """

    def redacted(event: R) -> R:
        gone = {name: None for name in fields if getattr(event, name) is not None}
        return replace(event, **gone) if gone else event

    return redacted

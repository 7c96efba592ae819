"""How one event is narrated: the step, the sentences, and what is cited and said of each event.

A `Sentence` is in no language yet: it names a sentence of the catalog and the facts in it. A
`Moment` is one step of a replay. A `Narration` has the functions that cite and say something of an
event of one type.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from scorekeeper.match.events.card_events import CardPlayed, FirstCardTurned, MisplayCalled
from scorekeeper.match.events.events import Event, LogAmended
from scorekeeper.match.readings.reader import removed_versions
from scorekeeper.match.state import State, table_of
from scorekeeper.match.table import Debt, Table
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.scoring import PointsByPlayer

Saying: TypeAlias = Literal[
    "abandoned",
    "accusation",
    "advice",
    "amended",
    "amended-back",
    "amended-in",
    "amended-one-out",
    "amended-out",
    "as-played",
    "calls-uno",
    "calls-uno-in-time",
    "can-not-apply",
    "caught",
    "caught-in-vain",
    "caught-oneself",
    "challenge-guilty",
    "challenge-innocent",
    "challenge-last",
    "charged",
    "charged-in-all",
    "closed",
    "color-named",
    "color-open",
    "counts",
    "dealer-drawn",
    "dealer-none",
    "dealer-tied",
    "dealt",
    "dealt-otherwise",
    "discards",
    "disputed",
    "drawn-cards",
    "draws",
    "draws-owed",
    "draws-owed-accusation",
    "draws-owed-advice",
    "draws-owed-guilty",
    "draws-owed-innocent",
    "draws-owed-misplay",
    "draws-owed-play",
    "draws-owed-turned-up",
    "draws-owed-uno",
    "draws-settled",
    "draws-still",
    "effect-draws",
    "effect-reverses",
    "exchanged",
    "gift-owed",
    "gives",
    "gives-unseen",
    "goes-again",
    "hands-pass",
    "jumped-in",
    "laid-at-once",
    "last-draw",
    "leaves",
    "match-won",
    "match-won-rounds",
    "misplay",
    "must-draw",
    "must-draw-and-skip",
    "must-draw-or-stack",
    "names-color",
    "next-turn-skipped",
    "no-points",
    "note",
    "on-turn",
    "out",
    "part-charge",
    "part-hand",
    "part-hand-lost",
    "part-total",
    "passes",
    "penalty-lapses",
    "played-against",
    "played-answer",
    "played-freely",
    "played-on-color",
    "played-on-number",
    "played-on-symbol",
    "played-wild",
    "reflected",
    "reshuffled",
    "reversed",
    "round-won",
    "round-won-by-nobody",
    "ruling-rejected",
    "ruling-upheld",
    "score",
    "score-nothing",
    "score-told",
    "seats",
    "shows",
    "shows-none",
    "skip-lapses",
    "skipped",
    "stacked",
    "stays",
    "substituted",
    "substituted-back",
    "swaps-hands",
    "taken-back",
    "takes-hand",
    "tallied",
    "tallied-on-top",
    "tallied-scores",
    "told-late",
    "totals",
    "turned-up",
    "turned-up-color-named",
    "turned-up-color-open",
    "turned-up-draw",
    "turned-up-reversed",
    "turned-up-skip",
    "turned-up-to-bottom",
    "turned-up-under",
    "uno-not-called",
    "uno-not-recorded",
    "voided",
    "voided-redealt",
    "worth",
]
"""What can be said of a step."""

Fact: TypeAlias = str | int | tuple[str, ...] | tuple["Sentence", ...] | PointsByPlayer | None

_PEOPLE: Final = frozenset(
    {"by", "former", "namer", "player", "players", "skipped", "to", "turn", "victim"}
)
"""The names of the facts whose values are columns."""

E_co = TypeVar("E_co", bound=Event, covariant=True)


class Cause(Struct, frozen=True):
    """An event that caused what is open on a table, and the version of the match after it."""

    event: Event
    version: int


class Causes(Struct, frozen=True):
    """The causes of what is open on a table.

    `debts`: the causes of the table's debts, in the order of the debts. `color`: the cause of the
    open colour, None if no colour is open or its cause is not known. `under`: the debts that were
    open when the last card was laid, with their causes. If a misplay is called, they come back.
    """

    debts: tuple[Cause, ...] = ()
    color: CardPlayed | FirstCardTurned | None = None
    under: tuple[tuple[Debt, Cause], ...] = ()


E = TypeVar("E", bound=Event)

Clauses: TypeAlias = Iterator[str]


class Sentence(Struct, frozen=True):
    """A sentence of the catalog, and its facts. A fact that is a tuple of sentences is a sum."""

    saying: Saying
    facts: Mapping[str, Fact]


def sentence(saying: Saying, **facts: Fact) -> Sentence:
    return Sentence(saying, facts)


def in_person(said: Sentence, sitting: Mapping[str, str]) -> Sentence:
    """Return the sentence with people in place of columns. `sitting`: who sat in, by column."""
    facts = {name: _in_person(name, fact, sitting) for name, fact in said.facts.items()}
    return Sentence(said.saying, facts)


def _in_person(name: str, fact: Fact, sitting: Mapping[str, str]) -> Fact:
    if isinstance(fact, Mapping):
        return {sitting.get(column, column): points for column, points in fact.items()}
    if isinstance(fact, tuple) and any(isinstance(part, Sentence) for part in fact):
        return tuple(in_person(part, sitting) for part in fact if isinstance(part, Sentence))
    if name not in _PEOPLE:
        return fact
    if isinstance(fact, tuple):
        return tuple(sitting.get(column, column) for column in fact if isinstance(column, str))
    return sitting.get(fact, fact) if isinstance(fact, str) else fact


class Moment(Struct, Generic[E_co], frozen=True):
    """One step of a replay. `causes`: those of what was open before the event."""

    before: State
    event: E_co
    after: State
    causes: Causes

    @property
    def edition(self) -> Edition:
        """The edition that the match is played by."""
        return self.before.edition

    @property
    def table(self) -> Table:
        """The table before the event."""
        return table_of(self.before)

    @property
    def now(self) -> Table:
        """The table after the event."""
        return table_of(self.after)


def causes_after(moment: Moment[Event]) -> Causes:
    """Return the causes after a step.

    What was open before keeps its cause, unless an amendment takes the cause out of the log. The
    cause of what is new is the event.
    """
    event, under = moment.event, moment.causes.under
    new = Cause(event, moment.after.version)
    left = list(zip(_debts(moment.before), moment.causes.debts, strict=True))
    if isinstance(event, CardPlayed):
        under = tuple(left)
    elif isinstance(event, MisplayCalled):
        left.extend(under)
    elif isinstance(event, LogAmended):
        left, under = _as_amended(left, event, new), tuple(_as_amended(under, event, new))
    debts = tuple(_cause(debt, left) or new for debt in _debts(moment.after))
    return Causes(debts, _color_left_open(moment), under)


def _as_amended(
    debts: Iterable[tuple[Debt, Cause]], event: LogAmended, new: Cause
) -> list[tuple[Debt, Cause]]:
    """Return the debts with `new` in place of the causes that the amendment removes."""
    out = removed_versions(event)
    return [(debt, new if cause.version in out else cause) for debt, cause in debts]


def _color_left_open(moment: Moment[Event]) -> CardPlayed | FirstCardTurned | None:
    if not _is_color_open(moment.after):
        return None
    if _is_color_open(moment.before):
        return moment.causes.color
    return moment.event if isinstance(moment.event, CardPlayed | FirstCardTurned) else None


def _is_color_open(state: State) -> bool:
    return state.table is not None and state.table.color_pending is not None


def _debts(state: State) -> tuple[Debt, ...]:
    return () if state.table is None else state.table.debts


def _cause(debt: Debt, left: list[tuple[Debt, Cause]]) -> Cause | None:
    for place, (earlier, cause) in enumerate(left):
        if _is_rest_of(earlier, debt):
            del left[place]
            return cause
    return None


def _is_rest_of(one: Debt, other: Debt) -> bool:
    """Return whether a debt is what is left of another."""
    return _key(one) == _key(other) and other.count <= one.count


def _key(debt: Debt) -> Sequence[object]:
    return (debt.kind, debt.player, debt.clause, debt.hit, debt.to)


Sentences: TypeAlias = Iterator[Sentence]


class Narration(Struct, Generic[E], frozen=True, kw_only=True):
    """How events of one type are narrated.

    `cites` yields the ids of the clauses that bear on the event, the weightiest first. None: no
    booklet speaks of such events. `says` yields at least one sentence, in no language yet.
    """

    event: type[E]
    says: Callable[[Moment[E]], Sentences]
    cites: Callable[[Moment[E]], Clauses] | None = None


def where_listed(edition: Edition, clause: str) -> Clauses:
    """Yield a clause that no value of an edition cites, if the edition lists it."""
    if any(one.id == clause for one in edition.clauses):
        yield clause

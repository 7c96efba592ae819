"""What is known about a match after some of its entries, and who takes part in it then.

A fold owns its state and changes it in place; nobody else sees it before the fold is done. What
grows with the match (the finished rounds, the log) is a linked list that copies share.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import DisputeOpened, Event, RoundEnded, RoundTallied, Ruling
from scorekeeper.match.events.opening import (
    MatchOpened,
    OptionsInForce,
    PlannedRound,
    ScoringInForce,
)
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.known_cards import Hands
from scorekeeper.match.table import Table
from scorekeeper.rules.cards import Box
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.scoring import Mode, Sides

Phase: TypeAlias = Literal["ready", "turning", "playing", "showing_hands", "over"]
Status: TypeAlias = Literal["open", "won", "abandoned"]
RoundStatus: TypeAlias = Literal["running", "ended", "voided"]

Finished: TypeAlias = "tuple[Round, Finished] | None"
"""The rounds that are over, the last one first."""

Log: TypeAlias = "tuple[Event | None, bool, Log] | None"
"""What was recorded after the opening, the last entry first; the flag: it was inferred.

An entry whose content was erased is None.
"""


class Round(Struct, frozen=True, gc=False, kw_only=True):
    """One deal. `first_version` and `last_version`: the entries that it spans, both included.

    `substitutes`: who sat in for whom. `out`: who had been eliminated before it. `tally`: what the
    table told, if it told the round as a whole. `result`: what it came to, once it has ended.
    `charges`: points counted at catches, which the scores contain. `counted`: it is one of the
    agreed number of rounds, as those are that ended, and those voided that are not dealt again.
    """

    number: int
    status: RoundStatus
    dealer: str | None
    seating: tuple[str, ...]
    first_version: int
    last_version: int
    substitutes: dict[str, str]
    out: tuple[str, ...] = ()
    tally: RoundTallied | None = None
    result: RoundEnded | None = None
    hands: Hands
    charges: dict[str, int] = {}
    counted: bool = False

    @property
    def winners(self) -> tuple[str, ...]:
        """In seating order."""
        return () if self.result is None else self.result.winners

    @property
    def scores(self) -> dict[str, int]:
        """In seating order; empty until the round has ended."""
        told = None if self.result is None else self.result.scores
        return {} if told is None else {player: told[player] for player in self.seating}

    @property
    def hand_points(self) -> dict[str, int | None]:
        """In seating order; empty until the round has ended."""
        told = None if self.result is None else self.result.hand_points
        return {} if told is None else {player: told.get(player) for player in self.seating}

    @property
    def played_by(self) -> tuple[str, ...]:
        """Who took part, in seating order."""
        if not self.out:
            return self.seating
        return tuple(player for player in self.seating if player not in self.out)


class Dispute(Struct, frozen=True):
    """A claim against a round or an entry; `ruling` None: it is open."""

    opened: DisputeOpened
    ruling: Ruling | None = None


class State(Struct, kw_only=True, eq=False):
    """See the module; `copy` before you change one that you were given.

    `round` counts rounds begun, `rounds_counted` those that count towards the agreed number.
    `sides_won` counts rounds by the first player of each side, a joint win of partners once.
    `drawing`: who has to draw again for the deal. `dealer`: of the running round, or the next.
    `table`: of the round that is followed card by card, or of the last one that was, until another
    begins or is told as a whole; `hands`: of the running round or the one that ended last.
    `log`: what an amendment is read into; only states that entries are appended to have it whole.
    `erased`: some of it was erased, so that the rest has to be judged again. `amendments`: recorded
    so far; `voided`: told entries that can't be applied as the log is read now; `disputes`: by
    version.
    """

    edition: Edition
    opened: MatchOpened
    box: Box
    mode: Mode
    scoring: ScoringInForce
    options: OptionsInForce
    teams: tuple[tuple[str, ...], ...]
    sides: Sides
    plan: tuple[PlannedRound, ...]

    version: int = 0
    phase: Phase = "ready"
    status: Status = "open"
    closed: bool = False
    seating: tuple[str, ...]
    dealer: str | None
    drawing: tuple[str, ...] = ()
    substitutes: dict[str, str]
    round: int = 0
    rounds_counted: int = 0
    running: Round | None = None
    finished: Finished = None
    table: Table | None = None
    hands: Hands
    totals: dict[str, int]
    rounds_won: dict[str, int]
    sides_won: dict[str, int]
    eliminated: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    violations: int = 0
    log: Log = None
    erased: bool = False
    amendments: int = 0
    voided: int = 0
    disputes: Mapping[int, Dispute] = {}

    def copy(self) -> "State":
        """A state of one's own: as many steps as there are players, however long the match."""
        return replace(
            self,
            substitutes=self.substitutes.copy(),
            totals=self.totals.copy(),
            rounds_won=self.rounds_won.copy(),
            sides_won=self.sides_won.copy(),
        )

    def lay_out(self, table: Table) -> None:
        """Take a table that is not changed any more."""
        if table.debts and not table.available:
            # Nothing is left to draw: what is still owed lapses.
            table.debts = tuple(debt for debt in table.debts if debt.kind == "give")
        self.table = table
        self.hands = table.hands
        if table.over and self.phase == "playing":
            self.phase = "showing_hands"

    @property
    def open_disputes(self) -> int:
        """How many disputes wait for a ruling."""
        if not self.disputes:
            return 0
        return sum(dispute.ruling is None for dispute in self.disputes.values())

    @property
    def staying(self) -> tuple[str, ...]:
        """Who is still in, in seating order."""
        if not self.eliminated:
            return self.seating
        return tuple(player for player in self.seating if player not in self.eliminated)

    @property
    def has_results(self) -> bool:
        """Whether it was won, and not only by rounds that were broken off."""
        return self.status == "won" and any(each.status == "ended" for each in self.latest_first())

    def latest_first(self) -> Iterator[Round]:
        """All rounds begun, the running one included."""
        if self.running is not None:
            yield self.running
        finished = self.finished
        while finished is not None:
            round_, finished = finished
            yield round_


def running_round(state: State) -> Round:
    """The round in progress, of entries that can't stand where there is none."""
    if state.running is None:
        raise ValueError("no round is running: the entries are not the book's")
    return state.running


def table_of(state: State) -> Table:
    """The table of a round that is followed card by card."""
    if state.table is None:
        raise ValueError("no cards lie on the table: the entries are not the book's")
    return state.table


def not_in_match(state: State, player: str, field: str) -> Refusal | None:
    """Whether a player, whom the event names in that field, is a stranger."""
    if player in state.totals:
        return None
    return impossible("player-not-in-match", player=player, field=field)


def not_staying(state: State, player: str, field: str = "player") -> Refusal | None:
    """Whether one is a stranger, or had been eliminated before the round."""
    if player in state.eliminated:
        return impossible("player-eliminated", player=player, field=field)
    return not_in_match(state, player, field)


def not_in_play(state: State, player: str, field: str = "player") -> Refusal | None:
    """Whether one is a stranger, or out of the match by now."""
    if player in table_of(state).seats:
        return None
    return not_in_match(state, player, field) or impossible(
        "player-eliminated", player=player, field=field
    )

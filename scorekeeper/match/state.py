"""What is known about a match after some of its entries, and who takes part in it then.

A fold owns its state and changes it in place; nobody else sees it before the fold is done. Copies
share the containers in it, which are replaced, not changed. What grows with the match (the finished
rounds, the log) is a linked list.
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
"""The entries after the opening, the last one first.

Each item is the event, whether it was inferred, and the log before it. The event is None if its
content was erased.
"""


class Round(Struct, frozen=True, gc=False, kw_only=True):
    """One deal and what is played with it.

    `first_version`, `last_version`: the entries of the round, both included. `substitutes`: who sat
    in for whom, by column. `out`: the players who had been eliminated before it. `tally`: the told
    event, if the round was told as a whole. `result`: its end, None until it has ended. `charges`:
    the points counted at catches, which the scores contain. `caught_out`: the players whom catches
    eliminated before a tally ended the play, in the order of the catches. `counted`: whether it
    counts towards the agreed number of rounds. Rounds that ended count, and so do voided rounds
    that are not dealt again.
    """

    number: int
    status: RoundStatus
    dealer: str | None
    seating: tuple[str, ...]
    first_version: int
    last_version: int
    substitutes: Mapping[str, str]
    out: tuple[str, ...] = ()
    tally: RoundTallied | None = None
    result: RoundEnded | None = None
    hands: Hands
    charges: Mapping[str, int] = {}
    caught_out: tuple[str, ...] = ()
    counted: bool = False

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners in seating order; empty until the round has ended."""
        return () if self.result is None else self.result.winners

    @property
    def scores(self) -> dict[str, int]:
        """The scores in seating order; empty until the round has ended."""
        told = None if self.result is None else self.result.scores
        return {} if told is None else {player: told[player] for player in self.seating}

    @property
    def hand_points(self) -> dict[str, int | None]:
        """The points of the hands in seating order; empty until the round has ended."""
        told = None if self.result is None else self.result.hand_points
        return {} if told is None else {player: told.get(player) for player in self.seating}

    @property
    def played_by(self) -> tuple[str, ...]:
        """Who took part, in seating order."""
        if not self.out:
            return self.seating
        return tuple(player for player in self.seating if player not in self.out)


class Dispute(Struct, frozen=True):
    """A claim against a round or an entry; `ruling` None: it is open.

    `disputant`: the person who disputes, who may have sat in for the player that the event names.
    """

    opened: DisputeOpened
    disputant: str
    ruling: Ruling | None = None


class State(Struct, kw_only=True, eq=False):
    """The state of a match. `copy` a state that you were given before you change it.

    `sides`: the teams, or each player alone. `plan`: the seats and dealers that a schedule fixed.

    `version`: that of the last entry. `dealer`: the dealer of the running round, or of the next.
    `drawing`: the players who have to draw again for the deal. `substitutes`: who sits in for whom,
    by column. `round`: how many rounds have begun. `rounds_counted`: how many of them count towards
    the agreed number. `table`: the table of the round that is followed card by card, or of the last
    such round, until another round begins or is told as a whole. `hands`: the hands of the running
    round, or of the last round that is over.

    `rounds_won`: the rounds won by each player. `sides_won`: the rounds won by each side, under its
    first player. A joint win of partners counts once. `violations`: how many are recorded.

    `log`: the recorded entries, from which an amendment is read. Only a state to which entries are
    appended has all of them. `erased`: the content of an entry was erased, so that the other
    entries have to be judged again. `amendments`: how many were recorded. `voided`: how many told
    entries can't be applied as the log is read now. `disputes`: the disputes by the version of the
    entry that opened them.
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
    substitutes: Mapping[str, str]
    round: int = 0
    rounds_counted: int = 0
    running: Round | None = None
    finished: Finished = None
    table: Table | None = None
    hands: Hands
    totals: Mapping[str, int]
    rounds_won: Mapping[str, int]
    sides_won: Mapping[str, int]
    eliminated: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    violations: int = 0
    log: Log = None
    erased: bool = False
    amendments: int = 0
    voided: int = 0
    disputes: Mapping[int, Dispute] = {}

    def copy(self) -> "State":
        """Return a copy that may be changed."""
        return replace(self)

    def lay_out(self, table: Table) -> None:
        """Make a table the table of this state. The caller must not change it afterwards."""
        if table.debts and not table.available:
            # Nothing is left to draw: what is still owed lapses.
            table.debts = tuple(debt for debt in table.debts if debt.kind == "give")
        self.table = table
        self.hands = table.hands
        if table.over and self.phase == "playing":
            self.phase = "showing_hands"

    @property
    def charges(self) -> Mapping[str, int]:
        """The points counted at catches in the running round, by player; empty between rounds.

        Once the round is told as a whole, they are those that its tally leaves.
        """
        if self.running is None:
            return {}
        return self.running.charges if self.table is None else self.table.charges

    @property
    def open_disputes(self) -> int:
        """How many disputes wait for a ruling."""
        if not self.disputes:
            return 0
        return sum(dispute.ruling is None for dispute in self.disputes.values())

    @property
    def staying(self) -> tuple[str, ...]:
        """The players who have not been eliminated, in seating order."""
        if not self.eliminated:
            return self.seating
        return tuple(player for player in self.seating if player not in self.eliminated)

    @property
    def has_results(self) -> bool:
        """Whether the match was won, and at least one of its rounds was played to its end."""
        return self.status == "won" and any(each.status == "ended" for each in self.latest_first())

    def latest_first(self) -> Iterator[Round]:
        """Yield all rounds that have begun, the latest first, including a running one."""
        if self.running is not None:
            yield self.running
        finished = self.finished
        while finished is not None:
            round_, finished = finished
            yield round_


def running_round(state: State) -> Round:
    """Return the round in progress.

    Raises ValueError if there is none. Then the log has an entry that the decider would have
    refused.
    """
    if state.running is None:
        raise ValueError("no round is running: the entries are not the book's")
    return state.running


def table_of(state: State) -> Table:
    """Return the table of the round that is followed card by card.

    Raises ValueError if there is none. Then the log has an entry that the decider would have
    refused.
    """
    if state.table is None:
        raise ValueError("no cards lie on the table: the entries are not the book's")
    return state.table


def not_in_match(state: State, player: str, field: str) -> Refusal | None:
    """Return a refusal if the player is not in the match.

    `field`: the field of the event that names the player.
    """
    if player in state.totals:
        return None
    return impossible("player-not-in-match", player=player, field=field)


def not_staying(state: State, player: str, field: str = "player") -> Refusal | None:
    """Return a refusal if the player is not in the match, or was eliminated in an earlier round."""
    if player not in state.totals:
        return not_in_match(state, player, field)
    if player in state.eliminated:
        return impossible("player-eliminated", player=player, field=field)
    return None


def not_in_play(state: State, player: str, field: str = "player") -> Refusal | None:
    """Return a refusal if the player is not in the match, or has been eliminated by now."""
    if player in table_of(state).seats:
        return None
    return not_in_match(state, player, field) or impossible(
        "player-eliminated", player=player, field=field
    )

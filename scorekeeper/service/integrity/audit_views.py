"""What an audit answers, as structs that the OpenAPI document describes."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType, field

from scorekeeper.match.events.address import Inserted
from scorekeeper.match.events.dispute_events import Ruling
from scorekeeper.match.readings.verdicts import Verdict


class CheckView(Struct, frozen=True):
    """One thing that was looked at; `message` says how it is in a sentence."""

    check: str
    ok: bool
    message: str
    facts: Mapping[str, object]


class AddressedView(Struct, frozen=True, kw_only=True):
    """`version` of an entry, or `index` in what the amendment of that version inserted.

    With neither it follows as the log is read now, and nobody recorded it.
    """

    version: int | UnsetType = UNSET
    amendment: int | UnsetType = UNSET
    index: int | UnsetType = UNSET


class BreachView(AddressedView, frozen=True, kw_only=True):
    """A violation in words and facts; `as_played`: the table let it pass and said so."""

    type: str
    clause: str
    reason: str
    message: str
    facts: Mapping[str, object]
    as_played: bool


class VoidedEntryView(AddressedView, frozen=True, kw_only=True):
    """What was told and can't be applied as the log is read now; `code` says why."""

    type: str
    code: str
    message: str


class ShiftView(AddressedView, frozen=True, kw_only=True):
    """From here on the round has `by` cards more; `clauses` none: nobody said why."""

    type: str
    by: int
    clauses: Sequence[str]
    message: str


class CardsView(Struct, frozen=True, kw_only=True):
    """The cards of a round: of the box, and added by a reshuffle; counted after `steps` events."""

    round: int
    ok: bool
    cards: int
    added: int
    steps: int
    shifts: Sequence[ShiftView]


class AmendmentView(Struct, frozen=True, kw_only=True):
    """`version` is its own; it reads `remove` entries from `from` on as `inserted` events."""

    version: int
    first: int | None = field(name="from")
    remove: int
    inserted: int
    withdraws: Sequence[int]
    in_force: bool
    dispute: int | None
    reason: str
    recorded_by: str
    recorded_at: str
    message: str


class DisputeView(Struct, frozen=True, kw_only=True):
    """`dispute` is the version of its opening; who ruled and when is null while it is open.

    `entry` is null where the round as a whole is disputed.
    """

    dispute: int
    by: str
    round: int
    entry: int | Inserted | None
    claim: str
    recorded_by: str
    recorded_at: str
    ruling: Ruling | None
    reason: str | None
    ruled_by: str | None
    ruled_at: str | None
    message: str


class ErasedView(Struct, frozen=True, kw_only=True):
    """An entry whose content was erased, and what can't be derived without it."""

    version: int
    position: int
    type: str
    round: int
    message: str


class RecordingsView(Struct, frozen=True, kw_only=True):
    """What a token recorded: `entries` in all, of which `inferred` the service concluded."""

    recorded_by: str
    entries: int
    inferred: int
    first: str
    last: str
    message: str


class AuditView(Struct, frozen=True, kw_only=True):
    """A match checked; `ok`: every check holds. `verdicts` counts what the table told.

    Where entries are missing (`contiguity`) only the bytes of the others are checked, and what
    would rest on the rules is empty. `recorders`: the names of the tokens that recorded the match,
    revoked ones included.
    """

    match: str
    version: int
    position: int
    ok: bool
    checks: Sequence[CheckView]
    verdicts: Mapping[Verdict, int]
    violations: Sequence[BreachView]
    conservation: Sequence[CardsView]
    amendments: Sequence[AmendmentView]
    voided: Sequence[VoidedEntryView]
    disputes: Sequence[DisputeView]
    erased: Sequence[ErasedView]
    recordings: Sequence[RecordingsView]
    recorders: Mapping[str, str]

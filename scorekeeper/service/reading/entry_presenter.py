"""Entries as they are answered: a stored one, and what an append came to."""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypedDict, cast

import msgspec
from msgspec import UNSET

from scorekeeper.ledger.entry import Entry
from scorekeeper.match.events.events import decode_written, encode, event_type
from scorekeeper.match.events.fields import Address, Inserted
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.readings.reader import Step, entries
from scorekeeper.match.readings.viewer_fold import VisibilityHorizon, shown
from scorekeeper.match.record import Recorded
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.service.command import Outcome, Replayed
from scorekeeper.service.views import AppendView, EntryView, ViolationView, VoidedView
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message
from scorekeeper.texts.words import Words, words_of

_Object: TypeAlias = dict[str, Any]

_decoder = msgspec.json.Decoder(_Object)

_encode = msgspec.json.Encoder().encode


def entry_view(
    entry: Entry, event_index: int | None = None, *, horizon: VisibilityHorizon | None = None
) -> EntryView:
    """`data` is read back from the bytes that were hashed, so that it shows what is stored.

    `horizon`: where a viewer's sight of the match ends; None for those who see all.
    """
    data = None if entry.body is None else _data(entry.body, entry.version, horizon)
    at = None
    if data is not None:
        del data["type"]
        at = data.pop("at", None)
    return EntryView(
        version=entry.version,
        position=entry.position,
        id=entry.id,
        type=entry.type,
        data=data,
        inferred=entry.inferred,
        recorded_at=entry.time,
        recorded_by=entry.actor,
        at=at,
        hash=entry.hash,
        event_index=event_index,
        erased=True if data is None else UNSET,
    )


def _data(body: bytes, version: int, horizon: VisibilityHorizon | None) -> _Object:
    stored = _decoder.decode(body)
    if horizon is None:
        return stored
    event = decode_written(body)
    left = shown(event, version, horizon)
    return stored if left is event else naming(stored, _decoder.decode(encode(left)))


def naming(whole: _Object, left: _Object) -> _Object:
    """`left`, which is a part of `whole`; each object names in `redacted` the fields it lacks."""
    named = {name: _naming(whole.get(name), value) for name, value in left.items()}
    lost = [name for name in whole if name not in left]
    return {**named, "redacted": lost} if lost else named


def _naming(whole: object, left: object) -> object:
    if isinstance(whole, dict) and isinstance(left, dict):
        return naming(cast("_Object", whole), cast("_Object", left))
    if isinstance(whole, list) and isinstance(left, list):
        pairs = zip(cast("list[object]", whole), cast("list[object]", left), strict=True)
        return [_naming(one, other) for one, other in pairs]
    return left


class FoldedState(msgspec.Struct, frozen=True):
    """A folded state, and the position of the last entry in it.

    `book`: the state that a viewer's was made of by leaving hidden cards out of it.
    """

    state: State
    position: int
    book: State | None = None

    @property
    def tag(self) -> str:
        """As `tag_of` has it."""
        return tag_of(self.book or self.state, redacted=self.redacted)

    @property
    def weight(self) -> int:
        """The bytes that it takes in memory, about.

        Measured of matches whose rounds are told as a whole; of others it is less. What is planned
        for a round counts as an entry.
        """
        return 4_096 + 1_024 * (self.state.version + len(self.state.plan))

    @property
    def redacted(self) -> bool:
        """Whether hidden cards were left out."""
        return self.book is not None


def tag_of(book: State, *, redacted: bool) -> str:
    """The ETag of a reading of a match (RFC 9110, section 8.8.3): its version and what is left out.

    The number of erased entries is a part of it, since an erasure changes the reading but not the
    version.
    """
    tag = str(book.version)
    if book.erased:
        tag += f"-erased-{sum(entry.event is None for entry in entries(book.log))}"
    return f"{tag}-redacted" if redacted else tag


class AppendReading(msgspec.Struct, frozen=True):
    """The entries told by a request or inferred for it, its breaches, and what stands after it.

    `voided`: after its last amendment, if it has one.
    """

    entries: tuple[EntryView, ...]
    violations: tuple[ViolationView, ...]
    folded: FoldedState
    voided: tuple[VoidedView, ...] | None = None

    @property
    def versions(self) -> frozenset[int]:
        return frozenset(entry.version for entry in self.entries)

    def after(self, earlier: "AppendReading | None") -> "AppendReading":
        """The two as the answer to one request."""
        if earlier is None:
            return self
        return AppendReading(
            earlier.entries + self.entries,
            earlier.violations + self.violations,
            self.folded,
            earlier.voided if self.voided is None else self.voided,
        )

    def outcome(self, match: str, *, created: bool, replayed: Replayed | None = None) -> Outcome:
        """The answer as bytes, so that a kept one is the same to the byte."""
        last = self.entries[-1]
        view = AppendView(
            match=match,
            version=last.version,
            position=last.position,
            entries=list(self.entries),
            violations=list(self.violations),
            state=scoreboard(self.folded.state, match=match, position=self.folded.position),
            voided=UNSET if self.voided is None else list(self.voided),
        )
        return Outcome(body=_encode(view), created=created, version=last.version, replayed=replayed)


def appended(
    entries: Sequence[Entry], recorded: Recorded, *, first_index: int, language: Language
) -> AppendReading:
    """What `recorded` came to, which was stored as `entries`.

    The request's events count from `first_index`.
    """
    views = tuple(
        [
            entry_view(entry, None if made.inferred else first_index + made.told_index)
            for entry, made in zip(entries, recorded.entries, strict=True)
        ]
    )
    words = words_of(recorded.state.edition.id)
    voided = recorded.voided
    return AppendReading(
        views,
        violation_views(
            recorded.violations, first_index=first_index, language=language, words=words
        ),
        FoldedState(recorded.state, entries[-1].position),
        None if voided is None else voided_views(voided, language=language, words=words),
    )


def opened(entry: Entry, state: State) -> AppendReading:
    """The opening of a match, which is the first entry of its stream."""
    return AppendReading((entry_view(entry),), (), FoldedState(state, entry.position))


def violation_views(
    violations: Sequence[Violation], *, first_index: int, language: Language, words: Words
) -> tuple[ViolationView, ...]:
    """In words and in facts; the request's events count from `first_index`.

    `words` name who sat there where the violations don't say it.
    """
    if not violations:
        return ()
    return tuple(
        ViolationView(
            event_index=None if v.event_index is None else first_index + v.event_index,
            clause=v.clause,
            reason=v.reason,
            message=message(
                "rule-violation",
                v.reason,
                {"clause": v.clause, **v.facts},
                language,
                words.seated(v.sitting),
            ),
            facts=dict(v.facts),
            **place_of(v.address),
        )
        for v in violations
    )


def voided_views(
    steps: Sequence[Step], *, language: Language, words: Words
) -> tuple[VoidedView, ...]:
    """What can't be applied as the log is read, and why."""
    return tuple(
        VoidedView(
            type=UNSET if step.event is None else event_type(step.event),
            code=why.code,
            reason=why.reason or UNSET,
            message=message(
                why.code, why.reason, why.facts, language, words.seated(step.before.substitutes)
            ),
            facts=dict(why.facts),
            **place_of(step.address),
        )
        for step in steps
        if (why := step.voided) is not None
    )


class PlaceInLog(TypedDict, total=False):
    """The members of an answer that name an event in its log; none where it was only inferred."""

    version: int
    amendment: int
    index: int


def place_of(address: Address) -> PlaceInLog:
    match address:
        case None:
            return {}
        case Inserted(amendment=amendment, index=index):
            return {"amendment": amendment, "index": index}
        case int():
            return {"version": address}

"""Presents entries in answers: stored entries, and the result of an append."""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypedDict, cast

import msgspec
from msgspec import UNSET

from scorekeeper.ledger.entry import Entry
from scorekeeper.match.events.events import decode_written, encode, event_type
from scorekeeper.match.events.fields import Address, Inserted
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.readings.reader import Step, entries_in
from scorekeeper.match.readings.viewer_fold import VisibilityHorizon, redact_for_viewers
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
    """Present an entry. `data` is decoded from the hashed bytes, so that it shows what is stored.

    `horizon`: where a viewer's sight of the match ends; None for callers who see everything.
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
    left = redact_for_viewers(event, version, horizon)
    return stored if left is event else naming(stored, _decoder.decode(encode(left)))


def naming(whole: _Object, left: _Object) -> _Object:
    """Return `left`, a part of `whole`. Each object lists its missing fields as `redacted`."""
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

    `book`: if hidden cards were left out of `state`, the same state with all of them. `left_out`:
    how the tag says so.
    """

    state: State
    position: int
    book: State | None = None
    left_out: str | None = None

    @property
    def tag(self) -> str:
        """The ETag of a reading of this state, as `tag_of` makes it."""
        return tag_of(self.book or self.state, self.left_out)

    @property
    def weight(self) -> int:
        """About how many bytes the state takes in memory.

        The figures were measured with matches whose rounds are tallies. Other matches take less. A
        planned round counts as an entry.
        """
        return 4_096 + 1_024 * (self.state.version + len(self.state.plan))

    @property
    def redacted(self) -> bool:
        """Whether hidden cards were left out."""
        return self.book is not None


def tag_of(book: State, left_out: str | None = None) -> str:
    """Return the ETag (RFC 9110, section 8.8.3) of a match as read: version and what is left out.

    The number of erased entries is a part of it, since an erasure changes the reading but not the
    version.
    """
    tag = str(book.version)
    if book.erased:
        tag += f"-erased-{erased_count(book)}"
    return tag if left_out is None else f"{tag}-{left_out}"


def erased_count(book: State) -> int:
    """Return how many entries of the match are erased."""
    return sum(entry.event is None for entry in entries_in(book.log)) if book.erased else 0


class AppendReading(msgspec.Struct, frozen=True):
    """What an append recorded: told and inferred entries, violations, and the state after them.

    `voided`: all voided events after the last amendment of the append; None if it has none.
    """

    entries: tuple[EntryView, ...]
    violations: tuple[ViolationView, ...]
    folded: FoldedState
    voided: tuple[VoidedView, ...] | None = None

    @property
    def versions(self) -> frozenset[int]:
        return frozenset(entry.version for entry in self.entries)

    def after(self, earlier: "AppendReading | None") -> "AppendReading":
        """Combine this with what an `earlier` try of the same request recorded."""
        if earlier is None:
            return self
        return AppendReading(
            earlier.entries + self.entries,
            earlier.violations + self.violations,
            self.folded,
            earlier.voided if self.voided is None else self.voided,
        )

    def outcome(self, match: str, *, created: bool, replayed: Replayed | None = None) -> Outcome:
        """Return the answer as bytes, so that a stored answer equals it byte for byte."""
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
    """Present `recorded`, which was stored as `entries`.

    `first_index`: the index in the request of the first event that was recorded.
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
    """Present the opening of a match. `entry` is the first one of its stream."""
    return AppendReading((entry_view(entry),), (), FoldedState(state, entry.position))


def violation_views(
    violations: Sequence[Violation], *, first_index: int, language: Language, words: Words
) -> tuple[ViolationView, ...]:
    """Present violations in words and in facts.

    `first_index`: the index in the request of the first event that was decided. `words` know who
    sat in, for violations that don't say it.
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
    """Present those of the steps that can't be applied as the log is read, and why."""
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
    """The members of an answer that name an event in the log.

    There are none for an event that nobody recorded, which is inferred as the log is read now.
    """

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

"""What an audit answers: what was found about a match, in a language, with who recorded it.

The OpenAPI document describes the structs.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType, field

from scorekeeper.ledger.entry import Header
from scorekeeper.match.events.events import DisputeRuled, Ruling
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.readings.hindsight import Verdict
from scorekeeper.match.readings.reader import amendments_in, amendments_in_force, entries_in
from scorekeeper.match.state import State
from scorekeeper.projections.audit import AuditedBreach, RoundCards, Shift, Voided
from scorekeeper.service.reading.entry_presenter import place_of
from scorekeeper.service.reading.people import WordsByStep
from scorekeeper.texts.explanations import audit_line
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message
from scorekeeper.texts.words import Words


class CheckView(Struct, frozen=True):
    """One check and its result; `message` says in a sentence what was found."""

    check: str
    ok: bool
    message: str
    facts: Mapping[str, object]


class AddressedView(Struct, frozen=True, kw_only=True):
    """`version` of an entry, or `index` of an event among those that an `amendment` inserted.

    `amendment` is the amendment's own version. If all are absent, nobody recorded the event: it is
    inferred as the log is read now.
    """

    version: int | UnsetType = UNSET
    amendment: int | UnsetType = UNSET
    index: int | UnsetType = UNSET


class BreachView(AddressedView, frozen=True, kw_only=True):
    """A violation in words and facts; `as_played`: the table accepted it, and told it so."""

    type: str
    clause: str
    reason: str
    message: str
    facts: Mapping[str, object]
    as_played: bool


class VoidedEntryView(AddressedView, frozen=True, kw_only=True):
    """A told event that can't be applied as the log is read now; `code` says why."""

    type: str
    code: str
    message: str


class ShiftView(AddressedView, frozen=True, kw_only=True):
    """From this event on, the round has `by` cards more, or fewer if `by` is negative.

    `clauses` say why. If there are none, no reason was recorded, and the log is wrong.
    """

    type: str
    by: int
    clauses: Sequence[str]
    message: str


class CardsView(Struct, frozen=True, kw_only=True):
    """The cards of a round: `cards` are in the box, `added` were brought in by a reshuffle.

    `steps`: after how many events the cards were counted.
    """

    round: int
    ok: bool
    cards: int
    added: int
    steps: int
    shifts: Sequence[ShiftView]


class AmendmentView(Struct, frozen=True, kw_only=True):
    """`version` is the amendment's own. `inserted` events replace `remove` entries, from `from` on.

    `from` is null if the amendment only withdraws other amendments.
    """

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
    """`dispute` is the version of the entry that opened it.

    `ruling`, `reason`, `ruled_by` and `ruled_at` are null while the dispute is open. `entry` is
    null if the round as a whole is disputed.
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
    """What a token recorded: `entries` counts all, `inferred` those that the service inferred."""

    recorded_by: str
    entries: int
    inferred: int
    first: str
    last: str
    message: str


class AuditView(Struct, frozen=True, kw_only=True):
    """The audit of a match; `ok`: every check holds. `verdicts` counts the told events by verdict.

    If entries are missing (`contiguity`), only the bytes of the others are checked, and all that
    rests on the rules is empty. `recorders`: the names of the tokens that recorded the match,
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


def breach_views(
    breaches: Sequence[AuditedBreach], language: Language, words: WordsByStep
) -> list[BreachView]:
    return [
        BreachView(
            **place_of(breach.address),
            type=breach.type,
            clause=breach.violation.clause,
            reason=breach.violation.reason,
            message=message(
                "rule-violation",
                breach.violation.reason,
                {"clause": breach.violation.clause, **breach.violation.facts},
                language,
                words.at(breach.address),
            ),
            facts=breach.violation.facts,
            as_played=breach.as_played,
        )
        for breach in breaches
    ]


def voided_entry_views(voided: Sequence[Voided], language: Language) -> list[VoidedEntryView]:
    """Return the told events that can't be applied; `erased_views` has those without content."""
    return [
        VoidedEntryView(
            **place_of(each.address),
            type=each.type,
            code=each.why.code,
            message=audit_line("voided", language, {"type": each.type}),
        )
        for each in voided
        if each.type is not None
    ]


def erased_views(
    voided: Sequence[Voided], state: State, recorded: Sequence[Header], language: Language
) -> Iterator[ErasedView]:
    """Yield every entry without content, inferred ones too, although they are inferred again."""
    if not state.erased:
        return
    rounds = {each.address: each.round for each in voided if each.type is None}
    last = 1
    for logged, header in zip(entries_in(state.log), recorded[1:], strict=True):
        last = rounds.get(logged.version, last)
        if logged.event is None:
            facts = {"version": header.version, "type": header.type, "round": last}
            yield ErasedView(
                version=header.version,
                position=header.position,
                type=header.type,
                round=last,
                message=audit_line("erased", language, facts),
            )


def cards_views(rounds: Sequence[RoundCards], language: Language, words: Words) -> list[CardsView]:
    return [
        CardsView(
            round=each.round,
            ok=each.holds,
            cards=each.cards,
            added=each.added,
            steps=each.steps,
            shifts=[_shift(shift, language, words) for shift in each.shifts],
        )
        for each in rounds
    ]


def _shift(shift: Shift, language: Language, words: Words) -> ShiftView:
    if shift.clauses:
        name = "cards-more" if shift.by > 0 else "cards-fewer"
    else:
        name = "cards-made" if shift.by > 0 else "cards-lost"
    facts = {"count": abs(shift.by), "clauses": shift.clauses}
    return ShiftView(
        **place_of(shift.address),
        type=shift.type,
        by=shift.by,
        clauses=shift.clauses,
        message=audit_line(name, language, facts, words),
    )


def amendment_views(
    state: State, recorded: Sequence[Header], language: Language
) -> Iterator[AmendmentView]:
    """Yield all that were recorded, in force or not, oldest first."""
    if not state.amendments:
        return
    known = amendments_in(entries_in(state.log))
    standing = amendments_in_force(known)
    for version, one in known.items():
        if version not in standing:
            name = "amendment-withdrawn"
        else:
            name = "amendment-withdrawing" if one.first is None else "amendment"
        facts = {
            "first": one.first,
            "remove": one.remove,
            "count": len(one.insert),
            "versions": one.withdraws,
            "reason": one.reason,
        }
        yield AmendmentView(
            version=version,
            first=one.first,
            remove=one.remove,
            inserted=len(one.insert),
            withdraws=one.withdraws,
            in_force=version in standing,
            dispute=one.dispute,
            reason=one.reason,
            recorded_by=recorded[version - 1].actor,
            recorded_at=recorded[version - 1].time,
            message=audit_line(name, language, facts),
        )


def dispute_views(
    state: State, recorded: Sequence[Header], language: Language, words: WordsByStep
) -> Iterator[DisputeView]:
    """Yield all that were opened, by their versions."""
    if not state.disputes:
        return
    rulings = {
        entry.event.dispute: (entry.event, recorded[entry.version - 1])
        for entry in entries_in(state.log)
        if isinstance(entry.event, DisputeRuled)
    }
    for version, dispute in state.disputes.items():
        opened = dispute.opened
        ruled, by = rulings.get(version, (None, None))
        facts = {
            "by": dispute.disputant,
            "round": opened.round,
            "claim": opened.claim,
            "reason": ruled.reason if ruled else None,
        }
        yield DisputeView(
            dispute=version,
            by=opened.by,
            round=opened.round,
            entry=opened.entry,
            claim=opened.claim,
            recorded_by=recorded[version - 1].actor,
            recorded_at=recorded[version - 1].time,
            ruling=dispute.ruling,
            reason=ruled.reason if ruled else None,
            ruled_by=by.actor if by else None,
            ruled_at=by.time if by else None,
            message=audit_line(
                f"dispute-{dispute.ruling or 'open'}",
                language,
                facts,
                words.seated({}),
            ),
        )


def recordings_views(
    recorded: Sequence[Header], language: Language, names: Mapping[str, str]
) -> list[RecordingsView]:
    """Return what each token recorded, in the order of the tokens' first entries.

    `names` has names of tokens by id. A token without a name is called by its id.
    """
    by: dict[str, list[Header]] = {}
    for header in recorded:
        by.setdefault(header.actor, []).append(header)
    views: list[RecordingsView] = []
    for actor, own in by.items():
        inferred = sum(header.inferred for header in own)
        facts = {
            "token": names.get(actor, actor),
            "told": len(own) - inferred,
            "inferred": inferred,
        }
        views.append(
            RecordingsView(
                recorded_by=actor,
                entries=len(own),
                inferred=inferred,
                first=own[0].time,
                last=own[-1].time,
                message=audit_line("recorder", language, facts),
            )
        )
    return views

"""What was found about a match, put into a language, with who recorded it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.match.decider.logged import amendments, entries, in_force
from scorekeeper.match.events.address import Address, Inserted
from scorekeeper.match.events.dispute_events import DisputeRuled
from scorekeeper.match.table.state import State
from scorekeeper.projections.audit import AuditedBreach, Voided
from scorekeeper.projections.conservation import RoundCards, Shift
from scorekeeper.service.integrity.audit_views import (
    AmendmentView,
    BreachView,
    CardsView,
    DisputeView,
    ErasedView,
    RecordingsView,
    ShiftView,
    VoidedEntryView,
)
from scorekeeper.service.reading.people import WordsByStep
from scorekeeper.texts.audits import audit_line
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message
from scorekeeper.texts.words import Words


class _FindingPlace(TypedDict, total=False):
    version: int
    amendment: int
    index: int


def _place(address: Address) -> _FindingPlace:
    match address:
        case None:
            return {}
        case Inserted(amendment=amendment, index=index):
            return {"amendment": amendment, "index": index}
        case int():
            return {"version": address}


def breach_views(
    breaches: Sequence[AuditedBreach], language: Language, words: WordsByStep
) -> list[BreachView]:
    return [
        BreachView(
            **_place(breach.address),
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


def voided_views(voided: Sequence[Voided], language: Language) -> list[VoidedEntryView]:
    """Those that were told and can't be applied; what was erased stands elsewhere."""
    return [
        VoidedEntryView(
            **_place(each.address),
            type=each.type,
            code=each.why.code,
            message=audit_line("voided", language, {"type": each.type}),
        )
        for each in voided
        if each.type is not None
    ]


def erased_views(
    voided: Sequence[Voided], recorded: Sequence[Entry], language: Language
) -> list[ErasedView]:
    """Every entry without content; inferred ones are concluded again all the same."""
    rounds = {each.address: each.round for each in voided if each.type is None}
    last = 1
    views: list[ErasedView] = []
    for entry in recorded:
        last = rounds.get(entry.version, last)
        if entry.body is None:
            facts = {"version": entry.version, "type": entry.type, "round": last}
            views.append(
                ErasedView(
                    version=entry.version,
                    position=entry.position,
                    type=entry.type,
                    round=last,
                    message=audit_line("erased", language, facts),
                )
            )
    return views


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
        **_place(shift.address),
        type=shift.type,
        by=shift.by,
        clauses=shift.clauses,
        message=audit_line(name, language, facts, words),
    )


def amendment_views(
    state: State, recorded: Mapping[int, Entry], language: Language
) -> Iterator[AmendmentView]:
    """All that were recorded, in force or not, oldest first."""
    known = amendments(entries(state.log))
    standing = in_force(known)
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
            recorded_by=recorded[version].actor,
            recorded_at=recorded[version].time,
            message=audit_line(name, language, facts),
        )


def dispute_views(
    state: State, recorded: Mapping[int, Entry], language: Language, words: WordsByStep
) -> Iterator[DisputeView]:
    """All that were opened, by their versions."""
    rulings = {
        entry.event.dispute: (entry.event, recorded[entry.version])
        for entry in entries(state.log)
        if isinstance(entry.event, DisputeRuled)
    }
    rounds = {each.number: each.substitutes for each in state.latest_first()}
    for version, dispute in state.disputes.items():
        opened = dispute.opened
        ruled, by = rulings.get(version, (None, None))
        facts = {
            "by": opened.by,
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
            recorded_by=recorded[version].actor,
            recorded_at=recorded[version].time,
            ruling=dispute.ruling,
            reason=ruled.reason if ruled else None,
            ruled_by=by.actor if by else None,
            ruled_at=by.time if by else None,
            message=audit_line(
                f"dispute-{dispute.ruling or 'open'}",
                language,
                facts,
                words.seated(rounds.get(opened.round, {})),
            ),
        )


def recordings_views(
    recorded: Sequence[Entry], language: Language, names: Mapping[str, str]
) -> list[RecordingsView]:
    """Tokens by the first entry that each of them recorded; `names` are what some are called."""
    by: dict[str, list[Entry]] = {}
    for entry in recorded:
        by.setdefault(entry.actor, []).append(entry)
    views: list[RecordingsView] = []
    for actor, own in by.items():
        inferred = sum(entry.inferred for entry in own)
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

"""Auditing a match: everything that can be checked of it, each with a sentence.

Chain, digests, versions and places are checked without the rules.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from scorekeeper.ledger.entry import Entry, Header, decode_header, encode_header
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.merkle_tree import body_digest, leaf_hash, tree_root, verify_inclusion
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.readings.reader import Logged, Step, amendments_in, entries_in
from scorekeeper.match.state import State
from scorekeeper.projections.audit import MatchAudit, audit
from scorekeeper.projections.consistency import AmendedReplay, FoldedReplay, MatchReplay
from scorekeeper.service.integrity.audit_presenter import (
    AuditView,
    CheckView,
    amendment_views,
    breach_views,
    cards_views,
    dispute_views,
    erased_views,
    recordings_views,
    voided_entry_views,
)
from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.matches.deciding import list_row
from scorekeeper.service.questions import MatchCheck
from scorekeeper.service.reading.entry_presenter import FoldedState
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.people import WordsByStep, people_in, worded_tag
from scorekeeper.service.refused import Refused
from scorekeeper.store.views import MATCHES, Row, rows_about
from scorekeeper.texts.explanations import audit_line
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import Words, words_of


class Checked(msgspec.Struct, frozen=True):
    """The result of a check. `first_bad`: the first version at which it fails; None if it holds."""

    check: str
    first_bad: int | None = None


def chain(entries: Sequence[Entry], headers: Sequence[Header]) -> Checked:
    """Check that each header is canonical and has the hash of the stored header before it."""
    link: str | None = None
    for entry, header in zip(entries, headers, strict=True):
        if header.prev != link or encode_header(header) != entry.header:
            return Checked("chain", entry.version)
        link = entry.hash
    return Checked("chain")


def contents(entries: Sequence[Entry], headers: Sequence[Header]) -> Checked:
    """Each body that was not erased fits the digest in its header."""
    for entry, header in zip(entries, headers, strict=True):
        if entry.body is None or entry.salt is None:
            if entry.body is not entry.salt:
                return Checked("contents", entry.version)
        elif body_digest(entry.salt, entry.body).hex() != header.digest:
            return Checked("contents", entry.version)
    return Checked("contents")


def contiguity(entries: Sequence[Entry]) -> Checked:
    """Check that versions count from 1 without gaps, positions grow, and times never go back."""
    last: Entry | None = None
    for version, entry in enumerate(entries, start=1):
        behind = last is not None and (entry.position <= last.position or entry.time < last.time)
        if entry.version != version or behind:
            return Checked("contiguity", version)
        last = entry
    return Checked("contiguity")


class _Audited(msgspec.Struct, frozen=True, kw_only=True):
    """A match of which no entry is missing, and what its audit found."""

    match: str
    state: State
    recorded: list[Entry]
    found: MatchAudit
    words: WordsByStep
    language: Language


class Auditing:
    """Checks matches on request; nothing is remembered."""

    def __init__(self, ledger: Ledger, reading: Reading, evidence: Evidence) -> None:
        self._ledger = ledger
        self._reading = reading
        self._evidence = evidence

    async def match(self, asked: MatchCheck) -> tuple[str, AuditView]:
        """Return the tag of what was read, and the audit. Raises Refused (`not-found`).

        Viewers get verdicts and violations without what rests on hidden cards.
        """
        league, match, at, language = asked.league, asked.match, asked.at, asked.language
        there = await self._ledger.stream(league, match_stream(match), until=at)
        if any(entry.version != version for version, entry in enumerate(there, start=1)):
            tag = f"{there[-1].version}-incomplete"
            shown = await self._incomplete(league, match, there, language)
            return worded_tag(tag, language, None), shown
        book = await self._reading.folded(league, match, at)
        recorded = await self._reading.entries_of(league, match, book.state, known=there)
        read = await self._reading.steps_of(asked.audience, league, match, "corrected", book)
        state = book.state
        names = None
        if asked.naming is not None:
            played = people_in(step.event for step in read.steps)
            names = await self._reading.names.people(league, played)
        audited = _Audited(
            match=match,
            state=state,
            recorded=recorded,
            found=audit(read.steps),
            words=WordsByStep(words_of(state.edition.id), read.steps, names),
            language=language,
        )
        checks = [
            *await self._checks_of_bytes(league, audited.recorded, language),
            _inference(state, read.whole, language),
            _conservation(audited.found, language, audited.words.common),
            *(await self._checks_of_list(league, audited, book) if at is None else ()),
        ]
        recorders = await self._recorders(league, audited.recorded)
        view = _view(audited, checks, recorders, named=asked.naming is not None)
        return worded_tag(read.tag, language, names), view

    async def _incomplete(
        self, league: str, match: str, there: Sequence[Entry], language: Language
    ) -> AuditView:
        """Audit the bytes of a match that lacks entries, and so can't be replayed by the rules."""
        return AuditView(
            match=match,
            version=there[-1].version,
            position=there[-1].position,
            ok=False,
            checks=await self._checks_of_bytes(league, there, language),
            verdicts=audit(()).verdicts,
            violations=(),
            conservation=(),
            amendments=(),
            voided=(),
            disputes=(),
            erased=(),
            recordings=recordings_views(there, language, {}),
            recorders=await self._recorders(league, there),
        )

    async def _checks_of_list(
        self, league: str, audited: _Audited, book: FoldedState
    ) -> list[CheckView]:
        """Compare the match as it was read, `book`, with its row in the list of matches, if any."""
        match = audited.match
        row = await self._ledger.read(lambda c: next(rows_about(c, MATCHES, league, [match]), None))
        if row is None:
            return []
        check = _listed(league, audited, row)
        # A row may rightly differ if the match went on after it was read.
        if not check.ok and (await self._reading.folded(league, match)).tag != book.tag:
            return []
        return [check]

    async def _recorders(self, league: str, recorded: Sequence[Entry]) -> Mapping[str, str]:
        return await self._reading.names.recorders(league, (entry.actor for entry in recorded))

    async def _checks_of_bytes(
        self, league: str, recorded: Sequence[Entry], language: Language
    ) -> list[CheckView]:
        return [
            *(_line(each, len(recorded), language) for each in _of_bytes(recorded)),
            await self._tree(league, recorded[-1], language),
        ]

    async def _tree(self, league: str, entry: Entry, language: Language) -> CheckView:
        try:
            head, proof = await self._evidence.proof(league, entry.position)
        except Refused:
            # The ledger lacks entries that its head row promises.
            return _check("tree", language, ok=False, position=entry.position)
        ok = verify_inclusion(
            leaf_hash(entry.header),
            entry.position - 1,
            head.size,
            proof,
            tree_root(head.frontier),
        )
        # The tree's size is no fact of the answer, since it grows with every other match.
        return _check("tree", language, ok=ok, position=entry.position)


def _view(
    audited: _Audited, checks: Sequence[CheckView], recorders: Mapping[str, str], *, named: bool
) -> AuditView:
    """Put an audit together. `named`: messages have the names of tokens instead of their ids."""
    state, recorded, found = audited.state, audited.recorded, audited.found
    words, language = audited.words, audited.language
    by_version = {entry.version: entry for entry in recorded}
    return AuditView(
        match=audited.match,
        version=state.version,
        position=recorded[-1].position,
        ok=all(check.ok for check in checks),
        checks=checks,
        verdicts=found.verdicts,
        violations=breach_views(found.breaches, language, words),
        conservation=cards_views(found.rounds, language, words.common),
        amendments=list(amendment_views(state, by_version, language)),
        voided=voided_entry_views(found.voided, language),
        disputes=list(dispute_views(state, by_version, language, words)),
        erased=erased_views(found.voided, recorded, language),
        recordings=recordings_views(recorded, language, recorders if named else {}),
        recorders=recorders,
    )


def _of_bytes(recorded: Sequence[Entry]) -> Iterator[Checked]:
    headers = [decode_header(entry.header) for entry in recorded]
    yield chain(recorded, headers)
    yield contents(recorded, headers)
    yield contiguity(recorded)


def _line(checked: Checked, count: int, language: Language) -> CheckView:
    if checked.first_bad is None:
        return _check(checked.check, language, ok=True, count=count)
    return _check(checked.check, language, ok=False, version=checked.first_bad)


def _inference(state: State, steps: Sequence[Step], language: Language) -> CheckView:
    """Check what was inferred. `steps`: those of the log as it is read now, with all cards."""
    entries = entries_in(state.log)
    replay = _replay(state, steps, entries)
    for entry in entries:
        found = replay.take(entry.event, told=not entry.inferred)
        if found is not None:
            return _check("inference", language, ok=False, version=found.version)
    found = replay.end()
    if found is not None:
        return _check("inference", language, ok=False, version=found.version)
    if state.erased:
        return CheckView(
            "inference", ok=True, message=audit_line("inference-erased", language, {}), facts={}
        )
    return _check("inference", language, ok=True)


def _replay(state: State, steps: Sequence[Step], entries: Sequence[Logged]) -> MatchReplay:
    """Return a replay that reads nothing that was read for the steps."""
    if not (state.amendments or state.erased):
        return FoldedReplay(step.after for step in steps)
    start = initial(state.edition, state.opened)
    if state.erased:
        return MatchReplay(start)
    last = max(amendments_in(entries))
    # After the last amendment, there is one step for each entry.
    return AmendedReplay(start, last, steps[last - state.version - 1].after)


def _conservation(found: MatchAudit, language: Language, words: Words) -> CheckView:
    if not found.rounds:
        return CheckView(
            "conservation",
            ok=True,
            message=audit_line("conservation-none", language, {}),
            facts={},
        )
    bad = [each.round for each in found.rounds if not each.holds]
    if bad:
        return _check("conservation", language, ok=False, rounds=bad)
    said = audit_line("conservation", language, {}, words)
    return CheckView("conservation", ok=True, message=said, facts={})


def _listed(league: str, audited: _Audited, row: Row) -> CheckView:
    fresh = list_row(league, audited.match, audited.state, audited.recorded[0])[1]
    return _check("list", audited.language, ok=fresh == row)


def _check(check: str, language: Language, *, ok: bool, **facts: object) -> CheckView:
    name = check if ok else f"{check}-broken"
    return CheckView(check, ok=ok, message=audit_line(name, language, facts), facts=facts)

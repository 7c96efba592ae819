"""Auditing a match: everything that can be checked of it, each with a sentence.

Chain, digests, versions and places are checked without the rules.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from scorekeeper.ledger.entry import Header, decode_header, encode_header
from scorekeeper.ledger.integrity.checking import Stored
from scorekeeper.ledger.integrity.raw_rows import stored_of_stream
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
from scorekeeper.service.reading.entry_presenter import FoldedState, erased_count
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.people import WordsByStep, people_in, worded_tag
from scorekeeper.service.refused import Refused
from scorekeeper.store.views import MATCHES, Row, rows_about
from scorekeeper.texts.explanations import audit_line
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import Words, words_of


class MatchEntries(NamedTuple):
    """The entries of a match, or those that are there: their rows, and the headers in these."""

    rows: Sequence[Stored]
    headers: Sequence[Header]


def _chain_broken_at(recorded: MatchEntries) -> int | None:
    """Return the first version whose header is not canonical or has a wrong `prev`; None if none.

    `prev` is the hash of the stored header before it.
    """
    link: str | None = None
    for (stored, _, _), header in zip(*recorded, strict=True):
        if header.prev != link or encode_header(header) != stored:
            return header.version
        link = leaf_hash(stored).hex()
    return None


def _contents_broken_at(recorded: MatchEntries) -> int | None:
    """Return the first version with a body that does not fit its header's digest; None if none."""
    for (_, body, salt), header in zip(*recorded, strict=True):
        if body is None or salt is None:
            if body is not salt:
                return header.version
        elif body_digest(salt, body).hex() != header.digest:
            return header.version
    return None


def _contiguity_broken_at(headers: Sequence[Header]) -> int | None:
    """Return the first version that is missing, or that goes back in position or time, if any."""
    last: Header | None = None
    for version, header in enumerate(headers, start=1):
        behind = last is not None and (header.position <= last.position or header.time < last.time)
        if header.version != version or behind:
            return version
        last = header
    return None


class _Audited(msgspec.Struct, frozen=True, kw_only=True):
    """A match of which no entry is missing, and what its audit found."""

    match: str
    state: State
    recorded: MatchEntries
    found: MatchAudit
    words: WordsByStep
    language: Language


class Auditing:
    """Checks matches on request; nothing is remembered."""

    def __init__(self, ledger: Ledger, reading: Reading, evidence: Evidence) -> None:
        self._ledger = ledger
        self._reading = reading
        self._evidence = evidence

    async def match(self, asked: MatchCheck) -> tuple[str | None, AuditView]:
        """Return the tag of what was read, and the audit. Raises Refused (`not-found`).

        If a check fails, the tag is None: what was changed by hand does not follow from a version.
        Viewers get verdicts and violations without what rests on hidden cards.
        """
        league, match, at, language = asked.league, asked.match, asked.at, asked.language
        there = await self._entries_of(league, match, at)
        if any(each.version != version for version, each in enumerate(there.headers, start=1)):
            return None, await self._incomplete(league, match, there, language)
        book = await self._reading.folded(league, match, at)
        state = book.state
        recorded = there
        if not _make_up(there, state):
            recorded = await self._entries_of(league, match, state.version)
        read = await self._reading.steps_of(asked.audience, league, match, "corrected", book)
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
        return worded_tag(read.tag, language, names) if view.ok else None, view

    async def _entries_of(self, league: str, match: str, until: int | None) -> MatchEntries:
        """Return the entries of a match that are there, up to a version; None: all."""
        work = partial(stored_of_stream, league=league, stream=match_stream(match), until=until)
        rows = await self._ledger.read(work)
        return MatchEntries(rows, [decode_header(stored) for stored, _, _ in rows])

    async def _incomplete(
        self, league: str, match: str, there: MatchEntries, language: Language
    ) -> AuditView:
        """Audit the bytes of a match that lacks entries, and so can't be replayed by the rules."""
        return AuditView(
            match=match,
            version=there.headers[-1].version,
            position=there.headers[-1].position,
            ok=False,
            checks=await self._checks_of_bytes(league, there, language),
            verdicts=audit(()).verdicts,
            violations=(),
            conservation=(),
            amendments=(),
            voided=(),
            disputes=(),
            erased=(),
            recordings=recordings_views(there.headers, language, {}),
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

    async def _recorders(self, league: str, recorded: MatchEntries) -> Mapping[str, str]:
        actors = (header.actor for header in recorded.headers)
        return await self._reading.names.recorders(league, actors)

    async def _checks_of_bytes(
        self, league: str, recorded: MatchEntries, language: Language
    ) -> list[CheckView]:
        broken_at = {
            "chain": _chain_broken_at(recorded),
            "contents": _contents_broken_at(recorded),
            "contiguity": _contiguity_broken_at(recorded.headers),
        }
        checks = [
            _check(check, language, ok=True, count=len(recorded.rows))
            if version is None
            else _check(check, language, ok=False, version=version)
            for check, version in broken_at.items()
        ]
        return [*checks, await self._tree(league, recorded, language)]

    async def _tree(self, league: str, recorded: MatchEntries, language: Language) -> CheckView:
        last, position = recorded.rows[-1][0], recorded.headers[-1].position
        try:
            head, proof = await self._evidence.proof(league, position)
        except Refused:
            # The ledger lacks entries that its head row promises.
            return _check("tree", language, ok=False, position=position)
        ok = verify_inclusion(
            leaf_hash(last),
            position - 1,
            head.size,
            proof,
            tree_root(head.frontier),
        )
        # The tree's size is no fact of the answer, since it grows with every other match.
        return _check("tree", language, ok=ok, position=position)


def _make_up(recorded: MatchEntries, state: State) -> bool:
    """Return whether the state was folded from these entries.

    It was not if the match went on in between, or if more of its content was erased.
    """
    if len(recorded.rows) != state.version:
        return False
    return sum(body is None for _, body, _ in recorded.rows) == erased_count(state)


def _view(
    audited: _Audited, checks: Sequence[CheckView], recorders: Mapping[str, str], *, named: bool
) -> AuditView:
    """Put an audit together. `named`: messages have the names of tokens instead of their ids."""
    state, recorded, found = audited.state, audited.recorded, audited.found
    words, language = audited.words, audited.language
    return AuditView(
        match=audited.match,
        version=state.version,
        position=recorded.headers[-1].position,
        ok=all(check.ok for check in checks),
        checks=checks,
        verdicts=found.verdicts,
        violations=breach_views(found.breaches, language, words),
        conservation=cards_views(found.rounds, language, words.common),
        amendments=list(amendment_views(state, recorded.headers, language)),
        voided=voided_entry_views(found.voided, language),
        disputes=list(dispute_views(state, recorded.headers, language, words)),
        erased=list(erased_views(found.voided, state, recorded.headers, language)),
        recordings=recordings_views(recorded.headers, language, recorders if named else {}),
        recorders=recorders,
    )


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
    if state.erased:
        return MatchReplay(initial(state.edition, state.opened))
    last = max(amendments_in(entries))
    # After the last amendment, there is one step for each entry.
    return AmendedReplay(steps, last, len(steps) + last - state.version)


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
    fresh = list_row(league, audited.match, audited.state, audited.recorded.headers[0])[1]
    return _check("list", audited.language, ok=fresh == row)


def _check(check: str, language: Language, *, ok: bool, **facts: object) -> CheckView:
    name = check if ok else f"{check}-broken"
    return CheckView(check, ok=ok, message=audit_line(name, language, facts), facts=facts)

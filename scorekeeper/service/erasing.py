"""Erasing the content of entries at an owner's request, which is recorded as an entry itself."""

from collections.abc import Sequence

import msgspec

from scorekeeper.ledger.entry import Entry, ErasureTarget, without_content
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import RowWrite, Seen
from scorekeeper.ledger.writing.kept_answers import purged_about
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Writing,
)
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.kept_import import IMPORTS
from scorekeeper.service.matches.deciding import changed_views
from scorekeeper.service.matches.recording import LONG
from scorekeeper.service.reading.matches import match_of
from scorekeeper.service.reading.tournaments import tournament_of
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    ContentErased,
    fold_entries,
    league_draft,
    roster,
    tail_roster,
)
from scorekeeper.service.views import ErasureRequest, ErasureView
from scorekeeper.store import ratings

_encode = msgspec.json.Encoder().encode


class Erasing:
    """Deletes body and salt of entries. Their headers stay, and every proof stays valid."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def erase(
        self, caller: Caller, league: str, asked: ErasureRequest, key: IdempotencyKey | None
    ) -> Outcome:
        """Erase the content of entries for good. Entries that were erased before are skipped.

        Raises Refused (`not-found`, `position-unknown`, `not-erasable`, `idempotency-key-reused`).
        """
        entries = await self._entries(league, sorted(set(asked.positions)))

        def decide(seen: Seen) -> Writing[Outcome] | Outcome:
            known = tail_roster(seen.tails[LEAGUE_STREAM])
            new = [entry for entry in entries if entry.position not in known.erased]
            if not new:
                return _outcome(None, (), asked.reason)
            event = ContentErased(
                positions=tuple(entry.position for entry in new), reason=asked.reason
            )
            rows = _views_without(seen, league, new) + purged_about(league, IMPORTS)

            def complete(written: Sequence[Entry]) -> CommandResult[Outcome]:
                outcome = _outcome(written[0].position, event.positions, event.reason)
                return CommandResult(value=outcome, rows=rows, kept=outcome)

            return Writing(
                drafts=(league_draft(event),),
                carried={LEAGUE_STREAM: roster(known, [event])},
                complete=complete,
                erase=[_target(entry) for entry in new],
            )

        command = Command(
            league=league,
            actor=caller.token_id,
            about=LEAGUE_STREAM,
            keys=(key,),
            streams=(LEAGUE_STREAM, *sorted({entry.stream for entry in entries})),
            decide=decide,
            takes_long=_takes_long,
        )
        return await command.carry_out(self._ledger)

    async def _entries(self, league: str, positions: Sequence[int]) -> list[Entry]:
        """Return the entries at these positions. Raises Refused unless all may be erased."""
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        unknown = [position for position in positions if position > head.size]
        if unknown:
            raise Refused("position-unknown", facts={"positions": unknown, "size": head.size})
        entries = await self._ledger.at_positions(league, positions)
        _refuse(
            "league-entry",
            [entry.position for entry in entries if entry.stream == LEAGUE_STREAM],
        )
        _refuse(
            "tournament-entry",
            [entry.position for entry in entries if tournament_of(entry.stream) is not None],
        )
        _refuse(
            "opening",
            [entry.position for entry in entries if entry.version == 1],
        )
        return sorted(entries, key=lambda entry: entry.position)


def _target(entry: Entry) -> ErasureTarget:
    return ErasureTarget(stream=entry.stream, version=entry.version, position=entry.position)


def _takes_long(seen: Seen) -> bool:
    """Return whether many entries have to be folded, with the content and without it."""
    return sum(tail.version for tail in seen.tails.values()) > LONG


def _views_without(seen: Seen, league: str, erased: Sequence[Entry]) -> tuple[RowWrite, ...]:
    """Return what is written to the stored views once these entries have no content any more."""
    positions = frozenset(entry.position for entry in erased)
    rows: tuple[RowWrite, ...] = ()
    for stream in sorted({entry.stream for entry in erased}):
        whole = seen.whole(stream)
        before = fold_entries(None, whole)
        after = fold_entries(None, without_content(whole, positions))
        match = match_of(stream)
        assert match is not None
        # If the match gets results only by the erasure, nobody can tell which entry gave them. Its
        # last entry is taken, since it had none before.
        won_at = None if before.has_results else whole[-1].position
        rows += changed_views(league, match, before, after, won_at=won_at)
        if won_at is not None:
            # The ratings may be beyond that position already.
            rows += ratings.stale(league=league, match=match)
    return rows


def _refuse(reason: str, positions: Sequence[int]) -> None:
    if positions:
        raise Refused("not-erasable", reason=reason, facts={"positions": sorted(positions)})


def _outcome(position: int | None, positions: Sequence[int], reason: str) -> Outcome:
    view = ErasureView(position=position, positions=list(positions), reason=reason)
    return Outcome(body=_encode(view), created=position is not None)

"""Exporting a ledger as a bundle, streamed at constant memory while the service goes on."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from functools import partial

from scorekeeper.ledger.databases.database_errors import LedgerUnavailable
from scorekeeper.ledger.entries.erasure import CONTENT_ERASED
from scorekeeper.ledger.hashing.checkpoint import parse_checkpoint
from scorekeeper.ledger.hashing.note import note_text
from scorekeeper.ledger.hashing.tiles import TILE_WIDTH
from scorekeeper.ledger.integrity.tree import Tree, Trees
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading.raw_rows import read_stored
from scorekeeper.service.export.format import FORMAT, Manifest, ProofLine
from scorekeeper.service.export.writer import BundleWriter
from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.league_events import STREAM, PlayerRegistered, TokenMade, decode
from scorekeeper.store import names
from scorekeeper.store.names import StoredNames

# So many entries are read at once: some milliseconds of work, so that a table does not wait.
_ENTRIES_AT_ONCE = 4 * TILE_WIDTH


class ErasedMeanwhile(LedgerUnavailable):
    """Content was erased while it was exported: the bundle would be of no one moment."""


class Exporting:
    """Writes bundles, whose parts are those of the ledger at its signed checkpoint."""

    def __init__(self, ledger: Ledger, evidence: Evidence) -> None:
        self._ledger = ledger
        self._trees = Trees(ledger)
        self._evidence = evidence

    async def export(
        self, league: str, progress: OnProgress = lambda _: None
    ) -> tuple[Manifest, AsyncIterator[bytes]]:
        """What the bundle is of, and its bytes.

        Raises Refused (`not-found`, `log-forked`) at once; on the way LedgerBroken,
        LedgerUnavailable and ErasedMeanwhile, where the bytes break off unsealed.
        """
        note = await self._evidence.checkpoint(league)
        signed = parse_checkpoint(note_text(note))
        manifest = Manifest(
            format=FORMAT,
            league=league,
            log=signed.origin,
            size=signed.size,
            root=signed.root.hex(),
        )
        return manifest, self._bytes(manifest, note, progress)

    async def _bytes(
        self, manifest: Manifest, note: str, progress: OnProgress
    ) -> AsyncIterator[bytes]:
        writer = BundleWriter(manifest)
        yield writer.begin(await self._names(manifest))
        parts = (
            partial(
                read_stored,
                league=manifest.league,
                after=after,
                until=min(after + _ENTRIES_AT_ONCE, manifest.size),
            )
            for after in range(0, manifest.size, _ENTRIES_AT_ONCE)
        )
        async with aclosing(self._ledger.each(parts)) as read:
            async for rows in read:
                yield await asyncio.to_thread(writer.entries, rows)
                progress(len(rows))
        await self._refuse_erasures(manifest)
        for tile in writer.tiles_above():
            yield tile
        ends = sorted(
            (position, stream, version)
            for stream, (version, _, position) in writer.check.ends.items()
        )
        for at in range(0, len(ends), TILE_WIDTH):
            prove = partial(_proofs, ends=ends[at : at + TILE_WIDTH])
            yield writer.proofs(await self._trees.read(manifest.league, manifest.size, prove))
        key = self._evidence.verifier(manifest.log)
        yield writer.end(str(key), note, lambda text: self._evidence.sign(text, manifest.log))

    async def _names(self, manifest: Manifest) -> StoredNames:
        """The names of those whom the ledger knew at the size that is exported."""
        found = await self._ledger.read(partial(names.read, league=manifest.league))
        known: set[str] = set()
        for entry in await self._ledger.stream(manifest.league, STREAM):
            if entry.position > manifest.size or entry.body is None:
                continue
            match decode(entry.body):
                case PlayerRegistered(player=one) | TokenMade(token_id=one):
                    known.add(one)
                case _:
                    pass
        return StoredNames(
            league=found.league,
            players={player: name for player, name in found.players.items() if player in known},
            tokens={token: name for token, name in found.tokens.items() if token in known},
        )

    async def _refuse_erasures(self, manifest: Manifest) -> None:
        """What tells of an erasure while exporting stands behind what was exported."""
        stream = await self._ledger.stream(manifest.league, STREAM)
        if any(entry.type == CONTENT_ERASED for entry in stream if entry.position > manifest.size):
            raise ErasedMeanwhile("content was erased while it was exported: export again")


def _proofs(tree: Tree, ends: Sequence[tuple[int, str, int]]) -> list[ProofLine]:
    return [
        ProofLine(
            leaf=tree.leaf(position - 1).hex(),
            position=position,
            proof=[each.hex() for each in tree.inclusion(position - 1)],
            stream=stream,
            version=version,
        )
        for position, stream, version in ends
    ]

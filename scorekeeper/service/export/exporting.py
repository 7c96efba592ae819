"""Exporting a ledger as a bundle, streamed at constant memory while the service goes on."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from functools import partial

from scorekeeper.ledger.archive import ENDING, Member, framed
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.entry import CONTENT_ERASED, Entry
from scorekeeper.ledger.integrity.checking import LedgerCheck, Stored
from scorekeeper.ledger.integrity.checkpoints import parse_checkpoint
from scorekeeper.ledger.integrity.raw_rows import read_stored
from scorekeeper.ledger.integrity.signing import SigningKey, note_text
from scorekeeper.ledger.integrity.tree import Tree
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.merkle_tree import TILE_WIDTH
from scorekeeper.service.export.format import (
    CHECKPOINT,
    DIGESTS,
    FORMAT,
    KEY,
    MANIFEST,
    NAMES,
    SEAL,
    Manifest,
    ProofLine,
    digest,
    digest_line,
    encode,
    entry_line,
    part_name,
    seal_text,
    tile_name,
)
from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    NAME_ERASED,
    PlayerRegistered,
    TokenMade,
    decode_league_event,
)
from scorekeeper.store import names
from scorekeeper.store.names import StoredNames

# How many entries are read at once: some milliseconds of work, so that no other request waits.
_ENTRIES_AT_ONCE = 4 * TILE_WIDTH
_ERASURES = frozenset({CONTENT_ERASED, NAME_ERASED})


class LedgerBroken(Exception):
    """The ledger is not sound, so that a bundle of it would prove nothing."""


class BundleWriter:
    """Makes the bytes of a bundle. Call begin, entries, tiles_above, proofs, end in this order.

    The entries are checked meanwhile. Raises LedgerBroken.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._digests: list[str] = []
        self._proof_parts = 0
        self.check = LedgerCheck(manifest.league, manifest.log)

    def begin(self, names: StoredNames) -> bytes:
        return self._member(MANIFEST, encode(self._manifest) + b"\n") + self._member(
            NAMES, encode(names) + b"\n"
        )

    def entries(self, rows: Sequence[Stored]) -> bytes:
        """Return the members of the next entries: a multiple of 256 in each call but the last."""
        return b"".join(
            self._part(rows[at : at + TILE_WIDTH]) for at in range(0, len(rows), TILE_WIDTH)
        )

    def _part(self, rows: Sequence[Stored]) -> bytes:
        number = self.check.size // TILE_WIDTH
        flaws, _ = self.check.take(rows)
        if flaws:
            raise LedgerBroken(flaws[0].detail)
        lines = b"".join(entry_line(*row) for row in rows)
        hashes = self.check.tree.last_tile
        return self._member(part_name("entries", number), lines) + self._member(
            tile_name(0, number, len(hashes)), b"".join(hashes)
        )

    def tiles_above(self) -> Iterable[bytes]:
        """Yield the tiles above the leaves, after the last entry."""
        if self.check.size != self._manifest.size:
            raise LedgerBroken(
                f"The ledger has {self.check.size} entries, not {self._manifest.size}."
            )
        if self.check.tree.root().hex() != self._manifest.root:
            raise LedgerBroken("The entries do not have the root that the ledger's head gives.")
        for level in range(1, self.check.tree.levels):
            hashes = self.check.tree.hashes(level)
            for start in range(0, len(hashes), TILE_WIDTH):
                tile = hashes[start : start + TILE_WIDTH]
                name = tile_name(level, start // TILE_WIDTH, len(tile))
                yield self._member(name, b"".join(tile))

    def proofs(self, lines: Sequence[ProofLine]) -> bytes:
        """Return the member of the next proofs, by position: 256 in each call but the last."""
        name = part_name("proofs", self._proof_parts)
        self._proof_parts += 1
        return self._member(name, b"".join(encode(line) + b"\n" for line in lines))

    def end(self, checkpoint: str, key: SigningKey) -> bytes:
        """Return the digests, the key, the checkpoint and the seal, and the archive's end."""
        log = self._manifest.log
        digests = "".join(self._digests)
        self._digests.clear()
        sealed = (
            self._member(DIGESTS, digests.encode())
            + self._member(KEY, f"{key.verifier(log)}\n".encode())
            + self._member(CHECKPOINT, checkpoint.encode())
        )
        seal = key.sign(seal_text(FORMAT, log, "".join(self._digests)), log)
        return sealed + framed(SEAL, seal.encode()) + ENDING

    def _member(self, name: str, content: bytes) -> bytes:
        self._digests.append(digest_line(name, digest(Member(name, content), FORMAT)))
        return framed(name, content)


class ErasedMeanwhile(LedgerUnavailable):
    """Something was erased during the export, so the bundle would mix two states of the ledger."""


class Exporting:
    """Exports ledgers as bundles, each of the size of its signed checkpoint."""

    def __init__(self, ledger: Ledger, evidence: Evidence) -> None:
        self._ledger = ledger
        self._evidence = evidence

    async def export(
        self, league: str, progress: OnProgress = lambda _: None
    ) -> tuple[Manifest, AsyncIterator[bytes]]:
        """Return the bundle's manifest, and an iterator over its bytes.

        Raises Refused (`not-found`, `log-forked`). The iterator raises LedgerBroken,
        LedgerUnavailable and ErasedMeanwhile. Then the bytes end without a seal.
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
            yield writer.proofs(
                await self._evidence.trees.read(manifest.league, manifest.size, prove)
            )
        key = await self._evidence.key()
        yield writer.end(note, key)

    async def _names(self, manifest: Manifest) -> StoredNames:
        """Return the names of the players and tokens that the ledger has at the exported size."""
        found = await self._ledger.read(partial(names.read, league=manifest.league))
        registered, made = set[str](), set[str]()
        version = await self._ledger.version(manifest.league, LEAGUE_STREAM, manifest.size)
        async for entry in self._league_entries(manifest, until=version):
            match None if entry.body is None else decode_league_event(entry.body):
                case PlayerRegistered(player=player):
                    registered.add(player)
                case TokenMade(token_id=token):
                    made.add(token)
                case _:
                    pass
        return StoredNames(
            league=found.league,
            players={slug: name for slug, name in found.players.items() if slug in registered},
            tokens={token_id: name for token_id, name in found.tokens.items() if token_id in made},
        )

    async def _refuse_erasures(self, manifest: Manifest) -> None:
        """Raise ErasedMeanwhile if content or a name was erased during the export.

        The entry that tells of such an erasure has a position after the exported ones.
        """
        version = await self._ledger.version(manifest.league, LEAGUE_STREAM, manifest.size)
        async for entry in self._league_entries(manifest, after=version):
            if entry.type in _ERASURES:
                raise ErasedMeanwhile("something was erased while it was exported: export again")

    async def _league_entries(
        self, manifest: Manifest, *, after: int = 0, until: int | None = None
    ) -> AsyncIterator[Entry]:
        """Yield the entries of the league's own stream after one version, up to another."""
        more = True
        while more:
            entries, more = await self._ledger.stream_part(
                manifest.league, LEAGUE_STREAM, after=after, until=until, limit=_ENTRIES_AT_ONCE
            )
            for entry in entries:
                yield entry
                after = entry.version


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

"""Evidence that a ledger is what it was: signed checkpoints, tiles and proofs."""

import asyncio
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import ParamSpec, TypeVar

import msgspec
import structlog

from scorekeeper.ledger.databases.database_errors import LedgerUnavailable
from scorekeeper.ledger.hashing.checkpoint import Checkpoint
from scorekeeper.ledger.hashing.hashes import EMPTY_ROOT, tree_root
from scorekeeper.ledger.hashing.note import NoteInvalid, VerifierKey, open_note
from scorekeeper.ledger.hashing.signing_key import SigningKey
from scorekeeper.ledger.hashing.tiles import TILE_HEIGHT, TileAddress, bundle, width_at
from scorekeeper.ledger.integrity.checkpoint_store import CheckpointStore, LogForked, check_extends
from scorekeeper.ledger.integrity.tree import LedgerIncomplete, Tree, Trees
from scorekeeper.ledger.ledger import Head, Ledger
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.views import ConsistencyView, InclusionView

P = ParamSpec("P")
T = TypeVar("T")


class EvidenceFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The file of the signing key, and the folder of the checkpoints signed last."""

    signing_key: Path
    checkpoints: Path


class Evidence:
    """What a third party needs to check a ledger without trusting whoever runs the service.

    All methods raise Refused (`not-found`) where there is no such league.
    """

    def __init__(self, ledger: Ledger, files: EvidenceFiles) -> None:
        self._ledger = ledger
        self._trees = Trees(ledger)
        self._files = files
        self._kept = CheckpointStore(files.checkpoints)

    @cached_property
    def _key(self) -> SigningKey:
        return SigningKey.load(self._files.signing_key)

    async def checkpoint(self, league: str) -> str:
        """The ledger as it stands, as a signed note.

        Raises Refused (`log-forked`) where the ledger does not extend what was signed last: then
        nothing is signed, for two checkpoints that contradict each other can't be taken back.
        """
        while True:
            log = (await self._head(league)).log
            kept = await self._signed_last(league, log)
            head = await self._head(league)  # after the kept one, which was signed before
            note = await self._signed(league, head, kept)
            seen = None if kept is None else kept[1]
            if note == seen or await _on_disk(self._kept.replace, log, seen, note):
                return note

    async def _signed_last(self, league: str, log: str) -> tuple[Checkpoint, str] | None:
        try:
            return await _on_disk(self._kept.read, log)
        except NoteInvalid as error:
            detail = f"{self._kept.path(log)}: {error}."
            raise _forked(league, "checkpoint-unreadable", detail) from error

    async def _signed(self, league: str, head: Head, kept: tuple[Checkpoint, str] | None) -> str:
        root = tree_root(head.frontier)
        before = Checkpoint(head.log, 0, EMPTY_ROOT) if kept is None else kept[0]
        try:
            await self._read(league, head.size, lambda tree: check_extends(before, tree, root))
        except LogForked as error:
            raise _forked(league, error.reason, str(error), error.facts) from error
        if kept is not None and kept[0].size == head.size and self._is_ours(kept[1], head.log):
            return kept[1]
        return self._key.sign(Checkpoint(head.log, head.size, root).text(), head.log)

    def _is_ours(self, note: str, log: str) -> bool:
        """Whether the key in force signed the note; another one may have been before."""
        try:
            open_note(note, [self._key.verifier(log)])
        except NoteInvalid:
            return False
        return True

    def sign(self, text: str, log: str) -> str:
        """A text as a note, signed for a log."""
        return self._key.sign(text, log)

    def verifier(self, log: str) -> VerifierKey:
        """The key in force."""
        return self._key.verifier(log)

    async def keys(self, league: str) -> str:
        """The verifier key in force, and below it those that were in force before, a line each."""
        head = await self._head(league)
        return "".join(f"{key}\n" for key in self._key.verifiers(head.log))

    async def tile(self, league: str, address: TileAddress) -> bytes:
        """A tile's hashes, or a bundle's entries. Raises Refused (`not-found`) beyond the tree."""
        head = await self._head(league)
        level = address.level or 0
        if not 0 < address.width <= width_at(level, address.number, head.size):
            raise not_found("tile")
        start, end = address.start, address.start + address.width
        size = min(head.size, end << TILE_HEIGHT * level)

        def read(tree: Tree) -> bytes:
            if address.level is None:
                return bundle(tree.headers(start, end))
            return b"".join(tree.hashes(level, start, end))

        return await self._read(league, size, read)

    async def inclusion(self, league: str, position: int, size: int | None) -> InclusionView:
        """The proof for one entry. Raises Refused (`not-found`, `proof-impossible`)."""
        head, size = await self._head_of(league, size)
        if position > head.size:
            raise not_found("entry")
        if position > size:
            facts = {"position": position, "size": size}
            raise Refused("proof-impossible", reason="inclusion", facts=facts)

        def prove(tree: Tree) -> InclusionView:
            return InclusionView(
                log=head.log,
                position=position,
                index=position - 1,
                size=size,
                leaf=tree.leaf(position - 1).hex(),
                root=tree.root().hex(),
                proof=[each.hex() for each in tree.inclusion(position - 1)],
            )

        return await self._read(league, size, prove)

    async def consistency(self, league: str, first: int, second: int | None) -> ConsistencyView:
        """The proof that the ledger only grew. Raises Refused (`not-found`, `proof-impossible`)."""
        head, second = await self._head_of(league, second)
        if first > head.size:
            raise not_found("size")
        if first > second:
            facts = {"from": first, "to": second}
            raise Refused("proof-impossible", reason="consistency", facts=facts)

        def prove(tree: Tree) -> ConsistencyView:
            return ConsistencyView(
                log=head.log,
                from_=first,
                to=second,
                from_root=tree.root(0, first).hex(),
                to_root=tree.root().hex(),
                proof=[each.hex() for each in tree.consistency(first)],
            )

        return await self._read(league, second, prove)

    async def _read(self, league: str, size: int, work: Callable[[Tree], T]) -> T:
        try:
            return await self._trees.read(league, size, work)
        except LedgerIncomplete as error:
            raise _forked(league, "entries-missing", f"{error}.") from error

    async def _head(self, league: str) -> Head:
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        return head

    async def _head_of(self, league: str, size: int | None) -> tuple[Head, int]:
        """The head, and the size that was asked for, which the ledger has or had."""
        head = await self._head(league)
        if size is None:
            return head, head.size
        if size > head.size:
            raise not_found("size")
        return head, size


def _forked(
    league: str, reason: str, detail: str, facts: Mapping[str, object] | None = None
) -> Refused:
    """The answer where the database is not what was signed.

    Whoever runs the service must hear of it: `detail` is for them, and goes to the log.
    """
    structlog.get_logger().error("log forked", league=league, reason=reason, detail=detail)
    return Refused("log-forked", reason=reason, facts=facts)


async def _on_disk(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run `work` on a thread. Raises LedgerUnavailable where the disk fails."""
    try:
        return await asyncio.to_thread(work, *arguments, **named)
    except OSError as error:
        raise LedgerUnavailable(f"a checkpoint can't be kept: {error}") from error

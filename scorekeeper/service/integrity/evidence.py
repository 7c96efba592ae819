"""Evidence that a ledger is what it was: signed checkpoints, tiles and proofs.

All processes of an installation sign with one key.
"""

import asyncio
import base64
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.database_errors import LedgerUnavailable, is_duplicate
from scorekeeper.ledger.integrity.checkpoints import (
    Checkpoint,
    CheckpointStore,
    LogForked,
    check_extends,
    parse_checkpoint,
    record_note,
    recorded_note,
)
from scorekeeper.ledger.integrity.signing import (
    NoteInvalid,
    SigningKey,
    SigningKeyUnusable,
    VerifierKey,
    adopt_first_key,
    adopt_key,
    known_keys,
    note_text,
    open_note,
)
from scorekeeper.ledger.integrity.tree import LedgerIncomplete, Tree, Trees
from scorekeeper.ledger.ledger import NO_LEAGUE, Head, Ledger
from scorekeeper.ledger.merkle_tree import (
    EMPTY_ROOT,
    TILE_HEIGHT,
    TileAddress,
    bundle,
    tree_root,
    width_at,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.views import ConsistencyView, InclusionView

_ED25519 = b"\x01"
_ADOPT = "`scorekeeper key adopt`"

SignedNote: TypeAlias = tuple[Checkpoint, str]
P = ParamSpec("P")
T = TypeVar("T")


async def signing_key(ledger: Ledger, path: Path) -> SigningKey:
    """Return the key in a file. If there is no file, and nothing was ever signed, make a new key.

    Raises SigningKeyUnusable if another key is in force in the database.
    """
    known = await ledger.read(known_keys)
    if known:
        return await asyncio.to_thread(_in_force, path, known[0])
    key = await asyncio.to_thread(SigningKey.load, path)
    if not ledger.writable:
        return key
    try:
        await ledger.transact(NO_LEAGUE, partial(adopt_first_key, public=key.public))
    except Exception as error:
        if not is_duplicate(error):
            raise
    # Another process may have been first, with a key of its own.
    return await asyncio.to_thread(_in_force, path, (await ledger.read(known_keys))[0])


async def prepare_signing_key(url: str, path: Path) -> None:
    """Make the signing key before several processes need it.

    Raises LedgerInUse, and what `signing_key` raises.
    """
    async with await Ledger.open(url, queues=1) as ledger:
        await signing_key(ledger, path)


async def adopt_signing_key(url: str, path: Path) -> tuple[bytes, bool]:
    """Put the key in a file in force; if there is no file, make a key.

    Returns the public key, and whether it took the place of another one. Raises SigningKeyUnusable
    and LedgerInUse.
    """
    async with await Ledger.open(url, queues=1) as ledger:
        known = await ledger.read(known_keys)
        key = await asyncio.to_thread(SigningKey.load, path)
        if known[:1] != [key.public]:
            await ledger.transact(NO_LEAGUE, partial(adopt_key, public=key.public))
        return key.public, known[:1] not in ([], [key.public])


def shown_key(public: bytes) -> str:
    """Return a public key in base 64, as the lines of `…/log/key` end with it."""
    return base64.b64encode(_ED25519 + public).decode()


def why_not_in_force(path: Path, found: bytes | None, in_force: bytes) -> str | None:
    """Return what an operator has to do if the file lacks the key in force; None if it has it."""
    if found == in_force:
        return None
    signed = f"this database is signed with the key {shown_key(in_force)}"
    there = "Put the file of that key there; SCOREKEEPER_SIGNING_KEY names another place"
    if found is None:
        return f"there is no signing key {path}, and {signed}. {there}. {_ADOPT} makes a new one"
    return (
        f"{path} holds the key {shown_key(found)}, and {signed}. {there}. To change to the one "
        f"that is there, run {_ADOPT}"
    )


def _in_force(path: Path, public: bytes) -> SigningKey:
    try:
        key = SigningKey.read(path)
    except FileNotFoundError as error:
        raise SigningKeyUnusable(why_not_in_force(path, None, public)) from error
    why = why_not_in_force(path, key.public, public)
    if why is not None:
        raise SigningKeyUnusable(why)
    return key


class EvidenceFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The file of the signing key, and the folder of the checkpoints signed last."""

    signing_key: Path
    checkpoints: Path


class Evidence:
    """What a third party needs to check a ledger without trusting the operator of the service.

    All methods that take a league raise Refused (`not-found`) if there is no such league. `trees`
    reads the trees over the leagues' entries.
    """

    def __init__(self, ledger: Ledger, files: EvidenceFiles) -> None:
        self._ledger = ledger
        self.trees = Trees(ledger)
        self._files = files
        self._kept = CheckpointStore(files.checkpoints)
        self._held: SigningKey | None = None

    async def key(self) -> SigningKey:
        """Return the key in force. Raises SigningKeyUnusable."""
        if self._held is None:
            self._held = await signing_key(self._ledger, self._files.signing_key)
        return self._held

    async def checkpoint(self, league: str) -> str:
        """Return a checkpoint of the ledger as it is now, as a signed note.

        Raises Refused (`log-forked`) if the ledger does not extend what was signed last. Then
        nothing is signed, since two checkpoints that contradict each other can't be taken back.
        """
        key = await self.key()
        while True:
            log = (await self._head(league)).log
            kept = await self._signed_last(league, log)
            recorded = await self._recorded_last(league)
            head = await self._head(league)  # read last, since it has to extend these two
            note = await self._signed(key, league, head, kept, recorded)
            if await self._keep(key, league, log, note, kept, recorded):
                return note

    async def _signed_last(self, league: str, log: str) -> SignedNote | None:
        try:
            return await _on_disk(self._kept.read, log)
        except NoteInvalid as error:
            detail = f"{self._kept.path(log)}: {error}."
            raise _forked(league, "checkpoint-unreadable", detail) from error

    async def _recorded_last(self, league: str) -> SignedNote | None:
        """Return the checkpoint in the database, which another machine may have signed.

        It may be of another log, if the league was removed and opened again.
        """
        note = await self._ledger.read(partial(recorded_note, league=league))
        if note is None:
            return None
        try:
            return parse_checkpoint(note_text(note)), note
        except NoteInvalid as error:
            detail = f"the table checkpoints, {league}: {error}."
            raise _forked(league, "checkpoint-unreadable", detail) from error

    async def _signed(
        self, key: SigningKey, league: str, head: Head, *before: SignedNote | None
    ) -> str:
        """Return the head as a note that `key` signed.

        If `before` has a note of the same size that `key` signed, that note is returned.
        Raises Refused (`log-forked`) unless the head extends all of `before`.
        """
        root = tree_root(head.frontier)
        signed = [each for each in before if each is not None and each[0].origin == head.log]
        extended = {each for each, _ in signed} or {Checkpoint(head.log, 0, EMPTY_ROOT)}

        def check(tree: Tree) -> None:
            for each in sorted(extended, key=lambda checkpoint: -checkpoint.size):
                check_extends(each, tree, root)

        try:
            await self._read(league, head.size, check)
        except LogForked as error:
            raise _forked(league, error.reason, str(error), error.facts) from error
        for checkpoint, note in signed:
            if checkpoint.size == head.size and _has_signed(key, note, head.log):
                return note
        return key.sign(Checkpoint(head.log, head.size, root).text(), head.log)

    async def _keep(
        self,
        key: SigningKey,
        league: str,
        log: str,
        note: str,
        kept: SignedNote | None,
        recorded: SignedNote | None,
    ) -> bool:
        """Store the note in the database and on the disk. Raises LedgerUnavailable.

        Return False if `kept` or `recorded` was replaced meanwhile, so that another note has to be
        signed.
        """
        if self._ledger.writable and (recorded is None or recorded[1] != note):
            seen = None if recorded is None else recorded[1]
            work = partial(_record, public=key.public, league=league, seen=seen, note=note)
            try:
                if not await self._ledger.transact(league, work):
                    return False
            except Exception as error:
                if not is_duplicate(error):
                    raise
                return False
        if kept is not None and kept[1] == note:
            return True
        seen = None if kept is None else kept[1]
        return await _on_disk(self._kept.replace, log, seen, note)

    async def keys(self, league: str) -> str:
        """Return the verifier key in force, then the former ones, a line each."""
        head = await self._head(league)
        await self.key()  # it is put in force if no key ever was
        known = await self._ledger.read(known_keys)
        return "".join(f"{VerifierKey(head.log, public)}\n" for public in known)

    async def tile(self, league: str, address: TileAddress) -> bytes:
        """Return a tile's hashes, or a bundle's entries.

        Raises Refused (`not-found`) if the tree does not reach so far.
        """
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

    async def proof(self, league: str, position: int) -> tuple[Head, list[bytes]]:
        """Return the ledger's head, and the proof that its tree has the entry at this position."""
        head = await self._head(league)
        if position > head.size:
            raise not_found("entry")
        return head, await self._read(league, head.size, lambda tree: tree.inclusion(position - 1))

    async def inclusion(self, league: str, position: int, size: int | None) -> InclusionView:
        """Prove that an entry is in the ledger of `size` entries; None: of as many as it has now.

        Raises Refused (`not-found`, `proof-impossible`).
        """
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
        """Prove that the ledger only grew from size `first` to `second`; None: to its size now.

        Raises Refused (`not-found`, `proof-impossible`).
        """
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
            return await self.trees.read(league, size, work)
        except LedgerIncomplete as error:
            raise _forked(league, "entries-missing", f"{error}.") from error

    async def _head(self, league: str) -> Head:
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        return head

    async def _head_of(self, league: str, size: int | None) -> tuple[Head, int]:
        """Return the head and the size that was asked for; None asks for the head's size.

        Raises Refused (`not-found`) if the ledger has never been so large.
        """
        head = await self._head(league)
        if size is None:
            return head, head.size
        if size > head.size:
            raise not_found("size")
        return head, size


def _has_signed(key: SigningKey, note: str, log: str) -> bool:
    """Return whether this key signed the note, and not one that was in force before."""
    try:
        open_note(note, [key.verifier(log)])
    except NoteInvalid:
        return False
    return True


def _record(
    connection: Connection, public: bytes, league: str, seen: str | None, note: str
) -> bool:
    """Do what `record_note` does. Raises LedgerUnavailable unless the key `public` is in force."""
    if known_keys(connection)[:1] != [public]:
        raise LedgerUnavailable("another signing key was adopted: restart this process")
    return record_note(connection, league, seen, note)


def _forked(
    league: str, reason: str, detail: str, facts: Mapping[str, object] | None = None
) -> Refused:
    """Return the answer if the database is not what was signed. `detail` is logged as an error."""
    # Imported here only: no command logs, and it takes a tenth of a second.
    import structlog

    structlog.get_logger().error("log forked", league=league, reason=reason, detail=detail)
    return Refused("log-forked", reason=reason, facts=facts)


async def _on_disk(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run `work` on a thread. Raises LedgerUnavailable if the disk fails."""
    try:
        return await asyncio.to_thread(work, *arguments, **named)
    except OSError as error:
        raise LedgerUnavailable(f"a checkpoint can't be kept: {error}") from error

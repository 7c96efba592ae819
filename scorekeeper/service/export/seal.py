"""Whether a bundle's members are those that were sealed, and which are not."""

from collections.abc import Iterator

from scorekeeper.ledger.archive import Member
from scorekeeper.ledger.hashing.checkpoint import Checkpoint, parse_checkpoint
from scorekeeper.ledger.hashing.note import NoteInvalid, VerifierKey, open_note, parse_verifier_key
from scorekeeper.ledger.reading.checking import Flaw, LedgerCheck
from scorekeeper.service.export.format import (
    CHECKPOINT,
    DIGESTS,
    KEY,
    SEAL,
    SEALED,
    Format,
    digest,
    digest_line,
    seal_text,
)


class BundleSeal:
    """Notes the members as they are read.

    `key`, `checkpoint` and the note it stands in are there once it was checked.
    """

    def __init__(self, of: Format) -> None:
        self._format: Format = of
        self.key: VerifierKey | None = None
        self.checkpoint: Checkpoint | None = None
        self.note_of_checkpoint: str | None = None
        self._digests: dict[str, str] = {}
        self._last: dict[str, Member] = {}

    def note(self, member: Member) -> None:
        if member.name in {*SEALED, SEAL}:
            self._last[member.name] = member
        else:
            self._digests[member.name] = digest(member, self._format)

    def check(self, of: LedgerCheck) -> Iterator[Flaw]:
        """What is wrong, each with the member that was changed, once all members were noted."""
        missing = [name for name in (*SEALED, SEAL) if name not in self._last]
        if missing:
            yield _flaw("member-missing", f"There is no {missing[0]}: is it cut off?", missing[0])
            return
        yield from self._check_members()
        yield from self._check_key(of.log)
        if self.key is not None:
            yield from self._check_checkpoint(self.key, of)
            yield from self._check_seal(self.key, of.log)

    def _check_members(self) -> Iterator[Flaw]:
        content = self._last[DIGESTS].content
        if (
            content
            == "".join(digest_line(name, found) for name, found in self._digests.items()).encode()
        ):
            return
        listed = {
            name: found
            for line in content.decode("ascii", "replace").splitlines()
            for found, _, name in [line.partition("  ")]
        }
        for name, found in self._digests.items():
            if listed.get(name) != found:
                yield _changed(name)
        for name in listed.keys() - self._digests.keys():
            yield _flaw("member-missing", f"{name} is listed and is not there.", name)

    def _check_key(self, log: str) -> Iterator[Flaw]:
        try:
            self.key = parse_verifier_key(self._last[KEY].content.decode().removesuffix("\n"))
        except (NoteInvalid, UnicodeError) as error:
            yield _flaw("key-unreadable", f"The key can't be read: {error}.", KEY)
            return
        if self.key.name != log:
            yield _flaw("key-differs", f"The key is that of {self.key.name}.", KEY)

    def _check_checkpoint(self, key: VerifierKey, of: LedgerCheck) -> Iterator[Flaw]:
        try:
            self.checkpoint = parse_checkpoint(open_note(self._last[CHECKPOINT].content, [key]))
        except NoteInvalid as error:
            yield _flaw("checkpoint-broken", f"The checkpoint does not hold: {error}.", CHECKPOINT)
            return
        self.note_of_checkpoint = self._last[CHECKPOINT].content.decode()
        if self.checkpoint != Checkpoint(of.log, of.tree.size, of.tree.root()):
            yield _flaw("checkpoint-differs", "The checkpoint is not of these entries.", CHECKPOINT)

    def _check_seal(self, key: VerifierKey, log: str) -> Iterator[Flaw]:
        try:
            told = open_note(self._last[SEAL].content, [key])
        except NoteInvalid as error:
            yield _flaw("seal-broken", f"The seal does not hold: {error}.", SEAL)
            return
        lines = [digest_line(name, digest(self._last[name], self._format)) for name in SEALED]
        changed = [
            name
            for name, line in zip(SEALED, lines, strict=True)
            if line not in told.splitlines(keepends=True)
        ]
        for name in changed:
            yield _changed(name)
        if not changed and told != seal_text(self._format, log, "".join(lines)):
            yield _flaw("seal-broken", "The seal is that of another bundle.", SEAL)


def _changed(name: str) -> Flaw:
    return _flaw("member-changed", f"{name} is not as it was sealed.", name)


def _flaw(code: str, detail: str, place: str) -> Flaw:
    return Flaw(code, detail, None, place)

"""The checks of `scorekeeper doctor`: all that an installation depends on, except its entries."""

import os
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path

import msgspec
from sqlalchemy import Connection, text

from scorekeeper.files import is_lent_by_group, is_private
from scorekeeper.ledger.clock import as_text, wall_clock
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.integrity.checkpoints import CheckpointStore, recorded_note
from scorekeeper.ledger.integrity.signing import SigningKey, SigningKeyUnusable, known_keys
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.evidence import EvidenceFiles, why_not_in_force
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.service.integrity.view_upgrade import stale_leagues
from scorekeeper.service.ledger_to_read import open_ledger_to_read
from scorekeeper.sqlite import file_at
from scorekeeper.store.migrate import DatabaseNotReady

_ENOUGH_BYTES = 256 * 1024 * 1024
# The first SQLite in which two connections can't corrupt a file by resetting its log at once.
_SQLITE_MENDED = (3, 51, 3)
_MOST_NAMED = 5
_CLOCKS_DIFFER = 60_000_000
"""Microseconds by which the clocks of machines may differ, which nobody needs to hear of."""
_POSTGRES_SAFE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


class Grade(StrEnum):
    """How bad a finding is: somebody has to act on a `failure`, and to know of a `warning`."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


class CheckResult(msgspec.Struct, frozen=True):
    """The result of one check. `check` is its stable name, `message` a sentence for people."""

    check: str
    grade: Grade
    message: str


async def checkup(url: str, data_dir: Path, files: EvidenceFiles) -> AsyncGenerator[CheckResult]:
    """Check an installation without writing anything. The service may be running."""
    yield _data_directory(data_dir)
    key, finding = _signing_key(files.signing_key)
    yield finding
    kept = CheckpointStore(files.checkpoints)
    try:
        signed, unread = SignedLogs.read(kept), None
    except OSError as error:
        signed, unread = SignedLogs(kept, {}), error
    try:
        async with open_ledger_to_read(url) as ledger:
            yield CheckResult(
                "database", Grade.OK, "The database answers and has the tables of this program."
            )
            if known := await ledger.read(known_keys):
                yield _key_in_force(files.signing_key, key, known[0])
            for finding in await ledger.read(_settings):
                yield finding
            yield await _writable(url)
            yield _views(await ledger.read(stale_leagues))
            yield _clock(await ledger.recorded_after(as_text(wall_clock() + _CLOCKS_DIFFER)))
            async for finding in _checkpoints(ledger, signed, unread):
                yield finding
    except (DatabaseNotReady, LedgerUnavailable) as error:
        yield CheckResult("database", Grade.FAILURE, f"The database is not ready: {error}.")


def _data_directory(folder: Path) -> CheckResult:
    if not folder.is_dir():
        return CheckResult(
            "data-directory",
            Grade.WARNING,
            f"There is no data directory {folder}; `serve` makes it.",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return CheckResult(
            "data-directory", Grade.FAILURE, f"The data directory {folder} can't be written."
        )
    free = shutil.disk_usage(folder).free
    sentence = f"The data directory {folder} can be written and has {free // 2**20} MiB left"
    if free < _ENOUGH_BYTES:
        return CheckResult("data-directory", Grade.FAILURE, f"{sentence}, which is too little.")
    if not is_private(folder):
        return CheckResult(
            "data-directory",
            Grade.WARNING,
            f"{sentence}; others on this machine may look into it: change its mode to 0700.",
        )
    return CheckResult("data-directory", Grade.OK, f"{sentence}.")


def _signing_key(path: Path) -> tuple[SigningKey | None, CheckResult]:
    """Return the key that the file holds, and how it is kept."""
    try:
        key = SigningKey.read(path)
    except FileNotFoundError:
        sentence = (
            f"There is no signing key {path}; `serve` makes one for a database that was never "
            "signed."
        )
        return None, CheckResult("signing-key", Grade.WARNING, sentence)
    except SigningKeyUnusable as error:
        sentence = f"The signing key can't be used: {error}."
        return None, CheckResult("signing-key", Grade.FAILURE, sentence)
    if is_private(path):
        sentence = f"The signing key {path} can be read by its owner only."
    elif is_lent_by_group(path):
        sentence = f"The signing key {path} is another user's, who lets a group read it."
    else:
        sentence = (
            f"Others may read the signing key {path}: change its mode to 0600, and the key too "
            "if somebody may have done so."
        )
        return key, CheckResult("signing-key", Grade.FAILURE, sentence)
    return key, CheckResult("signing-key", Grade.OK, sentence)


def _key_in_force(path: Path, key: SigningKey | None, public: bytes) -> CheckResult:
    why = why_not_in_force(path, None if key is None else key.public, public)
    if why is None:
        return CheckResult("key-in-force", Grade.OK, "The database is signed with this key.")
    return CheckResult("key-in-force", Grade.FAILURE, f"Nothing can be signed: {why}.")


def _settings(connection: Connection) -> list[CheckResult]:
    """Check the database's settings that keep acknowledged entries safe from a power failure."""
    if connection.dialect.name == "sqlite":
        return [_sqlite_version(), _sqlite_journal(connection)]
    wrong: list[str] = []
    for name, safe in _POSTGRES_SAFE.items():
        found = connection.execute(text(f"SHOW {name}")).scalar()
        if found != safe:
            wrong.append(f"{name} is {found}")
    if wrong:
        return [
            CheckResult(
                "durability",
                Grade.WARNING,
                f"Acknowledged entries can be lost with the power: {', '.join(wrong)}.",
            )
        ]
    return [
        CheckResult("durability", Grade.OK, "PostgreSQL keeps what it acknowledged (fsync is on).")
    ]


def _sqlite_version() -> CheckResult:
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info >= _SQLITE_MENDED:
        return CheckResult("sqlite-version", Grade.OK, f"SQLite {version} is sound.")
    return CheckResult(
        "sqlite-version",
        Grade.WARNING,
        f"SQLite {version} can spoil a file that two programs write at once (mended in "
        f"{'.'.join(map(str, _SQLITE_MENDED))}): scorekeeper writes with one connection, let "
        "nothing else write.",
    )


def _sqlite_journal(connection: Connection) -> CheckResult:
    mode = connection.execute(text("PRAGMA journal_mode")).scalar()
    if mode != "wal":
        return CheckResult(
            "journal-mode",
            Grade.WARNING,
            f"The SQLite file's journal mode is {mode}; `serve` sets wal.",
        )
    return CheckResult("journal-mode", Grade.OK, "The SQLite file is in WAL mode.")


def _views(stale: Sequence[str]) -> CheckResult:
    if not stale:
        return CheckResult(
            "stored-views", Grade.OK, "All lists and tables were written by this version."
        )
    return CheckResult(
        "stored-views",
        Grade.FAILURE,
        "Another version wrote the lists and tables of these leagues, which may be wrong: "
        f"{_named(stale)}. "
        "Stop the service and run scorekeeper migrate, which makes them anew.",
    )


def _clock(ahead: Mapping[str, str]) -> CheckResult:
    """Tell of leagues whose last entry has a time that has not come. `ahead`: latest first."""
    if not ahead:
        return CheckResult("clock", Grade.OK, "No entry has a time that lies ahead of the clock.")
    last = next(iter(ahead.values()))
    return CheckResult(
        "clock",
        Grade.WARNING,
        f"The last entries of these leagues were recorded at up to {last}, which lies ahead: "
        f"{_named(list(ahead))}. Set the clock of this machine right if it is slow. If it is "
        "right, a clock was fast when they were recorded, and nothing is lost: new entries have "
        "the time of the last one until it has passed, in the order in which they were told.",
    )


def _named(leagues: Sequence[str]) -> str:
    more = len(leagues) - _MOST_NAMED
    return ", ".join(leagues[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


async def _checkpoints(
    ledger: Ledger, signed: SignedLogs, unread: OSError | None
) -> AsyncGenerator[CheckResult]:
    """Compare the logs with the checkpoints in the files and in the database.

    `unread`: why the files can't be read.
    """
    sentences: list[str] = []
    if unread is not None:
        what = f"The checkpoints that were signed last can't be read: {unread.filename}"
        sentences.append(f"{what}: {unread.strerror}.")
    of_logs = set(signed.checkpoints)
    for league, head in (await ledger.heads()).items():
        if await ledger.read(partial(recorded_note, league=league)) is not None:
            of_logs.add(head.log)
        if head.log in of_logs:
            found = partial(_listed, partial(signed.flaws, league=league))
            sentences += [
                f"The league {league}: {each.detail}" for each in await ledger.read(found)
            ]
    missing = partial(_listed, signed.missing)
    sentences += [flaw.detail for flaw in await ledger.read(missing)]
    for sentence in sentences:
        yield CheckResult("checkpoints", Grade.FAILURE, sentence)
    if sentences:
        return
    many = len(of_logs)
    yield CheckResult(
        "checkpoints",
        Grade.OK,
        f"Every log extends the checkpoints that were signed of it ({many})."
        if many
        else "No checkpoint was signed yet, so that none can be broken.",
    )


def _listed(find: Callable[[Connection], Iterable[Flaw]], connection: Connection) -> list[Flaw]:
    return list(find(connection))


async def _writable(url: str) -> CheckResult:
    """Check whether something could be recorded, without recording anything."""
    try:
        file = file_at(url)
        if file is None:
            async with await Ledger.open(url, queues=1) as ledger:
                await ledger.check_writable()
        elif not os.access(file, os.W_OK):
            return CheckResult("writable", Grade.FAILURE, f"The database {file} can't be written.")
    except LedgerUnavailable as error:
        return CheckResult("writable", Grade.FAILURE, f"Nothing can be recorded: {error}.")
    return CheckResult("writable", Grade.OK, "The database takes writes.")

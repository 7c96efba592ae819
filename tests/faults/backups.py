"""Backups that are made during a fault, as an operator makes them."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from tests.commands import invoked
from tests.databases import sqlite_file
from tests.faults.inflicted import Ground
from tests.faults.recorders import Recorders


class Backups(ABC):
    """Makes a backup whenever it is called, which has to have every acknowledged entry."""

    def __init__(self, place: Ground, folder: Path) -> None:
        self._place = place
        self._folder = folder
        self.made = 0

    def __call__(self, load: Recorders) -> None:
        sure = set(load.acknowledged)
        with self.restored() as url:
            command("verify", "--database-url", url)
            assert sure <= {entry.id for entry in asyncio.run(recorded(url))}
        self.made += 1

    @abstractmethod
    @contextmanager
    def restored(self) -> Iterator[str]:
        """Make a backup, restore it elsewhere and yield the address."""


class SQLiteBackups(Backups):
    @contextmanager
    def restored(self) -> Iterator[str]:
        file = self._folder / f"{self.made}.sqlite3"
        restored = sqlite_file(self._folder / f"restored-{self.made}.sqlite3")
        command("backup", file, "--database-url", self._place.url)
        command("restore", file, "--database-url", restored, "--data-dir", self._folder)
        yield restored


class PostgreSQLBackups(Backups):
    @contextmanager
    def restored(self) -> Iterator[str]:
        assert self._place.postgres is not None
        file = self._folder / f"{self.made}.dump"
        self._place.postgres.dump(file)
        with self._place.postgres.restored(file) as restored:
            yield restored


async def recorded(url: str) -> list[Entry]:
    ledger = await Ledger.open_to_read(url)
    try:
        return (await ledger.part("home", 0, 1_000_000)).entries
    finally:
        await ledger.close()


def command(*arguments: object) -> None:
    """Run a command that has to succeed."""
    done = invoked(*arguments)
    assert done.exit_code == 0, done.output

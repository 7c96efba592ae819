"""Where processes wake each other."""

import pytest

from scorekeeper.settings import Settings, SettingsInvalid

DATABASE = "postgresql+asyncpg://pooler/book"
DIRECT = "postgresql+asyncpg://server/book"


def loaded(**environment: str) -> Settings:
    return Settings.load({f"SCOREKEEPER_{name}": text for name, text in environment.items()})


def test_on_postgresql_it_is_the_database_itself_unless_a_pooler_stands_before_it() -> None:
    assert loaded(DATABASE_URL=DATABASE).waking_url == DATABASE
    assert loaded(DATABASE_URL=DATABASE, NOTIFY_URL=DIRECT).waking_url == DIRECT


def test_on_sqlite_there_is_nobody_to_wake() -> None:
    assert loaded().waking_url is None
    with pytest.raises(SettingsInvalid, match="SCOREKEEPER_NOTIFY_URL"):
        loaded(NOTIFY_URL=DIRECT)


def test_it_is_an_address_of_a_postgresql() -> None:
    with pytest.raises(SettingsInvalid, match="SCOREKEEPER_NOTIFY_URL"):
        loaded(DATABASE_URL=DATABASE, NOTIFY_URL="sqlite+aiosqlite:///x")

"""The database address over which processes notify each other."""

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


@pytest.mark.parametrize("name", ["DATABASE_URL", "NOTIFY_URL"])
def test_nobody_asks_for_a_host_that_is_not_the_primary(name: str) -> None:
    other = f"{DIRECT}?target_session_attrs=read-write"
    with pytest.raises(SettingsInvalid, match=f"SCOREKEEPER_{name}.*must be primary") as refused:
        loaded(**({"DATABASE_URL": DATABASE} | {name: other}))
    assert "'read-write'" in str(refused.value)
    assert loaded(**({"DATABASE_URL": DATABASE} | {name: DIRECT + "?target_session_attrs=primary"}))


def test_several_hosts_may_stand_where_one_does() -> None:
    loaded_ones = loaded(DATABASE_URL="postgresql+asyncpg://u:p@one:1,two:2/book?ssl=require")
    in_query = "postgresql+asyncpg://u:p@/book?host=one%3A1&host=two%3A2&ssl=require"
    assert loaded_ones.url == loaded_ones.waking_url == in_query

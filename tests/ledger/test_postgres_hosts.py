"""An address may list several hosts, in two spellings. The primary among them is found."""

import asyncio
import re
import socket
from contextlib import contextmanager

import asyncpg
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import ArgumentError

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.postgres import PostgresHosts, postgres_engine
from scorekeeper.postgres_address import Host, hosts_in_query, read_address
from scorekeeper.settings import Settings, SettingsInvalid
from scorekeeper.store.migrate import check
from tests.ledger.asking import LEAGUE, noting, opening

DRIVER = "postgresql+asyncpg"


@contextmanager
def frozen():
    """The port of a server that accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield silent.getsockname()[1]


@contextmanager
def refusing():
    """A port at which nobody listens, and that nobody else gets."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield unused.getsockname()[1]


def behind(url, *ports):
    """The address of a database that lists hosts of this machine before its own."""
    parsed = make_url(url)
    hosts = [f"127.0.0.1:{port}" for port in ports] + [str(parsed.query["host"])]
    return parsed.set(query={"host": hosts}).render_as_string(hide_password=False)


@pytest.mark.parametrize(
    "address",
    [
        "u:p@a:1,b:2/book",
        "u:p@/book?host=a:1&host=b:2",
        "u:p@/book?host=a:1,b:2",
        "u:p@/book?host=a,b&port=1,2",
        "u:p@/book?host=a&host=b&port=1&port=2",
    ],
)
def test_each_spelling_names_the_same_hosts(address):
    joined = "&" if "?" in address else "?"
    found = read_address(make_url(hosts_in_query(f"{DRIVER}://{address}{joined}ssl=require")))
    assert found.hosts == (Host("a", 1), Host("b", 2))
    url = found.url
    assert (url.username, url.password, url.database) == ("u", "p", "book")
    assert (url.host, url.port, url.query) == (None, None, {"ssl": "require"})


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("u@a/book", [("a", None)]),
        ("u@a:7/book", [("a", 7)]),
        ("u@a,b/book", [("a", None), ("b", None)]),
        ("u@a,b:7/book", [("a", None), ("b", 7)]),
        ("u@[::1]:7,[fe80::2]/book", [("::1", 7), ("fe80::2", None)]),
        ("u@/book?host=::1", [("::1", None)]),
        ("/book?host=/run/one,/run/two&port=7", [("/run/one", 7), ("/run/two", 7)]),
        ("/book", [(None, None)]),
    ],
)
def test_ports_may_be_left_out(address, hosts):
    found = read_address(make_url(hosts_in_query(f"{DRIVER}://{address}")))
    assert list(found.hosts) == hosts


@pytest.mark.parametrize("more", ["host=a,b,c&port=1,2", "host=a&port=x"])
def test_hosts_that_can_t_be_told_from_each_other_are_refused(more):
    with pytest.raises(ArgumentError):
        read_address(make_url(f"{DRIVER}://u:hush@/book?{more}"))


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("sslmode=require", "write ssl= in its place"),
        ("channel_binding=require", "leave it out"),
    ],
)
def test_an_option_that_only_libpq_has_is_refused_with_what_to_write(option, told):
    """The driver's own words were those of a call in Python, as of a database out of reach."""
    with pytest.raises(SettingsInvalid, match=told):
        Settings.load({"SCOREKEEPER_DATABASE_URL": f"{DRIVER}://u:hush@a/book?{option}"})


def test_a_frozen_and_a_refusing_host_keep_nobody_from_the_one_that_answers(
    postgresql_url, opened, run
):
    with frozen() as silent, refusing() as closed:
        url = behind(postgresql_url, silent, closed)
        run(check(url))
        ledger = opened(url)
        run(ledger.append(opening()))
        assert run(ledger.append(noting("match:m"))).value == [1]
        assert run(ledger.head(LEAGUE)).size == 2


class Primary:
    """A connection to a primary."""

    async def is_standby(self):
        return False

    async def timeline(self):
        return None


def test_each_host_has_a_time_of_its_own_to_answer_in(run, monkeypatch):
    """The driver's own limit holds for a whole minute, and so would keep everybody waiting."""
    asked = []

    async def open_connection(host, **options):
        asked.append(host.name)
        if host.name != "c":
            await asyncio.Event().wait()
        return Primary()

    monkeypatch.setattr("scorekeeper.postgres.open_connection", open_connection)
    monkeypatch.setattr("scorekeeper.postgres._HOST_SECONDS", 0.01)
    hosts = PostgresHosts([Host(name, None) for name in "abc"])
    assert isinstance(run(asyncio.wait_for(hosts.connect(standby=False), 60)), Primary)
    assert asked == ["a", "b", "c"]
    run(hosts.connect(standby=False))
    assert asked == ["a", "b", "c", "c"]


def test_where_no_host_answers_each_of_them_is_named(opened, run):
    with refusing() as one, refusing() as other:
        ledger = opened(
            f"{DRIVER}://u:hush@127.0.0.1:{one}/x?host=127.0.0.1:{one},127.0.0.1:{other}"
        )
        with pytest.raises(LedgerUnavailable, match=f":{one}.*:{other}") as raised:
            run(ledger.append(opening()))
        assert "hush" not in str(raised.value)


def test_a_statement_has_a_name_that_no_other_connection_gives(postgresql_url, run):
    """Each process counts its statements from 1, and a pooler may lend two the same connection."""

    async def names():
        engine = postgres_engine(make_url(postgresql_url), max_cacheable_statement_size=0)
        async with engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
            raw = await connection.get_raw_connection()
            await raw.driver_connection.execute("SELECT $1::int", 1)
            rows = await raw.driver_connection.fetch("SELECT name FROM pg_prepared_statements")
        return [row["name"] for row in rows]

    endings = [
        {
            re.fullmatch(r"__asyncpg_stmt_[0-9a-f]+__([0-9a-f]{16})", name)[1]
            for name in run(names())
        }
        for _ in range(2)
    ]
    assert [len(each) for each in endings] == [1, 1]
    assert endings[0] != endings[1]


def test_the_server_is_told_nothing_at_the_start_that_a_pooler_would_not_pass_on(
    postgresql_url, run, monkeypatch
):
    """A ledger opened for reading is read-only by each transaction, not by a session setting."""
    asked = []
    connect = asyncpg.connect

    async def watched(**options):
        asked.append(options)
        return await connect(**options)

    monkeypatch.setattr(asyncpg, "connect", watched)
    ledger = run(Ledger.open_to_read(postgresql_url))
    setting = text("SELECT current_setting(:name)")

    def settings(connection):
        names = ("transaction_read_only", "default_transaction_read_only")
        return [connection.execute(setting, {"name": name}).scalar() for name in names]

    assert run(ledger.read(settings)) == ["on", "off"]
    run(ledger.close())
    assert [options.get("server_settings") for options in asked] == [None]

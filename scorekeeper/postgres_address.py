"""The address of a PostgreSQL, which names one host or several.

It is read without the driver, which a process on SQLite never needs.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

from msgspec import Struct
from sqlalchemy import URL
from sqlalchemy.exc import ArgumentError

_DRIVER: Final = "postgresql+asyncpg"
_TARGET: Final = "target_session_attrs"
_PRIMARY, _ANY = "primary", "any"
# Options of libpq that are found in addresses which providers hand out. The driver has others.
_OF_LIBPQ: Final = {
    "sslmode": "write ssl= in its place, with the same value",
    "sslrootcert": "name the file in the environment, as PGSSLROOTCERT",
    **dict.fromkeys(
        ("application_name", "channel_binding", "connect_timeout", "gssencmode", "options"),
        "leave it out",
    ),
}
# Several hosts between user and path, which SQLAlchemy can't read.
_LISTED = re.compile(
    rf"(?P<begin>{re.escape(_DRIVER)}://(?:[^@]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)"
    r"(?P<path>/[^?]*)?(?:\?(?P<query>.*))?"
)


class Host(NamedTuple):
    """A host's name, IP address or socket folder, and its port. The driver decides what is None."""

    name: str | None
    port: int | None

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part is not None) or "the default host"


class PostgresAddress(Struct, frozen=True):
    """An address of PostgreSQL. `url` is the address without its hosts.

    `hosts` are in the order in which they are tried. `standby`: processes that only read may do so
    from a standby, which can lag behind.
    """

    url: URL
    hosts: tuple[Host, ...]
    standby: bool


def hosts_in_query(text: str) -> str:
    """Return an address that lists hosts as `a:5432,b:5432` in the form with `?host=`.

    Other addresses are returned as they are.
    """
    found = _LISTED.fullmatch(text)
    if found is None:
        return text
    named = [f"host={quote(each, safe='')}" for each in found["hosts"].split(",")]
    query = "&".join([*named, *filter(None, [found["query"]])])
    return f"{found['begin']}{found['path'] or '/'}?{query}"


def read_address(url: URL) -> PostgresAddress:
    """Return the parts of an address.

    The hosts may be given as libpq takes them: `user@a/db`, `?host=a,b&port=1,2`,
    `?host=a:1&host=b:2`. Raises ArgumentError. Its message has no part of the address that may be
    a secret.
    """
    query = dict(url.query)
    names = _listed(query.pop("host", url.host or ""))
    ports = _listed(query.pop("port", str(url.port or "")))
    target = query.pop(_TARGET, _PRIMARY)
    if target not in {_PRIMARY, _ANY}:
        raise ArgumentError(
            f"{_TARGET} must be {_PRIMARY}, which is the default, or {_ANY}, not {target!r}: "
            "everything is written to the primary, and read from it"
        )
    for name, instead in _OF_LIBPQ.items():
        if name in query:
            raise ArgumentError(f"the driver takes no {name}: {instead}")
    hosts = [_host(name) for name in names]
    if len(ports) not in {1, len(hosts)}:
        raise ArgumentError(f"{len(hosts)} hosts and {len(ports)} ports are named")
    numbers = [_port(port) for port in ports] * (len(hosts) // len(ports))
    return PostgresAddress(
        url=URL.create(
            url.drivername,
            username=url.username,
            password=url.password,
            database=url.database,
            query=query,
        ),
        hosts=tuple(
            host if host.port is not None else Host(host.name, number)
            for host, number in zip(hosts, numbers, strict=True)
        ),
        standby=target == _ANY,
    )


def _listed(values: str | Sequence[str]) -> list[str]:
    named = [values] if isinstance(values, str) else values
    return [part.strip() for value in named for part in value.split(",")]


def _host(text: str) -> Host:
    if text.startswith("["):
        name, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") > 1:  # an IPv6 address
        name, port = text, ""
    else:
        name, _, port = text.partition(":")
    return Host(name or None, _port(port))


def _port(text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal():
        raise ArgumentError("a port must be a number")
    return int(text)

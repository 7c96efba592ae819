"""The settings. No other module reads the environment; click reads the variable of `--token`."""

import os
import re
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from scorekeeper.days import DEFAULT_ZONE, zone_named
from scorekeeper.postgres_address import hosts_in_query, read_address
from scorekeeper.service.integrity.evidence import EvidenceFiles
from scorekeeper.sqlite import address_of, file_at

PREFIX = "SCOREKEEPER_"
# The directory where prometheus_client's processes share figures; it is read at import.
_METRICS = "PROMETHEUS_MULTIPROC_DIR"

_SHORTEST_TOKEN = 16


class SettingsInvalid(ValueError):
    """A setting has a value that can't be used; the message names the variable."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How one installation runs.

    `rate_limit` is in requests a minute for each token; None switches it off. `admin_token`, if it
    is given, is used in place of the one that the first start would make. `signing_key` is the file
    of the key that signs checkpoints; None: one in the data directory. `notify_url` is PostgreSQL's
    own address, by which processes wake each other if `database_url` leads to a pooler.
    `trusted_proxies` are addresses or networks, separated by commas: their `X-Forwarded-For` is
    believed. `public_url` is what links and QR codes begin with, with no slash at its end; None:
    the address to which the request was sent. `time_zone` is the IANA name of the time zone in
    which pages tell days and times.
    """

    data_dir: Path = Path("scorekeeper-data")
    database_url: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    admin_token: str | None = None
    rate_limit: int | None = None
    signing_key: Path | None = None
    notify_url: str | None = None
    trusted_proxies: str | None = None
    public_url: str | None = None
    time_zone: str = DEFAULT_ZONE

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65_535:
            raise SettingsInvalid(f"{PREFIX}PORT must lie between 1 and 65535, not {self.port}")
        if self.workers < 1:
            raise SettingsInvalid(f"{PREFIX}WORKERS must be at least 1, not {self.workers}")
        if self.rate_limit is not None and self.rate_limit < 1:
            raise SettingsInvalid(f"{PREFIX}RATE_LIMIT must be at least 1, not {self.rate_limit}")
        _check_token(self.admin_token)
        if not self.host:
            # It would listen to the whole network.
            raise SettingsInvalid(f"{PREFIX}HOST must name an address: 0.0.0.0 is that of all")
        if not self.url.startswith(("sqlite+aiosqlite:///", "postgresql+asyncpg://")):
            raise SettingsInvalid(
                f"{PREFIX}DATABASE_URL must begin with sqlite+aiosqlite:/// or postgresql+asyncpg://"
            )
        _check_address("DATABASE_URL", self.url)
        if self.notify_url is not None and (
            self.on_sqlite or not self.notify_url.startswith("postgresql+asyncpg://")
        ):
            raise SettingsInvalid(
                f"{PREFIX}NOTIFY_URL must begin with postgresql+asyncpg://, as the database's own "
                "address does then"
            )
        if self.public_url is not None and not _is_address(self.public_url):
            raise SettingsInvalid(
                f"{PREFIX}PUBLIC_URL must be an address such as https://uno.example.org, "
                f"not {self.public_url!r}"
            )
        if self.notify_url is not None:
            _check_address("NOTIFY_URL", hosts_in_query(self.notify_url))
        _check_time_zone(self.time_zone)
        _check_networks("TRUSTED_PROXIES", self.trusted_proxies or "")
        if self.on_sqlite and self.workers > 1:
            raise SettingsInvalid(
                f"{PREFIX}WORKERS must be 1 on SQLite, which takes one process; "
                "PostgreSQL takes any number"
            )

    @property
    def url(self) -> str:
        """The address of the database; by default that of a file in the data directory."""
        if self.database_url:
            return hosts_in_query(self.database_url)
        return address_of(self.data_dir / "scorekeeper.sqlite3")

    @property
    def evidence_files(self) -> EvidenceFiles:
        """The paths of the signing key and of the folder with the signed checkpoints."""
        return EvidenceFiles(
            signing_key=self.signing_key or self.data_dir / "signing-key.pem",
            checkpoints=self.data_dir / "checkpoints",
        )

    @property
    def waking_url(self) -> str | None:
        """The address by which processes wake each other; None on SQLite, which has one process."""
        return None if self.on_sqlite else hosts_in_query(self.notify_url or self.url)

    @property
    def on_sqlite(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def database_file(self) -> Path | None:
        """The file of a SQLite database; None on PostgreSQL."""
        return file_at(self.url)

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **flags: object) -> Self:
        """Load the settings.

        Flags that are not None win over the environment, which wins over the defaults. Raises
        SettingsInvalid.
        """
        environ = os.environ if environ is None else environ
        given: dict[str, object] = {
            field: environ[name]
            for field in cls.__struct_fields__
            if environ.get(name := PREFIX + field.upper())
        }
        given |= {name: value for name, value in flags.items() if value is not None}
        if (host := str(given.get("host", ""))).startswith("["):
            given["host"] = host[1:].removesuffix("]")  # an IPv6 address as it stands in a URL
        try:
            return msgspec.convert(given, cls, strict=False, dec_hook=_path)
        except msgspec.ValidationError as error:
            raise SettingsInvalid(_named(error, given)) from error

    def hand_down(self) -> None:
        """Put these settings into the environment, from which worker processes load them."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None:
                os.environ[PREFIX + name.upper()] = str(value)


def _check_token(token: str | None) -> None:
    if token is None:
        return
    if len(token) < _SHORTEST_TOKEN:
        raise SettingsInvalid(
            f"{PREFIX}ADMIN_TOKEN must have at least {_SHORTEST_TOKEN} characters"
        )
    if not token.isascii() or not token.isprintable() or token != token.strip():
        raise SettingsInvalid(
            f"{PREFIX}ADMIN_TOKEN must have plain letters and signs only, with no blank or line "
            "break around them, since no client can send anything else"
        )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    beyond = parts.path or parts.query or parts.fragment or parts.username
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not beyond


def _check_time_zone(name: str) -> None:
    try:
        zone_named(name)
    except (LookupError, ValueError, OSError) as error:
        raise SettingsInvalid(
            f"{PREFIX}TIME_ZONE must be the name of a time zone, such as Asia/Taipei, not {name!r}"
        ) from error


def _check_address(name: str, url: str) -> None:
    """Raise SettingsInvalid unless `url` can be the address of a database.

    The message has no part of the address, which may have a password.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise SettingsInvalid(f"{PREFIX}{name} is no address of a database") from error
    if parsed.get_backend_name() == "sqlite" and parsed.database in {None, "", ":memory:"}:
        raise SettingsInvalid(f"{PREFIX}{name} must name a file: sqlite+aiosqlite:///PATH")
    if parsed.get_backend_name() == "sqlite" and "?" in url:
        raise SettingsInvalid(
            f"{PREFIX}{name} must end with the path of a file, in which ? is written as %3F"
        )
    if parsed.get_backend_name() == "postgresql":
        if "@" in (parsed.host or ""):
            # What follows the first @ would be shown as a host's name, and may be of the password.
            raise SettingsInvalid(
                f"{PREFIX}{name} has an @ too many: in a password @ is written as %40"
            )
        try:
            read_address(parsed)
        except ArgumentError as error:
            raise SettingsInvalid(f"{PREFIX}{name} is no address of a database: {error}") from error


def _check_networks(name: str, listed: str) -> None:
    for each in filter(None, (part.strip() for part in listed.split(","))):
        try:
            ip_network(each)
        except ValueError as error:
            raise SettingsInvalid(
                f"{PREFIX}{name} must list addresses or networks, parted by commas, not {each!r}"
            ) from error


def _named(error: msgspec.ValidationError, given: Mapping[str, object]) -> str:
    """Return what is wrong with the settings. A wrong type can only be that of a number."""
    field = re.search(r"\$\.(\w+)`$", str(error))
    if field is None:
        return str(error)
    name = field[1]
    return f"{PREFIX}{name.upper()} must be a whole number, not {given[name]!r}"


def environment_with(**settings: object) -> dict[str, str]:
    """Return the environment for another process that gets these settings and no others."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return others | {PREFIX + name.upper(): str(value) for name, value in settings.items()}


def has_screen() -> bool:
    """Return whether there is a screen for a browser, which would else open in the terminal."""
    return sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


@contextmanager
def sharing_metrics(workers: int) -> Generator[None]:
    """Let each of several workers that are started in this context answer with the figures of all.

    The figures are in a temporary folder. One that the environment names is another program's, or
    has the figures of workers that ended long ago.
    """
    for name in (_METRICS, _METRICS.lower()):
        os.environ.pop(name, None)
    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="scorekeeper-metrics-") as folder:
        os.environ[_METRICS] = folder
        yield


def shared_metrics() -> str | None:
    """Return the directory that worker processes share, None if there is only one process."""
    return os.environ.get(_METRICS)


def _path(kind: type, value: object) -> object:
    return Path(str(value)) if kind is Path else value

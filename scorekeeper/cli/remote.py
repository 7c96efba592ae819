"""Requests to a running service, for the commands that write to one."""

from collections.abc import Collection
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import local
from typing import Final, Self
from urllib.parse import urlsplit

import click
import msgspec

ANY: Final = range(100, 600)
"""Whatever status comes is taken."""

_SECONDS: Final = 60
_REFUSED: Final = 300


class Remote:
    """The service at `url`; each thread has a connection of its own, kept until the end.

    Raises BadParameter for what is no http address.
    """

    def __init__(self, url: str, token: str) -> None:
        address = urlsplit(url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise click.BadParameter(f"{url} is no http address", param_hint="--url")
        self._url = url
        self._address = address
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }
        self._own = local()
        self._opened: list[HTTPConnection] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._opened:
            connection.close()

    def ask(
        self, method: str, path: str, body: object = None, *, taken: Collection[int] = ()
    ) -> tuple[int, bytes]:
        """The answer. ClickException where its status is neither good nor among `taken`."""
        connection = self._connection()
        try:
            target = self._address.path.rstrip("/") + path
            sent = None if body is None else msgspec.json.encode(body)
            connection.request(method, target, sent, self._headers)
            answer = connection.getresponse()
            told = answer.read()
        except (OSError, HTTPException) as error:
            connection.close()
            raise click.ClickException(f"{self._url} does not answer: {error}") from error
        if answer.status >= _REFUSED and answer.status not in taken:
            shown = told.decode(errors="replace")
            raise click.ClickException(f"{method} {path}: {answer.status} {shown}")
        return answer.status, told

    def _connection(self) -> HTTPConnection:
        found: HTTPConnection | None = getattr(self._own, "connection", None)
        if found is None:
            secure = self._address.scheme == "https"
            kind = HTTPSConnection if secure else HTTPConnection
            host = self._address.hostname or ""
            found = self._own.connection = kind(host, self._address.port, timeout=_SECONDS)
            self._opened.append(found)
        return found

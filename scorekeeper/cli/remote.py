"""HTTP requests to a running service, for the commands that write to one."""

from collections.abc import Collection, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from select import select
from string import punctuation
from threading import local
from typing import Final, Self
from urllib.parse import quote, urlsplit

import click
import msgspec

from scorekeeper.cli.terminal.failures import Failure

ANY: Final = range(100, 600)
"""For `taken` of `Remote.ask`: no status raises Failure."""

_SECONDS: Final = 60
_REFUSED: Final = 300
_MOST_SHOWN: Final = 500


class Remote:
    """The service at `url`; each thread has a connection of its own, kept as long as it lasts.

    Raises BadParameter if `url` is no http address, or `token` can't be a token.
    """

    def __init__(self, url: str, token: str) -> None:
        try:
            address = urlsplit(url)
            self._port = address.port
        except ValueError as error:
            raise _no_address(url) from error
        if address.scheme not in {"http", "https"} or not address.hostname or " " in url:
            raise _no_address(url)
        if not token.isascii() or not token.isprintable():
            # A chat may have put curly quotation marks around it. It is a secret, so it is not
            # shown.
            raise click.BadParameter(
                "a token has plain letters and signs only", param_hint="--token"
            )
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
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        taken: Collection[int] = (),
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Send a request. Return the status and the body, which is JSON if the status is below 300.

        Raises Failure if there is no answer, if it should be JSON and is not, and if the status is
        300 or more and not among `taken`.
        """
        connection = self._connection()
        try:
            # Somebody may have given a name in place of a slug. The service refuses that.
            target = quote(
                self._address.path.rstrip("/") + path, safe=punctuation, errors="surrogateescape"
            )
            sent = None if body is None else msgspec.json.encode(body)
            connection.request(method, target, sent, {**self._headers, **(headers or {})})
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, HTTPException) as error:
            connection.close()
            raise Failure(f"{self._url} does not answer: {error}") from error
        if answer.status >= _REFUSED:
            if answer.status not in taken:
                raise Failure(refusal(method, path, answer.status, content))
        elif not _is_json(content):
            what = f"{self._url} answers {method} {path} with {answer.status} and no JSON"
            raise Failure(f"{what}: is it a scorekeeper?")
        return answer.status, content

    def _connection(self) -> HTTPConnection:
        found: HTTPConnection | None = getattr(self._own, "connection", None)
        if found is None:
            secure = self._address.scheme == "https"
            kind = HTTPSConnection if secure else HTTPConnection
            host = self._address.hostname or ""
            found = self._own.connection = kind(host, self._port, timeout=_SECONDS)
            self._opened.append(found)
        elif _was_closed(found):
            found.close()  # the next request opens it again
        return found


def _was_closed(connection: HTTPConnection) -> bool:
    """Return whether the service has closed a connection, as it does after half a minute unused.

    Between two requests there is nothing else to read.
    """
    return connection.sock is not None and bool(select([connection.sock], (), (), 0)[0])


class _AnsweredProblem(msgspec.Struct):
    """What is read of a problem."""

    detail: str


# Made here since requests are sent on threads, of which only one may be the first to decode a type.
_decode_problem = msgspec.json.Decoder(_AnsweredProblem).decode


def refusal(method: str, path: str, status: int, content: bytes) -> str:
    """Return what was asked and why it was refused: the problem's detail, or what came instead."""
    try:
        why = _decode_problem(content).detail
    except (msgspec.DecodeError, UnicodeError):
        why = content.decode(errors="replace")[:_MOST_SHOWN]
    return f"{method} {path}: {status} {why}"


def _is_json(content: bytes) -> bool:
    try:
        msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeError):
        return False
    return True


def _no_address(url: str) -> click.BadParameter:
    return click.BadParameter(f"{url} is no http address", param_hint="--url")

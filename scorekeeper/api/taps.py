"""Appends answered as they come off the wire: in front of the framework, and of ASGI itself.

The plumbing of both took a fifth of all that an append costs (ADR 14). Only what is plain is taken,
from a token that is known at this moment; everything else goes the ordinary way, which knows what
to say of it. What is taken is answered as it would be there, by the same functions.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from scorekeeper.api.append import TEMPLATE, Conditions, conditions, to_record
from scorekeeper.api.door import BODY_LIMIT, Headers, first_of_each
from scorekeeper.api.journal import Journal
from scorekeeper.api.limits import Limits
from scorekeeper.api.plain import read_append
from scorekeeper.api.problems import error_answer
from scorekeeper.api.trace import Trace, begin, request_id
from scorekeeper.ledger.lane import Last
from scorekeeper.match.fields import SLUG
from scorekeeper.service.access import Caller, Right, authorise, bearer_digest
from scorekeeper.service.answers import Outcome
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import Services

TAPS = "taps"
"""The name of the Taps in the state of the lifespan."""

_SLUG = SLUG.removeprefix("^").partition("$")[0].encode()
_PATH = re.compile(rb"/v1/leagues/(%b)/matches/(%b)/events" % (_SLUG, _SLUG))
_LONGEST_LENGTH = len(str(BODY_LIMIT))
# Each of them changes how a body is to be read.
_UNUSUAL = frozenset({b"content-encoding", b"transfer-encoding", b"expect"})

_HEAD = (
    b'content-type: application/json\r\ncontent-length: %d\r\netag: "%d"\r\nx-request-id: %b\r\n'
)


class Tap(msgspec.Struct, frozen=True, gc=False):
    """A request to append, up to its body; `token` is the digest of the caller's."""

    caller: Caller
    token: bytes
    path: str
    league: str
    match: str
    headers: Headers
    under: Conditions


class Answer(msgspec.Struct, frozen=True, gc=False):
    """`head`: the lines of its headers, without an empty one."""

    status: int
    head: bytes
    body: bytes


Reply = Callable[[Answer], Last]
"""Hands back what writes the answer, where it can be written at once."""


class Taps:
    """Answers plain requests to append. `services` have to be there before the first one comes."""

    services: Services

    def __init__(self, limits: Limits, journal: Journal) -> None:
        self._limits = limits
        self._journal = journal

    def taken(self, url: bytes, headers: Sequence[tuple[bytes, bytes]]) -> Tap | None:
        """A POST as a tap; None where it has to go the ordinary way, and nothing was counted.

        The names of the headers are in lower case.
        """
        found = _PATH.fullmatch(url)
        if found is None:
            return None
        named = first_of_each(headers)
        under = _conditions(named) if _is_plain(named) else None
        authorization = named.get(b"authorization", b"")
        token = bearer_digest(authorization)
        caller = self.services.access.remembered(token)
        if under is None or caller is None or not self._limits.admits(authorization):
            return None
        league, match = found[1].decode(), found[2].decode()
        return Tap(caller, token, url.decode(), league, match, named, under)

    def admits(self, tap: Tap) -> bool:
        """Whether the same head may be taken as a tap once more."""
        caller = self.services.access.remembered(tap.token)
        return caller == tap.caller and self._limits.admits(tap.headers[b"authorization"])

    def answer(self, tap: Tap, body: bytes, reply: Reply) -> None:
        """Have `reply` called with the answer to the request, which is counted and logged.

        There is no task for it: it waits in the ledger's queue, or is refused at once.
        """
        asked = _Asked(self._journal, tap, reply)
        try:
            authorise(tap.caller, Right.RECORD, tap.league)
            request = read_append(body)
            self.services.recording.record_soon(
                to_record(tap.caller, tap.path, tap.under, tap.league, tap.match, request, body),
                asked.answered,
            )
        except Exception as error:  # noqa: BLE001 the problems know which of them is a bug
            write = asked.answered(error)
            if write is not None:
                write()


class _Asked:
    """A tap that is being answered."""

    __slots__ = ("_journal", "_reply", "_started", "_tap", "_trace")

    def __init__(self, journal: Journal, tap: Tap, reply: Reply) -> None:
        self._journal = journal
        self._tap = tap
        self._reply = reply
        self._started = journal.begin()
        self._trace = Trace(request_id(tap.headers.get(b"x-request-id")), tap.caller.token_id)

    def answered(self, outcome: Outcome | Exception) -> Last:
        tap, trace = self._tap, self._trace
        if isinstance(outcome, Exception):
            answer = _refusal(tap, trace, outcome)
        else:
            answer = _written(outcome, trace)
        self._journal.end(self._started, "POST", tap.path, TEMPLATE, answer.status, trace)
        return self._reply(answer)


def _is_plain(headers: Headers) -> bool:
    """Whether the body is JSON as it stands, not chunked, and not too long."""
    length = headers.get(b"content-length", b"")
    return (
        headers.get(b"content-type") == b"application/json"
        and length.isdigit()
        and len(length) <= _LONGEST_LENGTH
        and int(length) <= BODY_LIMIT
        and _UNUSUAL.isdisjoint(headers)
    )


def _conditions(headers: Headers) -> Conditions | None:
    """None where the ordinary way has to say what is wrong with them."""
    try:
        return conditions(headers)
    except Refused:
        return None


def _written(outcome: Outcome, trace: Trace) -> Answer:
    head = _HEAD % (len(outcome.body), outcome.version or 0, trace.request_id.encode())
    if outcome.replayed is not None:
        head += b"idempotency-replayed: %b\r\n" % outcome.replayed.encode()
    return Answer(201 if outcome.created else 200, head, outcome.body)


def _refusal(tap: Tap, trace: Trace, error: Exception) -> Answer:
    scope: Any = {
        "type": "http",
        "path": tap.path,
        "query_string": b"",
        "headers": list(tap.headers.items()),
    }
    begin(scope, trace)
    status, headers, body = error_answer(scope, error)
    headers.append((b"x-request-id", trace.request_id.encode()))
    return Answer(status, b"".join([b"%b: %b\r\n" % pair for pair in headers]), body)

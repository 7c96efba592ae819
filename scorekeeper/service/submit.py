"""Handing a request to the ledger."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from scorekeeper.ledger.append import Answered, Appended, Request
from scorekeeper.ledger.lane import Last
from scorekeeper.ledger.ledger import Ledger

T = TypeVar("T")


async def submit(ledger: Ledger, request: Request[T]) -> T:
    """The value of what was appended, or of an answer that needed no appending.

    What the request's decision raises is raised here, and nothing was written.
    """
    done = await ledger.append(request)
    return done.value


def submit_soon(ledger: Ledger, request: Request[T], then: Callable[[T | Exception], Last]) -> None:
    """The same without waiting: `then` is called with the value, or with what would be raised."""
    ledger.append_soon(request, partial(_tell, then))


def _tell(then: Callable[[Any], Last], done: Appended[Any] | Answered[Any] | Exception) -> Last:
    return then(done if isinstance(done, Exception) else done.value)

"""Handing a request to the ledger."""

from typing import TypeVar

from scorekeeper.ledger.append import Request
from scorekeeper.ledger.ledger import Ledger

T = TypeVar("T")


async def submit(ledger: Ledger, request: Request[T]) -> T:
    """The value of what was appended, or of an answer that needed no appending.

    What the request's decision raises is raised here, and nothing was written.
    """
    done = await ledger.append(request)
    return done.value

"""What a process does that answers questions for another one."""

import asyncio
import signal
from functools import cache

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.evidence import Evidence, EvidenceFiles
from scorekeeper.service.offload.answering import Readers
from scorekeeper.service.offload.ending import end_with_parent
from scorekeeper.service.offload.questions import Question, QuestionAnswer


def begin() -> None:
    """Once, before the first question. Who stops the service ends this process, and nobody else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def answer(url: str, files: EvidenceFiles, asked: Question) -> QuestionAnswer:
    """Read from the database at `url` what is asked. Raises Refused, and LedgerUnavailable.

    What was opened and folded for one question is there for the next.
    """
    return _runner().run(_answer(url, files, asked))


async def _answer(url: str, files: EvidenceFiles, asked: Question) -> QuestionAnswer:
    if url not in _opened:
        ledger = await Ledger.open_to_read(url, standby=False)
        _opened[url] = Readers(ledger, Evidence(ledger, files))
    return await _opened[url].answer(asked)


@cache
def _runner() -> asyncio.Runner:
    return asyncio.Runner()


_opened: dict[str, Readers] = {}

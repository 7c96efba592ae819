"""Sharing work among several processors by forking."""

import os
import sys
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def processors() -> int:
    """How many may work at once; 1 where nothing can be shared out."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def parallel_map(
    work: Callable[[Sequence[T]], list[R]], things: Sequence[T], shares: int
) -> list[R]:
    """What `work` makes of the things, in their order: a share of them here, the others forked off.

    A fork sees what this process has, so that only results are handed over. There must be no
    threads yet. RuntimeError where a share came to no end.
    """
    ends = [len(things) * share // shares for share in range(shares + 1)]
    here, *others = (things[ends[share] : ends[share + 1]] for share in range(shares))
    coming = [_forked(work, each) for each in others]
    done = work(here)
    for result in coming:
        done += result()
    return done


def _forked(work: Callable[[Sequence[T]], list[R]], share: Sequence[T]) -> Callable[[], list[R]]:
    context = get_context("fork")
    told, telling = context.Pipe(duplex=False)
    process = context.Process(target=_tell, args=(telling, work, share), daemon=True)
    process.start()
    telling.close()

    def result() -> list[R]:
        try:
            found: list[R] = told.recv()
        except EOFError as error:
            raise RuntimeError("a process that had a share of the work came to no end") from error
        process.join()
        return found

    return result


def _tell(
    telling: "Connection[object, object]",
    work: Callable[[Sequence[T]], list[R]],
    share: Sequence[T],
) -> None:
    telling.send(work(share))

"""Pages on kept-alive connections, asked for in turn, one after the other."""

import http.client
import time
from collections.abc import Mapping, Sequence

from tests.bench.measuring.samples import Sample, sample
from tests.bench.started.service import League


class Reader:
    """One client of a league on one connection, which times each answer."""

    def __init__(self, league: League) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", league.service.port)
        self._headers = {"Authorization": f"Bearer {league.token}"}

    def get(self, path: str) -> tuple[bytes, float]:
        """Return the answer and its milliseconds; raise RuntimeError if it is not a 200."""
        begun = time.perf_counter()
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        taken = (time.perf_counter() - begun) * 1000
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}\n{content.decode()}")
        return content, taken


def pages_in_turn(
    reader: Reader, pages: Mapping[str, Sequence[str]], times: int
) -> dict[str, Sample]:
    """Return a sample of `times` answers for each name, whose paths are asked for in turn."""
    taken: dict[str, list[float]] = {name: [] for name in pages}
    order = list(pages)
    for nth in range(times):
        for name in order:
            paths = pages[name]
            taken[name].append(reader.get(paths[nth % len(paths)])[1])
        order.reverse()
    return {name: sample(1000 * times / sum(each), each) for name, each in taken.items()}

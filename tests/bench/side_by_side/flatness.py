"""Whether an append costs more as the ledger grows: old and young ones are measured in turn."""

import http.client
import time
import uuid
from collections.abc import Mapping

import msgspec

from tests.bench.loads.evening import note, tally
from tests.bench.measuring.samples import Sample, sample
from tests.bench.side_by_side import figures
from tests.bench.started.service import League, Service

OLD_LEAGUE = 10_000
LONG_MATCH = 2_000
SHORT_MATCH = 20
TIMES = 200


class Appender:
    """One client on one kept-alive connection, which times each append."""

    def __init__(self, league: League) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", league.service.port)
        self._headers = {
            "Authorization": f"Bearer {league.token}",
            "Content-Type": "application/json",
        }
        self.milliseconds: list[float] = []

    def append(self, path: str, told: Mapping[str, object]) -> None:
        body = msgspec.json.encode({"events": [{**told, "id": str(uuid.uuid4())}]})
        begun = time.perf_counter()
        self._connection.request("POST", path, body, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        self.milliseconds.append((time.perf_counter() - begun) * 1000)
        if answer.status != 201:
            raise RuntimeError(f"{path}: {answer.status}\n{content.decode()}")

    def sample(self) -> Sample:
        return sample(1000 * len(self.milliseconds) / sum(self.milliseconds), self.milliseconds)


class Flatness:
    """A league of 10,000 entries and a match of 2,000, made once; young ones are made each time."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._old = service.open_league()
        self._old.tell(self._old.open_match(), note(), OLD_LEAGUE)
        self._league = service.open_league()
        self._long_match = self._league.open_match()
        # A tally makes two entries, since the round's end is inferred.
        self._league.tell(self._long_match, tally(), LONG_MATCH // 2)

    def of_league(self) -> dict[str, Sample]:
        young = self._service.open_league()
        return in_turn(
            {
                figures.OLD_LEAGUE: (self._old, [self._old.open_match()]),
                figures.YOUNG_LEAGUE: (young, [young.open_match()]),
            }
        )

    def of_match(self) -> dict[str, Sample]:
        short = [self._league.open_match() for _ in range(TIMES // 5)]
        for path in short:
            self._league.tell(path, tally(), SHORT_MATCH // 2)
        return in_turn(
            {
                figures.LONG_MATCH: (self._league, [self._long_match]),
                figures.SHORT_MATCH: (self._league, short),
            }
        )


def in_turn(
    contenders: Mapping[str, tuple[League, list[str]]], times: int = TIMES
) -> dict[str, Sample]:
    """Append this often to the paths of the contenders, in turn."""
    appenders = {name: Appender(league) for name, (league, _) in contenders.items()}
    order = list(contenders.items())
    for nth in range(times):
        for name, (_, paths) in order:
            appenders[name].append(paths[nth % len(paths)], tally())
        order.reverse()
    return {name: appender.sample() for name, appender in appenders.items()}

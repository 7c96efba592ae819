"""Another league on the honest client's service, whose owner sends expensive requests."""

import itertools
import threading
from typing import Any, NamedTuple
from uuid import uuid4

import click
import httpx

from tests.abuse.wire import Wire, request
from tests.api.serving import ADMIN
from tests.bench.loads.evening import evening_of, note

LEAGUE = "/v1/leagues/beside"
LONG = f"{LEAGUE}/matches/long"
_AT_ONCE = 1_000


class Sizes(NamedTuple):
    """The size of that league: entries of its long match, amendments, short matches, players."""

    entries: int
    amendments: int
    matches: int
    players: int


class Beside(httpx.Client):
    """The owner of the other league, whose requests may take long."""

    def __init__(self, url: str) -> None:
        headers = {"authorization": f"Bearer {ADMIN}"}
        super().__init__(base_url=url, headers=headers, timeout=600, verify=False)

    def made(self, path: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
        answer = self.post(path, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        told: dict[str, Any] = answer.json()
        return told

    def read(self, path: str, **headers: str) -> None:
        answer = self.get(path, headers=headers)
        assert answer.status_code == 200, answer.text

    def fill(self, sizes: Sizes) -> None:
        """Fill the league; this takes minutes, so a progress bar is shown."""
        self.made("/v1/leagues", {"league": "beside", "name": "Beside"})
        for player in ("ann", "bo", "cy", "di"):
            self.made(f"{LEAGUE}/players", {"player": player, "name": player})
        self.registered = sizes.players
        for nth in range(sizes.players):
            self.made(f"{LEAGUE}/players", {"player": f"p-{nth}", "name": f"Player {nth}"})
        with click.progressbar(length=sum(sizes), label="Filling", file=None) as bar:
            bar.update(self._long("long", sizes.entries))
            self._long("amended", sizes.amendments * 10 + 1_000)
            for nth in range(sizes.amendments):
                self.amend("amended", 5 + nth * 10)
                bar.update(1)
            self._long("notes", 1)
            for first in range(0, sizes.matches, _AT_ONCE):
                self._short(first, min(first + _AT_ONCE, sizes.matches))
                bar.update(_AT_ONCE)

    def _long(self, match: str, entries: int) -> int:
        evening = evening_of(entries)
        self.made(f"{LEAGUE}/matches", evening.opening | {"match": match})
        version, told = 1, evening.told
        while told:
            version = self.tell(match, *told[:_AT_ONCE])["version"]
            told = told[_AT_ONCE:]
        return version

    def _short(self, first: int, end: int) -> None:
        matches = [
            {
                "match": f"m-{nth}",
                "edition": "basic",
                "players": ["ann", "bo", "cy", "di"],
                "at": f"20{nth % 20:02d}-0{1 + nth % 9}-01T19:00:00Z",
                "scoring": {"mode": "winner-collects", "target": None, "rounds": 1},
                "events": [
                    {
                        "type": "round_tallied",
                        "id": str(uuid4()),
                        "winners": ["ann"],
                        "hands": {each: {"points": 7} for each in ("bo", "cy", "di")},
                    }
                ],
            }
            for nth in range(first, end)
        ]
        self.made(f"{LEAGUE}/past-matches", {"matches": matches})

    def tell(self, match: str, *events: dict[str, Any]) -> dict[str, Any]:
        return self.made(f"{LEAGUE}/matches/{match}/events", {"events": events})

    def amend(self, match: str, first: int) -> dict[str, Any]:
        inserted = {"from": first, "remove": 0, "insert": [note()], "reason": "forgotten"}
        return self.tell(match, {"type": "log_amended"} | inserted)

    def try_out(self) -> None:
        asked = {"from": 5, "remove": 0, "insert": [note()]}
        self.made(f"{LONG}/what-if", asked)

    def undo(self) -> None:
        """Undo the latest append or amendment of the long match."""
        version = self.get(LONG).json()["version"]
        self.made(f"{LONG}/undo", {}, **{"if-match": f'"{version}"'})

    def erase(self) -> None:
        asked = {"after": self.get(LONG).json()["version"] // 4, "limit": 1}
        entries = self.get(f"{LONG}/events", params=asked).json()["items"]
        erased = {"positions": [entries[0]["position"]], "reason": "asked for"}
        self.made(f"{LEAGUE}/erasures", erased)
        self.read(LONG)
        self.tell("long", note())

    def list_players(self) -> None:
        """List all players, page by page."""
        asked: dict[str, str | int] = {"limit": 1_000}
        listed = 0
        while True:
            answer = self.get(f"{LEAGUE}/players", params=asked)
            assert answer.status_code == 200, answer.text
            listed += len(answer.json()["items"])
            if (cursor := answer.json()["next"]) is None:
                assert listed > self.registered
                return
            asked["cursor"] = cursor

    def open_tournament(self, players: int) -> None:
        names = [f"p-{nth}" for nth in range(players)]
        asked = {"name": "The cup", "edition": "basic", "players": names}
        made = self.made(f"{LEAGUE}/tournaments", asked)
        self.read(f"{LEAGUE}/tournaments/{made['tournament']}/schedule")

    def tell_much(self, appends: int) -> None:
        """Append notes, a thousand in each request."""
        for _ in range(appends):
            self.tell("notes", *[note()] * _AT_ONCE)

    def be_refused(self, times: int) -> None:
        """Send bodies of almost a megabyte whose last event is impossible."""
        wrong = {"type": "card_played", "player": "nobody", "card": "red-1"}
        long = {"type": "note_added", "text": "x" * 2_000}
        body = {"events": [*[long] * 480, wrong]}
        for _ in range(times):
            answer = self.post(f"{LEAGUE}/matches/notes/events", json=body)
            assert answer.status_code == 422, answer.text

    def pipeline(self, requests: int) -> None:
        """Send all requests at once on one connection, and read the answers meanwhile."""
        with Wire(self.port) as wire:
            asked = request("GET", "/v1/editions", f"Authorization: Bearer {ADMIN}")
            sending = threading.Thread(target=wire.send, args=(asked * requests,))
            sending.start()
            for _ in range(requests):
                assert wire.answer()[0] == 200
            sending.join()

    def stay_idle(self, connections: int) -> None:
        """Open all connections, ask once on each, and send nothing more."""
        idle = [Wire(self.port) for _ in range(connections)]
        for wire in idle:
            assert wire.send(request("GET", "/health/live")).answer()[0] == 200
        for wire in idle:
            wire.close()

    def follow(self, followers: int) -> None:
        """Follow the long match from its beginning, and read 200 lines on each connection."""
        asked = request("GET", f"{LONG}/live?after=0", f"Authorization: Bearer {ADMIN}")
        wires = [Wire(self.port) for _ in range(followers)]
        for wire in wires:
            assert wire.send(asked).head()[1] == 200
        for wire in wires:
            for _ in itertools.repeat(None, 200):
                wire.line()
            wire.close()

    @property
    def port(self) -> int:
        port = self.base_url.port
        assert port is not None
        return port

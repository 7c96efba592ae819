"""A client that follows live over a socket, and one that records over another."""

import asyncio
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import httpx
import msgspec

from tests.api.server_process import Server
from tests.api.serving import ADMIN, PLAYERS
from tests.sse import BEAT, Frame, parse

PATIENCE = 120
LEAGUE = "/v1/leagues/home"
MATCH = f"{LEAGUE}/matches/m"


class Stream:
    """What a follower receives, frame by frame; heartbeats are skipped."""

    def __init__(
        self,
        url: str,
        path: str,
        token: str = ADMIN,
        *,
        after: object = None,
        last_event_id: str | bytes | None = None,
    ) -> None:
        self._connection = HTTPConnection(url.removeprefix("http://"), timeout=PATIENCE)
        headers: dict[str, str | bytes] = {"Authorization": f"Bearer {token}"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        query = "" if after is None else f"?after={quote(str(after))}"
        self._connection.request("GET", path + query, headers=headers)
        self._answer = self._connection.getresponse()
        self.status = self._answer.status
        self.headers = self._answer.headers
        self.problem = {} if self.status == 200 else msgspec.json.decode(self._answer.read())
        self._received = b""
        self._frames: list[Frame] = []

    def piece(self) -> bytes:
        """Return the bytes that arrive next, empty at a proper end; raise at a cut connection."""
        return self._answer.read1()

    def next(self) -> Frame | None:
        """The next frame; None at the end."""
        while not self._frames:
            whole, found, rest = self._received.rpartition(b"\n\n")
            if found:
                self._received = rest
                self._frames = [frame for frame in parse(whole + found) if frame != BEAT]
            elif piece := self.piece():
                self._received += piece
            else:
                assert not self._received
                return None
        return self._frames.pop(0)

    def entry(self) -> Frame:
        while (frame := self.next()).event != "entry":
            pass
        return frame

    def rest(self) -> list[Frame]:
        frames = []
        while (frame := self.next()) is not None:
            frames.append(frame)
        return frames

    def leave(self) -> None:
        self._answer.close()
        self._connection.close()


class Scorer(httpx.Client):
    """Records as the admin. The league has one match."""

    def __init__(self, url: str) -> None:
        headers = {"authorization": f"Bearer {ADMIN}"}
        # To verify nothing: it takes 30 ms to read all certificates of the machine, of no use here.
        super().__init__(base_url=url, headers=headers, timeout=PATIENCE, verify=False)

    def open(self) -> "Scorer":
        self.made("/v1/leagues", {"league": "home", "name": "Home"})
        for player in PLAYERS:
            self.made(f"{LEAGUE}/players", {"player": player, "name": player})
        players = list(PLAYERS[:4])
        self.made(f"{LEAGUE}/matches", {"match": "m", "edition": "basic", "players": players})
        return self

    def made(self, path: str, body: dict) -> dict:
        answer = self.post(path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def tell(self, *events: dict) -> dict:
        return self.made(f"{MATCH}/events", {"events": list(events)})

    def note(self, count: int = 1, text: str = "tea") -> int:
        """Append notes in one request, and return the position of the last."""
        return self.tell(*[{"type": "note_added", "text": text}] * count)["position"]

    def token(self, role: str) -> tuple[str, str]:
        """Make a token, and return its id and the token."""
        made = self.made(f"{LEAGUE}/tokens", {"role": role, "name": role})
        return made["token_id"], made["token"]

    def log(self) -> list[dict]:
        """Return all entries of the match, however many there are."""
        log = self.get(f"{MATCH}/events", headers={"accept": "application/x-ndjson"})
        return [msgspec.json.decode(line) for line in log.text.splitlines()]

    def positions(self) -> list[int]:
        """Return the positions of the match's entries."""
        return [entry["position"] for entry in self.log()]


def serving_league(directory: Path, **settings) -> tuple[Server, Scorer]:
    server = Server(directory, **settings)
    return server, Scorer(server.url).open()


class InProcess:
    """A follower without a network, in the loop that the application runs in."""

    def __init__(self, app, path: str, *, token: str = ADMIN, query: str = "") -> None:
        self.sent = asyncio.Queue()
        self.left = asyncio.Event()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"authorization", f"Bearer {token}".encode())],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }
        self.task = asyncio.create_task(app(scope, self.receive, self.sent.put))

    async def receive(self) -> dict:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def body(self) -> bytes:
        while (message := await self.sent.get())["type"] != "http.response.body":
            pass
        return message["body"]

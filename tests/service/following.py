"""A league with a match and its followers, to which nothing happens without a call.

In particular, followers are not woken by commits.
"""

import asyncio
from collections import defaultdict

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import EntryPage
from scorekeeper.match.events.events import NoteAdded
from scorekeeper.service.identity.access import Access, Caller, token_digest
from scorekeeper.service.identity.tokens import Tokens
from scorekeeper.service.leagues import Leagues, Players
from scorekeeper.service.live.follower import Follower
from scorekeeper.service.live.followers import Followers, Pace, Places
from scorekeeper.service.matches.opening import Matches
from scorekeeper.service.matches.recording import Recording, ToRecord
from scorekeeper.service.reading.match_request import MatchRequest
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.views import LeagueOpening, PlayerRegistration, TokenMaking
from tests.sse import Frame, parse

LEAGUE = "home"
ADMIN_TOKEN = "an-admin-token-for-tests"
AUTHORIZATION = f"Bearer {ADMIN_TOKEN}"
ADMIN = Caller("admin", "admin", None)
PLAYERS = ("ann", "bo", "cy", "di")

LONG = "tea " * 250
"""A note of a kilobyte."""

# The position of the match's opening, after the league, its owner's token, and four players.
OPENED = 7


class Process:
    """One process on a database. `now` is its clock; it is woken by nothing but `poll`."""

    def __init__(self, ledger: Ledger, *, places: Places | None = None) -> None:
        self.now = 0.0
        self.ledger = ledger
        self.access = Access(ledger, given_admin=token_digest(ADMIN_TOKEN), clock=lambda: self.now)
        self.reading = Reading(ledger)
        self.tokens = Tokens(ledger, self.access)
        self.recording = Recording(ledger, self.reading)
        self.matches = Matches(ledger, self.reading)
        self.followers = Followers(
            ledger,
            self.reading,
            self.access,
            pace=Pace(heartbeat=15),
            clock=lambda: self.now,
            places=places,
        )
        self._read = defaultdict(asyncio.Event)
        self._part, ledger.part = ledger.part, self._noted_part

    def hears(self):
        """Let commits of this process wake its followers."""
        self.ledger.on_commit(self.followers.wake)

    async def open(self, league=LEAGUE, matches=("one",)):
        await Leagues(self.ledger).open(ADMIN, LeagueOpening(league=league, name="Home"), None)
        for player in PLAYERS:
            registration = PlayerRegistration(name=player, player=player)
            await Players(self.ledger).register(ADMIN, league, registration, None)
        for match in matches:
            await self.open_match(match, league)

    async def open_match(self, match, league=LEAGUE):
        request = MatchRequest(edition="basic", players=PLAYERS, match=match)
        await self.matches.open(ADMIN, league, request, None, "en")

    async def note(self, *texts, match="one", league=LEAGUE):
        """Append a note for each text in one request. Return the position of the last note."""
        events = [NoteAdded(text=text) for text in texts or ("tea",)]
        outcome = await self.recording.record(ToRecord(ADMIN, league, match, events))
        return msgspec.json.decode(outcome.body)["position"]

    async def token(self, role="viewer", league=LEAGUE):
        """Make a token. Return its holder, and the Authorization header that the holder sends."""
        outcome = await self.tokens.make(ADMIN, league, TokenMaking(role, "new"), None)
        made = msgspec.json.decode(outcome.body)
        return Caller(made["token_id"], role, league), f"Bearer {made['token']}"

    async def follow(
        self,
        match="one",
        after=None,
        league=LEAGUE,
        caller=ADMIN,
        authorization=AUTHORIZATION,
    ):
        """Follow, and let the league's feed read once, as it does when the first one follows.

        A slow database would have it read then what the test tells later.
        """
        follower = await self.followers.follow(caller, authorization, league, match, after)
        await self._read[league].wait()
        return Reader(follower)

    async def _noted_part(self, league, after, limit) -> EntryPage:
        try:
            return await self._part(league, after, limit)
        finally:
            self._read[league].set()


class Reader:
    """Takes what a follower is sent, frame by frame."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self._frames = []
        self.last_id = None

    async def next(self):
        """The next frame, None at the end."""
        while not self._frames:
            chunk = await self.follower.next()
            if chunk is None:
                return None
            self._frames = parse(chunk)
        frame = self._frames.pop(0)
        if isinstance(frame, Frame) and frame.id is not None:
            self.last_id = frame.id
        return frame

    async def until(self, position):
        """All frames up to the state that follows the entry at this position."""
        frames = []
        while not frames or frames[-1].event != "state" or frames[-1].position < position:
            frames.append(await self.next())
        return frames

    async def rest(self):
        frames = []
        while (frame := await self.next()) is not None:
            frames.append(frame)
        return frames


def positions(frames):
    """Return the positions of the entries among the frames."""
    for frame in frames:
        assert frame.id == (None if frame.event == "state" else frame.position)
    return [frame.position for frame in frames if frame.event == "entry"]

"""Every route, asked with a viewer's token during a round whose cards are recorded.

Two leagues differ only in hidden cards, which nobody at the table has seen. No answer lets a viewer
tell the two apart, and no answer names a hidden card.
"""

import itertools
import re
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from litestar.routes import HTTPRoute

from scorekeeper.api.application import application
from scorekeeper.editions.registry import latest
from scorekeeper.match.events.card_events import (
    CardPlayed,
    CardsDrawn,
    Draw,
    Give,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import TableEvent, encode
from scorekeeper.match.record import Recorded, record
from scorekeeper.simulation.dealt_round import FREQUENT
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import PlayedMatch, play_match
from tests.api.live_client import InProcess
from tests.api.serving import Caller
from tests.match.story import NAMES
from tests.simulation.hidden import hidden_cards, otherwise_dealt, unfinished
from tests.simulation.playing import begin, log_of, recorded

EVERYWHERE = {"cards drawn", "challenge"}
# The features that the round of each edition must have, and the number of players.
ROUNDS = {
    "mario": (4, EVERYWHERE | {"cards drawn by an effect"}),
    "basic": (4, EVERYWHERE | {"silent draw"}),
    "mickey": (3, EVERYWHERE),
    "hello-kitty": (3, EVERYWHERE | {"swap"}),
    "hello-kitty among two": (2, {"cards drawn", "gift"}),
    "classic-2025": (4, EVERYWHERE),
}
# Seeds whose rounds have all features. If they no longer do, other seeds are tried.
FOUND = {"mario": 7, "hello-kitty": 8}
MATCH = "/v1/leagues/{league}/matches/{match}"
VERSIONS = "?at={version}"
LOG = "/v1/leagues/{league}/log"
CUPS = "/v1/leagues/{league}/tournaments"
# The queries or addresses with which a viewer asks every route; a route that is missing here fails.
# {version} is replaced by versions of the match. None: the route shows nothing of any league.
ASKED: dict[str, tuple[str, ...] | None] = {
    "/v1/editions": None,
    "/v1/editions/{edition}": None,
    "/health/live": None,
    "/health/ready": None,
    "/metrics": None,
    "/openapi.json": None,
    "/docs": None,
    "/docs/{name}": None,
    "/problems/{code}": None,
    "/v1/leagues": ("",),
    "/v1/leagues/{league}": ("",),
    "/v1/leagues/{league}/players": ("",),
    "/v1/leagues/{league}/players/{player}": ("",),
    "/v1/leagues/{league}/matches": ("", "?status=open", "?edition={edition}", "?to=2020-01-01"),
    MATCH: ("", VERSIONS),
    f"{MATCH}/audit": ("", VERSIONS, "?lang=zh-TW"),
    f"{MATCH}/hands": ("", VERSIONS),
    f"{MATCH}/progress": ("", VERSIONS),
    f"{MATCH}/rounds": ("", VERSIONS),
    f"{MATCH}/rounds/{{number}}": ("", VERSIONS),
    f"{MATCH}/rounds/{{number}}/replay": (
        "",
        VERSIONS,
        "?view=recorded",
        f"{VERSIONS}&view=recorded",
    ),
    f"{MATCH}/events": ("?limit=1000", "?after={version}&limit=1"),
    CUPS: ("",),
    f"{CUPS}/{{tournament}}": ("",),
    f"{CUPS}/{{tournament}}/schedule": ("",),
    f"{CUPS}/{{tournament}}/standings": ("",),
    f"{CUPS}/{{tournament}}/board": ("",),
    f"{CUPS}/{{tournament}}/progress": ("",),
    f"{CUPS}/{{tournament}}/events": ("",),
    "/v1/me": ("",),
    "/v1/leagues/{league}/standings": ("", "?seats=4"),
    "/v1/leagues/{league}/results": ("",),
    "/v1/leagues/{league}/players/{player}/statistics": ("",),
    "/v1/leagues/{league}/players/{player}/ratings": ("",),
    f"{LOG}/checkpoint": ("",),
    f"{LOG}/key": ("",),
    f"{LOG}/tile/{{tile}}": (f"{LOG}/tile/0/000.p/9", f"{LOG}/tile/entries/000.p/9"),
    f"{LOG}/proof/inclusion": ("?position=9",),
    f"{LOG}/proof/consistency": ("?from=9",),
}
# These have no end; a viewer reads them from the beginning.
ENDLESS = {f"{MATCH}/live", "/v1/leagues/{league}/live"}
# Only the owner gets these.
REFUSED = {
    "/v1/leagues/{league}/tokens",
    "/v1/leagues/{league}/invitations",
    "/v1/leagues/{league}/export",
}
STATE = b'event: state\ndata: {"match":"m"'
ODD = ("?surprise=1", "?at=0", "?at=99999", "?at=x", "?after=-1", "?limit=0", "?cursor=zz", "/x")


ROUTES = [
    (str(method), route.path_format)
    for route in application().routes
    if isinstance(route, HTTPRoute)
    for method in sorted(route.methods)
    if method != "OPTIONS"
]
READ = sorted({path for method, path in ROUTES if method == "GET"})
# Devices sign in and out with a code and a cookie: see tests/api/access/test_sessions.py.
OF_BROWSERS = "/v1/session"
WRITTEN = sorted(
    (method, path)
    for method, path in ROUTES
    if method not in {"GET", "HEAD"} and path != OF_BROWSERS
)


def features(played: PlayedMatch, told: list[TableEvent]) -> set[str]:
    """Return the features of a round; cards count only if they are still hidden."""
    found = set()
    hidden = hidden_cards(played, told)
    outcome = recorded(begin(played), told)
    if any(violation.reason == "drawn-while-able" for violation in outcome.violations):
        found.add("silent draw")
    for event in log_of(outcome):
        match event:
            case CardsDrawn() if hidden & {*(event.cards or ())}:
                found.add("cards drawn")
            case WildDrawFourChallenged() if hidden & {*(event.hand or ())}:
                found.add("challenge")
            case CardPlayed():
                if event.card == "swap-hands":
                    found.add("swap")
                for effect in event.effects or ():
                    if isinstance(effect, Give | Draw) and hidden & {*(effect.cards or ())}:
                        found.add(
                            "gift" if isinstance(effect, Give) else "cards drawn by an effect"
                        )
            case _:
                pass
    return found


@cache
def twins(name: str) -> tuple[PlayedMatch, list[TableEvent], list[TableEvent]]:
    """Return a round, its events until just before its end, and others with other hidden cards."""
    seats, wanted = ROUNDS[name]
    edition = latest(name.partition(" ")[0])
    for seed in itertools.chain([FOUND.get(name, 0)], itertools.count()):
        rng = Random(seed)
        opening = open_table(rng, edition, NAMES[:seats], target=500)
        played = play_match(rng, edition, opening, FREQUENT, most_rounds=1)
        told = unfinished(played)
        if not wanted <= features(played, told):
            continue
        held = recorded(begin(played), told).state.hands
        for other in otherwise_dealt(played, told):
            outcome = record(begin(played), other)
            if isinstance(outcome, Recorded) and outcome.state.hands != held:
                return played, told, other
    raise AssertionError


# Together these have all features.
QUICK = {"mario", "basic", "hello-kitty", "hello-kitty among two"}


@pytest.fixture(
    scope="session",
    params=[pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in ROUNDS],
)
def looked_at(request, served):
    """The hidden cards, and both leagues as their viewers see them."""
    played, *tellings = twins(request.param)
    hidden = hidden_cards(played, tellings[0])
    return hidden, [Looking(served, played, told) for told in tellings]


class Looking(Caller):
    """A league with one match, as its viewer sees it."""

    def __init__(self, served: Any, played: PlayedMatch, told: list[TableEvent]) -> None:
        self.league = served.league(NAMES)
        cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": NAMES[:4]}
        assert self.league.owner.post("/tournaments", cup).status_code == 201
        opening = msgspec.json.decode(encode(played.opened))
        del opening["revision"], opening["type"]
        events = [msgspec.json.decode(encode(event)) for event in told]
        self.match = self.league.match(**(opening | {"match": "m", "events": events}))
        self._amend()
        self.version = self.match.board()["version"]
        self.edition = played.edition.id
        super().__init__(served, self.league.viewer.token, "")

    def _amend(self) -> None:
        """Open a dispute about the last recorded draw, and replace the draw by an equal one."""
        drawn = [entry for entry in self.match.log() if "cards" in (entry["data"] or {})]
        entry = [one for one in drawn if one["type"] == "cards_drawn"][-1]
        claim = {"type": "dispute_opened", "by": NAMES[0], "round": 1, "claim": "that was me"}
        again = {"type": "cards_drawn", **entry["data"]}
        amendment = {"type": "log_amended", "from": entry["version"], "remove": 1}
        self.match.tell(claim, amendment | {"insert": [again], "reason": "to be sure"})

    def address(self, template: str, version: int = 1) -> str:
        return template.format(
            league=self.league.slug, match="m", player=self.league_player, number=1,
            edition=self.edition, version=version, token_id="t", invitation="i",
            tournament="cup", tile="0/000.p/9",
        )  # fmt: skip

    @property
    def league_player(self) -> str:
        return NAMES[0]

    def answers(self, method: str, template: str, **request: Any) -> list[tuple[str, int, str]]:
        """Return the answers (for some versions if the address names one), random parts masked."""
        step = max(1, self.version // 6)
        versions = range(self.version, 0, -step) if "{version}" in template else [1]
        addresses = [self.address(template, version) for version in versions]
        asked = self.served.together(*(self.asking(method, one, **request) for one in addresses))
        return [
            (self.masked(one), answer.status_code, self.masked(answer.text + tag(answer)))
            for one, answer in zip(addresses, asked, strict=True)
        ]

    def streamed(self, template: str) -> str:
        """Return all frames up to the current state of the match."""

        async def read() -> bytes:
            query, body = "after=0", b""
            address = self.address(template)
            follower = InProcess(self.served.app, address, token=self.token, query=query)
            while f'"version":{self.version},"position"'.encode() not in body.partition(STATE)[2]:
                body += await follower.body()
            follower.left.set()
            await follower.task
            return body

        return self.served.together(read())[0].decode()

    def masked(self, text: str) -> str:
        text = text.replace(self.league.slug, "LEAGUE")
        return re.sub(
            r"[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|"
            r"t-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[0-9:.]+Z", "*", text,
        )  # fmt: skip


def tag(answer: Any) -> str:
    return str(answer.headers.get("etag", ""))


def nothing_is_told(looked_at: Any, method: str, template: str, **request: Any) -> None:
    hidden, (here, there) = looked_at
    answers = here.answers(method, template, **request)
    same = there.answers(method, template, **request)
    if template.startswith(LOG):
        # Leaf hashes are salted, and tree hashes depend on them.
        assert [answer[:2] for answer in answers] == [answer[:2] for answer in same]
    else:
        assert answers == same
    for address, _, text in answers:
        for card in hidden:
            assert f'"{card}"' not in text, (address, card)


def test_every_route_is_asked():
    listed = ASKED.keys() | REFUSED | ENDLESS
    assert set(READ) == listed, "ASKED has a line for each route, with what a viewer asks of it"


@pytest.mark.parametrize("path", [path for path, asked in ASKED.items() if asked])
def test_no_answer_depends_on_hidden_cards(looked_at, path):
    for asked in ASKED[path]:
        nothing_is_told(looked_at, "GET", asked if asked.startswith("/") else path + asked)
    nothing_is_told(looked_at, "GET", path, headers={"accept": "application/x-ndjson"})
    nothing_is_told(looked_at, "GET", path, headers={"accept-language": "zh-TW"})
    nothing_is_told(looked_at, "HEAD", path)


@pytest.mark.parametrize("path", sorted(ENDLESS))
def test_no_frame_depends_on_hidden_cards(looked_at, path):
    hidden, (here, there) = looked_at
    streams = [one.masked(one.streamed(path)) for one in (here, there)]
    assert streams[0] == streams[1]
    assert streams[0].count("event: entry") >= here.version
    for card in hidden:
        assert f'"{card}"' not in streams[0]


# The refusals do not depend on the edition.
in_one_edition = pytest.mark.parametrize(
    "looked_at",
    [pytest.param(name, marks=[] if name == "basic" else pytest.mark.slow) for name in ROUNDS],
    indirect=True,
    scope="session",
)


@in_one_edition
@pytest.mark.parametrize("path", [path for path, asked in ASKED.items() if asked])
def test_no_error_depends_on_hidden_cards(looked_at, path):
    for odd in ODD:
        nothing_is_told(looked_at, "GET", path + odd)
    nothing_is_told(looked_at, "GET", path.replace("{number}", "99"))


@in_one_edition
@pytest.mark.parametrize("path", sorted(REFUSED))
def test_what_only_the_owner_may_read(looked_at, path):
    _, (here, there) = looked_at
    answers = here.answers("GET", path)
    assert answers == there.answers("GET", path)
    assert [status for _, status, _ in answers] == [403]


@in_one_edition
@pytest.mark.parametrize(("method", "path"), WRITTEN)
def test_a_viewer_writes_nothing(looked_at, method, path):
    """The refusal comes before the request is read, so it reveals no cards either."""
    _, (here, there) = looked_at
    for body in ({}, {"events": [{"type": "hand_shown", "player": NAMES[0], "cards": ["wild"]}]}):
        answers = here.answers(method, path, json=body)
        assert answers == there.answers(method, path, json=body)
        assert [status for _, status, _ in answers] == [403]


def test_the_search_would_find_what_a_scorekeeper_gets(looked_at):
    hidden, (here, there) = looked_at
    for path in ("/hands", "/events?limit=1000"):
        one, other = here.match.get(path).text, there.match.get(path).text
        assert here.masked(one) != there.masked(other)
        assert any(f'"{card}"' in one for card in hidden)

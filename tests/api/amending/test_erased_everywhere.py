"""After an erasure, whatever it covered, every route can be read and written as before.

That no answer is a 5xx is checked for each of them by `serving.conforms`.
"""

from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper
from scorekeeper.editions.registry import latest
from scorekeeper.match.events.events import encode
from scorekeeper.simulation.dealt_round import FREQUENT
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import play_match
from scorekeeper.simulation.tellings import Telling
from tests.api.live_client import InProcess
from tests.api.reading.test_viewers_everywhere import ASKED, ENDLESS, MATCH, REFUSED
from tests.api.serving import tally
from tests.api.serving_kinds import on_both
from tests.match.story import NAMES
from tests.simulation.playing import told_events

# How many entries of each match are erased in one step; the last step takes all but the opening.
ERASED = (5, 20, 1000)
QUICK = {"sqlite": (20, 1000), "postgresql": (20,)}
FORMS = ("application/json", "application/x-ndjson", "text/csv")
# The editions whose cards have the most effects. After so many events, most rounds are in progress.
EDITIONS = ("mario", "hello-kitty", "classic-2025")
TOLD = 80
CUP = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": NAMES[:4]}


def told(struct):
    return msgspec.json.decode(encode(struct))


class Erased:
    """A league with matches recorded card by card, and a tournament with one table."""

    def __init__(self, league, seed):
        self.league = league
        self.rng = Random(seed)
        league.scorekeeper.post("/tournaments", CUP)
        self.matches = [self._played(edition) for edition in map(latest, EDITIONS)]
        first, *others = self.board("cup-s1-t1")["players"]
        played = {"events": [tally(first, **dict.fromkeys(others, 7))]}
        league.scorekeeper.post("/matches/cup-s1-t1/events", played)
        self.matches.append("cup-s1-t1")

    def _played(self, edition):
        """Play a match that has an amendment and a dispute."""
        opening = open_table(self.rng, edition, NAMES[:4], target=2000)
        played = play_match(self.rng, edition, opening, FREQUENT, most_rounds=1)
        opened = told(played.opened)
        del opened["revision"], opened["type"]
        events = [told(event) for event in told_events(played, Telling.EXACT)][:TOLD]
        match = self.league.match(**opened, events=events)
        drawn = [entry for entry in match.log() if entry["type"] == "cards_drawn"][-1]
        amendment = {"type": "log_amended", "from": drawn["version"], "reason": "to be sure"}
        again = {"type": "cards_drawn", **drawn["data"]}
        claim = {"type": "dispute_opened", "by": NAMES[0], "round": 1, "claim": "that was me"}
        match.tell(amendment | {"remove": 1, "insert": [again]}, claim)
        return match.slug

    def board(self, match):
        return self.league.scorekeeper.get(f"/matches/{match}").json()

    def erase(self, most):
        """Erase up to `most` entries of each match."""
        for match in self.matches:
            log = self.league.owner.get(f"/matches/{match}/events", params={"limit": 1000}).json()
            left = [entry["position"] for entry in log["items"][1:] if not entry.get("erased")]
            positions = self.rng.sample(left, min(most, len(left)))
            answer = self.league.owner.post(
                "/erasures", {"positions": positions, "reason": "asked to"}
            )
            assert answer.status_code == 201, answer.text

    def addresses(self):
        """Yield the addresses of all reads, with a random version in those that name one."""
        for path, asked in ASKED.items():
            for query in asked or ():
                whole = query if query.startswith("/") else path + query
                for match in self.matches if path.startswith(MATCH) else ["cup-s1-t1"]:
                    last = self.board(match)["version"] if "{version}" in whole else 1
                    yield self.address(whole, match, 1 + self.rng.randrange(last))
        yield from (self.address(path, "") for path in REFUSED)

    def address(self, template, match, version=1):
        return template.format(
            league=self.league.slug, match=match, player=NAMES[0], number=1, edition="basic",
            version=version, tournament="cup", tile="0/000.p/9",
        )  # fmt: skip

    def ask_all(self):
        """Ask for every address with each role, all roles at the same time."""
        for address in self.addresses():
            headers = {"accept": self.rng.choice(FORMS)}
            answers = self.league.served.together(
                *(
                    self.league.served.asking("GET", address, token=caller.token, headers=headers)
                    for caller in self.league.callers.values()
                )
            )
            # The owner may read everything; a round whose entries are all erased is not found.
            assert answers[-1].status_code in (200, 404), answers[-1].text

    def follow_all(self):
        """Follow as each role, from the beginning until the states of the matches arrive."""
        for caller in self.league.callers.values():
            for path in sorted(ENDLESS):
                one_by_one = self.matches if path.startswith(MATCH) else [None]
                for match in one_by_one:
                    standing = 1 if match else len(self.matches)
                    self.league.served.together(self._follow(caller, path, match, standing))

    async def _follow(self, caller, path, match, standing):
        app, address = self.league.served.app, self.address(path, match)
        follower = InProcess(app, address, token=caller.token, query="after=0")
        body = b""
        while body.count(b"event: state") < standing:
            body += await follower.body()
        follower.left.set()
        await follower.task
        assert b'"erased":true' in body

    def write_all(self):
        """Write to the partly erased matches; each request is recorded, or refused by the rules."""
        for match in self.matches:
            root = f"/matches/{match}"
            taken_out = {"from": 2, "remove": 1, "insert": []}
            amendment = {"type": "log_amended", "reason": "not so"} | taken_out
            for asked, body in (
                ("/what-if", taken_out),
                ("/events", {"events": [{"type": "turn_passed", "player": NAMES[0]}]}),
                ("/events", {"events": [{"type": "round_started"}]}),
                ("/undo", {}),
                ("/events", {"events": [amendment]}),
            ):
                headers = {"if-match": "*"} if asked == "/undo" else {}
                answer = self.league.scorekeeper.post(root + asked, body, headers=headers)
                assert answer.status_code in (200, 201, 409, 422), answer.text

    def verify(self, file):
        """Verify the league both in the database and as a bundle."""
        file.write_bytes(self.league.owner.get("/export").content)
        url = self.league.served.url
        for arguments in ([self.league.slug, "--database-url", url], [str(file)]):
            done = CliRunner().invoke(scorekeeper, ["verify", *arguments], catch_exceptions=False)
            assert done.exit_code == 0, done.output


@on_both
def test_whatever_is_erased_everything_answers_and_agrees(league, kind, tmp_path):
    everything_answers_and_agrees(league, QUICK[kind], tmp_path)


@pytest.mark.slow
@on_both
def test_more_and_more_is_erased_and_everything_answers_and_agrees(league, tmp_path):
    everything_answers_and_agrees(league, ERASED, tmp_path)


def everything_answers_and_agrees(league, times, tmp_path):
    erased = Erased(league, seed=1)
    for most in times:
        erased.erase(most)
        erased.ask_all()
        erased.follow_all()
        erased.verify(tmp_path / "league.tar")
        erased.write_all()
        erased.verify(tmp_path / "league.tar")

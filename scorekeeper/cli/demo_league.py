"""The league of the demonstration, told to a service as a table would tell it.

It has three years of evenings that come from a spreadsheet, two tournaments, and three matches: one
with an open dispute, one that was corrected, and one that is being played tonight.
"""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import msgspec

from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.editions.registry import edition_ids, latest
from scorekeeper.match.events.opening import Opening, Scoring
from scorekeeper.simulation.dealt_round import FREQUENT, LAWFUL, Habits
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling

NAMES: Final = {
    "ann": "Ann",
    "bo": "Bo",
    "cyrus": "Cyrus",
    "diana": "Diana",
    "oma-ida": "Oma Ida",
    "mei": "美美",
    "ming": "阿明",
    "zoe": "Zoë",
}
"""By slug."""

SLUGS: Final = tuple(NAMES)
EVENING: Final = ("ann", "bo", "oma-ida", "mei")
"""Those who sit at the table of single matches."""


LEAGUE = "demo"

_HEADING: Final = "date,edition,players,points,match,mode,rounds\n"
_EVENINGS: Final = 8
"""Evenings in a year."""
_ROUNDS: Final = 4

OVER: Final = "spring-cup"
RUNNING: Final = "autumn-cup"

_SEGMENTS_PLAYED: Final = 3
"""Segments of the running tournament that are over."""

TABLES: Final = 14 + 2 * _SEGMENTS_PLAYED + 2
"""Tables of both tournaments that are told, whole or in part."""

QUARREL: Final = "quarrel"
CORRECTED: Final = "corrected"
TONIGHT: Final = "tonight"

_EVENTS_TONIGHT: Final = 24
"""Events of the round that goes on tonight."""

STEPS: Final = len(NAMES) + TABLES + 4
"""How often `record_demo_league` calls `done`, each time with 1."""


class LeagueClient:
    """Requests below the league's address. Raises Failure if one is refused."""

    def __init__(self, service: Remote) -> None:
        self._service = service

    def get(self, path: str) -> Any:  # noqa: ANN401 as the service answers
        """Return the answer, decoded."""
        return self._ask("GET", path, None)

    def send(self, path: str, body: object) -> Any:  # noqa: ANN401 as the service answers
        """Post the body. Return the answer, decoded."""
        return self._ask("POST", path, body)

    def append(self, match: str, *events: object) -> Any:  # noqa: ANN401 as the service answers
        """Append events to a match. Return the answer, decoded."""
        return self.send(f"/matches/{match}/events", {"events": events})

    def _ask(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401
        _, answer = self._service.ask(method, f"/v1/leagues/{LEAGUE}{path}", body)
        return msgspec.json.decode(answer)


def tally(winner: str, hands: dict[str, int]) -> dict[str, object]:
    """Return a round in one tap, by the points of the hands."""
    left = {player: {"points": points} for player, points in hands.items()}
    return {"type": "round_tallied", "winners": [winner], "hands": left}


def spreadsheet(today: date) -> str:
    """Return the rows of this year up to `today`, and of the two years before it, as CSV."""
    rng = Random("seasons")  # noqa: S311 nothing is kept secret by it
    editions = edition_ids()
    rows = [_HEADING]
    for year in range(today.year - 2, today.year + 1):
        end = today - timedelta(days=1) if year == today.year else date(year, 12, 31)
        days = max(1, (end - date(year, 1, 1)).days)
        for number in range(_EVENINGS):
            day = min(date(year, 1, 1) + timedelta(days=days * number // _EVENINGS), today)
            players = rng.sample(SLUGS, rng.choice((2, 4, 4, 5)))
            start_of_row = f"{day},{editions[number % len(editions)]},{' '.join(players)}"
            end_of_row = f"{year}-{number + 1},lowest-total,{_ROUNDS}\n"
            rows += [
                f"{start_of_row},{_points(rng, len(players))},{end_of_row}" for _ in range(_ROUNDS)
            ]
    return "".join(rows)


def _points(rng: Random, hands: int) -> str:
    """Return the points of each hand, `-` for the winner's. The first players win more often."""
    winner = min(rng.randrange(hands), rng.randrange(hands))
    return " ".join("-" if each == winner else str(rng.randint(1, 9) * 5) for each in range(hands))


def cups(league: LeagueClient) -> Iterator[str]:
    """Tell the tables of both tournaments one after the other. Yield each match once it is told."""
    segments = _tournament_opened(league, OVER, "Spring cup")
    for segment in segments:
        for table in segment["tables"]:
            yield _record_table(league, table, 4)
    segments = _tournament_opened(league, RUNNING, "Autumn cup")
    for segment in segments[:_SEGMENTS_PLAYED]:
        for table in segment["tables"]:
            yield _record_table(league, table, 4)
    first, second = segments[_SEGMENTS_PLAYED]["tables"]
    yield _record_table(league, first, 2)
    yield _record_table(league, second, 1)


def _tournament_opened(league: LeagueClient, slug: str, name: str) -> list[dict[str, Any]]:
    asked = {"tournament": slug, "name": name, "edition": "basic", "players": SLUGS}
    segments: list[dict[str, Any]] = league.send("/tournaments", asked)["segments"]
    return segments


def _record_table(league: LeagueClient, table: dict[str, Any], rounds: int) -> str:
    match: str = table["match"]
    rng = Random(match)  # noqa: S311 nothing is kept secret by it
    events: list[object] = []
    for planned in table["rounds"][:rounds]:
        winner, *others = rng.sample(planned["players"], 4)
        events.append(tally(winner, {player: rng.randint(1, 90) for player in others}))
    league.append(match, *events)
    return match


def quarrel(league: LeagueClient) -> int:
    """Tell a match card by card, with all cards known, and dispute a step of its first round.

    Return the number of that step, from 1. A card was laid there that did not match.
    """
    opening, rounds = _simulated("quarrel/7", "mickey", FREQUENT, 2)
    league.send("/matches", {"match": QUARREL, **msgspec.to_builtins(opening)})
    for events in rounds:
        league.append(QUARREL, *events)
    steps = league.get(f"/matches/{QUARREL}/rounds/1/replay")["items"]
    number, step = next(
        (number, each)
        for number, each in enumerate(steps, start=1)
        if each["verdict"] == "illegal" and each["event"]["type"] == "card_played"
    )
    blamed = step["event"]["player"]
    by = next(player for player in EVENING if player != blamed)
    dispute = {"type": "dispute_opened", "by": by, "round": 1, "entry": step["version"]}
    league.append(QUARREL, {**dispute, "claim": "That card did not match, and nobody said so."})
    return number


def corrected(league: LeagueClient) -> None:
    """Tell a match by tallies, with two disputes: one upheld with an amendment, one rejected."""
    opening = {"match": CORRECTED, "edition": "basic", "players": EVENING, "dealer": "ann"}
    league.send("/matches", {**opening, "scoring": {"mode": "lowest-total", "target": 300}})
    told = [
        tally("ann", {"bo": 34, "oma-ida": 51, "mei": 12}),
        tally("mei", {"ann": 20, "bo": 65, "oma-ida": 9}),
        tally("oma-ida", {"ann": 43, "bo": 8, "mei": 70}),
        tally("ann", {"bo": 22, "oma-ida": 31, "mei": 50}),
    ]
    versions = [
        next(
            each["version"]
            for each in league.append(CORRECTED, event)["entries"]
            if not each["inferred"]
        )
        for event in told
    ]
    league.append(CORRECTED, {"type": "match_closed"})
    first, second = (
        _dispute(league, by, number, claim)
        for by, number, claim in (
            ("bo", 2, "I had 56 points, not 65."),
            ("mei", 4, "I went out first."),
        )
    )
    right = tally("mei", {"ann": 20, "bo": 56, "oma-ida": 9})
    amendment = {"type": "log_amended", "from": versions[1], "remove": 1, "insert": [right]}
    league.append(
        CORRECTED,
        {**amendment, "reason": "Two digits were swapped.", "dispute": first},
        {
            "type": "dispute_ruled",
            "dispute": first,
            "ruling": "upheld",
            "reason": "The cards lay there.",
        },
    )
    ruling = {"type": "dispute_ruled", "dispute": second, "ruling": "rejected"}
    league.append(CORRECTED, {**ruling, "reason": "Three people saw it otherwise."})


def tonight(league: LeagueClient) -> None:
    """Tell a match in which two rounds are over, and the third is being played."""
    opening, rounds = _simulated("tonight/4", "hello-kitty", LAWFUL, 1)
    # The third round was simulated as dealt by Ann. With this first dealer she deals in it.
    told = {"edition": opening.edition, "players": EVENING, "dealer": EVENING[2]}
    league.send("/matches", {"match": TONIGHT, **told})
    league.append(
        TONIGHT,
        tally("bo", {"ann": 31, "oma-ida": 18, "mei": 44}),
        tally("mei", {"ann": 12, "bo": 25, "oma-ida": 60}),
    )
    events = [each for each in rounds[0] if each["type"] != "dealer_drawn"][:_EVENTS_TONIGHT]
    league.append(TONIGHT, *events)


def _dispute(league: LeagueClient, by: str, number: int, claim: str) -> int:
    event = {"type": "dispute_opened", "by": by, "round": number, "claim": claim}
    version: int = league.append(CORRECTED, event)["version"]
    return version


def _simulated(
    seed: str, name: str, habits: Habits, count: int
) -> tuple[Opening, list[list[dict[str, Any]]]]:
    """Return the opening of a simulated match, and what is told of each of its rounds."""
    edition = latest(name)
    assert edition is not None
    rng = Random(seed)  # noqa: S311 nothing is kept secret by it
    scoring = Scoring(target=None, rounds=count)
    opening = Opening(edition=name, players=EVENING, scoring=scoring, dealer="ann")
    played = play_match(rng, edition, opening, habits, most_rounds=count)
    parts = tell_match(rng, played, Telling.EXACT)
    return opening, [[msgspec.to_builtins(event) for event in part] for part in parts]


def record_demo_league(service: Remote, today: date, done: Callable[[int], None]) -> int:
    """Open the league and tell all of it. Raises Failure.

    Return the disputed step of the quarrel's first round.
    """
    service.ask("POST", "/v1/leagues", {"league": LEAGUE, "name": "Thursday table"})
    league = LeagueClient(service)
    for player, name in NAMES.items():
        league.send("/players", {"player": player, "name": name})
        done(1)
    answer = league.send("/imports", {"file": "seasons.csv", "text": spreadsheet(today)})
    if not answer["complete"]:
        raise Failure(f"The seasons were not taken: {answer['error']}")
    done(1)
    for _ in cups(league):
        done(1)
    corrected(league)
    done(1)
    step = quarrel(league)
    done(1)
    tonight(league)
    done(1)
    return step

"""Three matches: one that people quarrel over, one that was put right, one that goes on tonight."""

from random import Random
from typing import Any, Final

import msgspec

from scorekeeper.cli.demonstration.asking import LeagueClient, tally
from scorekeeper.cli.demonstration.people import EVENING
from scorekeeper.editions.registry import latest
from scorekeeper.match.events.opening import Opening, Scoring
from scorekeeper.simulation.habits import FREQUENT, LAWFUL, Habits
from scorekeeper.simulation.played_match import play_match
from scorekeeper.simulation.tellings import Telling
from scorekeeper.simulation.told_match import tell_match

QUARREL: Final = "quarrel"
CORRECTED: Final = "corrected"
TONIGHT: Final = "tonight"

_STARTED: Final = 24
"""Events of the round that goes on tonight."""


def quarrel(league: LeagueClient) -> int:
    """A round told card by card, with all cards known: the step at which a card did not match.

    That step is disputed.
    """
    opening, rounds = _played("quarrel/7", "mickey", FREQUENT, 2)
    league.send("/matches", {"match": QUARREL, **msgspec.to_builtins(opening)})
    for events in rounds:
        league.tell(QUARREL, *events)
    steps = league.get(f"/matches/{QUARREL}/rounds/1/replay")["items"]
    number, step = next(
        (number, each)
        for number, each in enumerate(steps, start=1)
        if each["verdict"] == "illegal" and each["event"]["type"] == "card_played"
    )
    blamed = step["event"]["player"]
    by = next(player for player in EVENING if player != blamed)
    dispute = {"type": "dispute_opened", "by": by, "round": 1, "entry": step["version"]}
    league.tell(QUARREL, {**dispute, "claim": "That card did not match, and nobody said so."})
    return number


def corrected(league: LeagueClient) -> None:
    """Rounds in one tap; of two disputes one was upheld with an amendment, one was rejected."""
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
            for each in league.tell(CORRECTED, event)["entries"]
            if not each["inferred"]
        )
        for event in told
    ]
    league.tell(CORRECTED, {"type": "match_closed"})
    first, second = (
        _dispute(league, by, number, claim)
        for by, number, claim in (
            ("bo", 2, "I had 56 points, not 65."),
            ("mei", 4, "I went out first."),
        )
    )
    right = tally("mei", {"ann": 20, "bo": 56, "oma-ida": 9})
    amendment = {"type": "log_amended", "from": versions[1], "remove": 1, "insert": [right]}
    league.tell(
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
    league.tell(CORRECTED, {**ruling, "reason": "Three people saw it otherwise."})


def tonight(league: LeagueClient) -> None:
    """Two rounds are over, and the third is being told."""
    opening, rounds = _played("tonight/4", "hello-kitty", LAWFUL, 1)
    # So that the deal comes to Ann in the third round, which is simulated as dealt by her.
    told = {"edition": opening.edition, "players": EVENING, "dealer": EVENING[2]}
    league.send("/matches", {"match": TONIGHT, **told})
    league.tell(
        TONIGHT,
        tally("bo", {"ann": 31, "oma-ida": 18, "mei": 44}),
        tally("mei", {"ann": 12, "bo": 25, "oma-ida": 60}),
    )
    events = [each for each in rounds[0] if each["type"] != "dealer_drawn"][:_STARTED]
    league.tell(TONIGHT, *events)


def _dispute(league: LeagueClient, by: str, number: int, claim: str) -> int:
    event = {"type": "dispute_opened", "by": by, "round": number, "claim": claim}
    version: int = league.tell(CORRECTED, event)["version"]
    return version


def _played(
    seed: str, name: str, habits: Habits, count: int
) -> tuple[Opening, list[list[dict[str, Any]]]]:
    """The opening of a simulated match, and what is told of each of its rounds."""
    edition = latest(name)
    assert edition is not None
    rng = Random(seed)  # noqa: S311 nothing is kept secret by it
    scoring = Scoring(target=None, rounds=count)
    opening = Opening(edition=name, players=EVENING, scoring=scoring, dealer="ann")
    played = play_match(rng, edition, opening, habits, most_rounds=count)
    parts = tell_match(rng, played, Telling.EXACT)
    return opening, [[msgspec.to_builtins(event) for event in part] for part in parts]

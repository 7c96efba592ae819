"""A league that has something of everything, told to a service as a table would tell it."""

from collections.abc import Callable
from datetime import date
from typing import Final

from scorekeeper.cli.demonstration.asking import LEAGUE, LeagueClient
from scorekeeper.cli.demonstration.cups import TABLES, cups
from scorekeeper.cli.demonstration.evenings import corrected, quarrel, tonight
from scorekeeper.cli.demonstration.people import NAMES
from scorekeeper.cli.demonstration.seasons import spreadsheet
from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.failures import Failure

STEPS: Final = len(NAMES) + TABLES + 4
"""How often `done` is called."""


def tell_demo_league(service: Remote, today: date, done: Callable[[int], None]) -> int:
    """Opens the league; the step of the quarrel's first round that is disputed. Raises Failure."""
    service.ask("POST", "/v1/leagues", {"league": LEAGUE, "name": "Thursday table"})
    league = LeagueClient(service)
    for player, name in NAMES.items():
        league.send("/players", {"player": player, "name": name})
        done(1)
    told = league.send("/imports", {"file": "seasons.csv", "text": spreadsheet(today)})
    if not told["complete"]:
        raise Failure(f"The seasons were not taken: {told['error']}")
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

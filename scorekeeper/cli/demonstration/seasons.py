"""Evenings of three years as a spreadsheet has them, in all editions and companies."""

from datetime import date, timedelta
from random import Random
from typing import Final

from scorekeeper.cli.demonstration.people import SLUGS
from scorekeeper.editions.registry import EDITIONS

_HEADING: Final = "date,edition,players,points,match,mode,rounds\n"
_EVENINGS: Final = 8
"""A year."""
_ROUNDS: Final = 4


def spreadsheet(today: date) -> str:
    """The rows of this year, as far as it has come, and of the two before it."""
    rng = Random("seasons")  # noqa: S311 nothing is kept secret by it
    editions = list(dict.fromkeys(name for name, _ in EDITIONS))
    rows = [_HEADING]
    for year in range(today.year - 2, today.year + 1):
        end = today - timedelta(days=1) if year == today.year else date(year, 12, 31)
        days = max(1, (end - date(year, 1, 1)).days)
        for number in range(_EVENINGS):
            day = min(date(year, 1, 1) + timedelta(days=days * number // _EVENINGS), today)
            players = rng.sample(SLUGS, rng.choice((2, 4, 4, 5)))
            told = f"{day},{editions[number % len(editions)]},{' '.join(players)}"
            end_of_row = f"{year}-{number + 1},lowest-total,{_ROUNDS}\n"
            rows += [f"{told},{_points(rng, len(players))},{end_of_row}" for _ in range(_ROUNDS)]
    return "".join(rows)


def _points(rng: Random, hands: int) -> str:
    """Of each hand, `-` for the winner's; some people win more than others."""
    winner = min(rng.randrange(hands), rng.randrange(hands))
    return " ".join("-" if each == winner else str(rng.randint(1, 9) * 5) for each in range(hands))

"""Examples: a tournament, and matches that were played before it."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.api.document.examples.example import Example

TOURNAMENTS: Final[Sequence[Example]] = (
    Example(
        operation="openTournament",
        name="cup",
        title="A cup of four with rotating partners: cup-2026",
        body={
            "tournament": "cup-2026",
            "name": "Cup 2026",
            "edition": "basic",
            "players": ["ann", "bo", "mei", "di"],
        },
    ),
    Example(
        operation="openTournament",
        name="cycles",
        title="Everybody with everybody twice, by points of the opponents: cup-2027",
        body={
            "tournament": "cup-2027",
            "name": "Cup 2027",
            "edition": "mickey",
            "players": ["ann", "bo", "mei", "di", "eve"],
            "rounds_per_partner": 4,
            "cycles": 2,
            "scoring": {"mode": "winner-collects", "team_scoring": "opponents-hands"},
        },
    ),
    Example(
        operation="appendTournamentEvents",
        name="substitute",
        title="cup-2026: Eve sits in for Di at all tables to come",
        at={"tournament": "cup-2026"},
        body={"events": [{"type": "player_substituted", "player": "di", "substitute": "eve"}]},
    ),
    Example(
        operation="appendTournamentEvents",
        name="withdrawal",
        title="cup-2027: Bo withdraws",
        at={"tournament": "cup-2027"},
        body={"events": [{"type": "player_withdrawn", "player": "bo", "reason": "Holidays."}]},
    ),
    Example(
        operation="appendTournamentEvents",
        name="close",
        title="cup-2027: closed early",
        at={"tournament": "cup-2027"},
        body={"events": [{"type": "tournament_closed", "reason": "The hall is closed."}]},
    ),
    Example(
        operation="importRows",
        name="rows",
        title="What would come of two rows of a spreadsheet",
        body={
            "file": "evenings.csv",
            "text": "date,edition,players,points\n"
            "2019-05-17,basic,ann bo mei,- 20 5\n"
            "2019-05-17,basic,ann bo mei,12 - 8\n",
            "preview": True,
        },
    ),
    Example(
        operation="bringInPastMatches",
        name="sheet",
        title="Two evenings of an old sheet",
        body={
            "matches": [
                {
                    "match": "old-1",
                    "edition": "basic",
                    "players": ["ann", "bo", "mei"],
                    "scoring": {"rounds": 1},
                    "at": "2019-05-03T20:00:00+08:00",
                    "events": [
                        {
                            "type": "round_tallied",
                            "id": "5d1c6f0e-2b7a-4a39-8e64-9c3f1b2a0d01",
                            "winners": ["bo"],
                            "scores": {"ann": 24, "bo": 0, "mei": 31},
                        }
                    ],
                },
                {
                    "match": "old-2",
                    "edition": "basic",
                    "players": ["mei", "ann"],
                    "scoring": {"rounds": 1},
                    "at": "2019-05-10T20:00:00+08:00",
                    "events": [
                        {
                            "type": "round_tallied",
                            "id": "5d1c6f0e-2b7a-4a39-8e64-9c3f1b2a0d02",
                            "winners": ["ann"],
                            "hands": {"mei": {"cards": ["red-9", "yellow-skip"]}},
                        }
                    ],
                },
            ]
        },
    ),
)

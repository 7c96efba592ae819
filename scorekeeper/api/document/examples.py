"""All examples, in an order in which an admin can send them to a service without leagues.

First the league, its people and its devices, then matches, a tournament, and matches that were
played before it.
"""

from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.api.document.match_examples import (
    BY_HOUSE_RULES,
    CARD_BY_CARD,
    WHOLE_ROUNDS,
    Example,
)

BEGINNING: Final[Sequence[Example]] = (
    Example(
        operation="openLeague",
        name="friday",
        title="The league of Friday evenings",
        body={"league": "friday", "name": "Friday evenings"},
    ),
    Example(
        operation="openLeague",
        name="slug-made",
        title="A league whose slug the service makes",
        body={"name": "Sunday at Oma Ida's"},
    ),
    Example(
        operation="renameLeague",
        name="rename",
        title="Another name; the slug stays",
        body={"name": "Friday evenings at Ann's"},
    ),
    *(
        Example(
            operation="registerPlayer",
            name=player,
            title=name,
            body={"player": player, "name": name},
        )
        for player, name in (("ann", "Ann"), ("bo", "Bo"), ("mei", "美美"), ("di", "Di"))
    ),
    Example(
        operation="registerPlayer",
        name="slug-made",
        title="A player whose slug the service makes: eve",
        body={"name": "Eve"},
    ),
    Example(
        operation="changePlayer",
        name="rename",
        title="Another name",
        at={"player": "mei"},
        body={"name": "美玲"},
    ),
    Example(
        operation="makeToken",
        name="scorekeeper",
        title="For whoever records",
        body={"role": "scorekeeper", "name": "Tablet in the kitchen"},
    ),
    Example(
        operation="makeToken",
        name="viewer",
        title="For whoever only looks",
        body={"role": "viewer", "name": "Board on the wall"},
    ),
    Example(
        operation="makeInvitation",
        name="table",
        title="For the phones at the table",
        body={"role": "scorekeeper", "name": "At the table"},
    ),
    Example(
        operation="makeInvitation",
        name="guest",
        title="For one guest, for two hours",
        body={"role": "viewer", "name": "A guest", "expires_in": 7200, "uses": 1},
    ),
    Example(
        operation="openSession",
        name="phone",
        title="A phone, with the code of an invitation in place of this one",
        body={"code": "K7QF-2M9X", "name": "Bo's phone"},
    ),
)

END: Final[Sequence[Example]] = (
    Example(
        operation="eraseContent",
        name="note",
        title="What the note at position 18 says",
        body={"positions": [18], "reason": "It told too much about the cake."},
    ),
    Example(
        operation="changePlayer",
        name="erase",
        title="Erase the name; the slug stays as a pseudonym",
        at={"player": "eve"},
        body={"name": None},
    ),
)


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


_LEAGUE: Final = "friday"

STORY: Final[Sequence[Example]] = (
    *BEGINNING,
    *WHOLE_ROUNDS,
    *CARD_BY_CARD,
    *BY_HOUSE_RULES,
    *TOURNAMENTS,
    *END,
)


def address(example: Example, path: str) -> str:
    """Return the address that an example is sent to; `path` is its operation's path in OpenAPI."""
    return path.format(league=_LEAGUE, **example.at)


def named_examples(operation: str, path: str) -> dict[str, Any]:
    """Return OpenAPI's example objects for one operation by name, in the order of the story."""
    return {
        example.name: {
            "summary": example.title,
            "description": _where(example, path),
            "value": example.body,
        }
        for example in STORY
        if example.operation == operation
    }


def _where(example: Example, path: str) -> str:
    where = f"To `{address(example, path)}`"
    return f"{where}." if example.seen is None else f'{where}, with If-Match: `"{example.seen}"`.'

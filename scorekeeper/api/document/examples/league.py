"""Examples: the league, its people and its devices."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.api.document.examples.example import Example

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

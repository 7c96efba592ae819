"""Invalid slugs are refused wherever a body names somebody, and their path is reported.

Stored bodies are read without this check (`decode_written`), so it must happen before they are
written.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.api.append import read_append
from scorekeeper.api.layers.input_validation import decoded
from scorekeeper.match.events.events import RoundTallied, decode, decode_all_written, decode_written
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.reading.match_request import (
    AppendRequest,
    MatchRequest,
    PastMatchesRequest,
    WhatIf,
)
from scorekeeper.service.reading.tournaments import TournamentAppendRequest, TournamentRequest
from scorekeeper.service.refused import Refused
from tests.match.bodies import BODIES

NAMES = {"ann", "bo", "cy", "di", "eve"}
ONLY_WRITTEN = {"round_ended", "match_won"}
UNINSERTED = {"log_amended", "dispute_opened", "dispute_ruled"}
RECORDED = [json.loads(body) for body in BODIES]
TOLD = [one for one in RECORDED if one["type"] not in {*ONLY_WRITTEN, "match_opened"}]
INSERTED = [one for one in TOLD if one["type"] not in UNINSERTED]
TABLE = {"edition": "basic", "players": ["ann", "bo"]}
OPENING = TABLE | {
    "teams": [["ann", "bo"], ["cy", "di"]],
    "dealer": "ann",
    "seating": [{"players": ["bo", "ann"], "dealer": "bo"}],
    "options": {"extra_cards": {"eve": {"count": 1, "points": 5}}},
}
TOURNAMENT = TABLE | {"name": "Cup"}
TOURNAMENT_EVENTS = [
    {"type": "player_substituted", "player": "ann", "substitute": "eve"},
    {"type": "player_withdrawn", "player": "ann"},
    {"type": "tie_drawn", "order": ["ann", "bo"]},
]

slugs = st.from_regex(SLUG, fullmatch=True)
nearly = st.text("ab0-A_é\n ", max_size=70)


class Door(NamedTuple):
    """A function that reads a body, and bodies that name people."""

    read: Callable[[bytes], object]
    bodies: list[Any]


def json_of(kind: Any) -> Callable[[bytes], object]:
    return lambda body: decoded(msgspec.json.Decoder(kind), body)


def amending(event: Any) -> Any:
    return {"type": "log_amended", "reason": "no", "from": 2, "insert": [event]}


DOORS = {
    AppendRequest: [
        *({"events": [event]} for event in TOLD),
        *({"events": [amending(event)]} for event in INSERTED),
    ],
    MatchRequest: [OPENING, *(TABLE | {"events": [event]} for event in TOLD)],
    PastMatchesRequest: [
        {"matches": [OPENING | {"match": "m", "events": [event]}]} for event in TOLD
    ],
    WhatIf: [{"from": 2, "insert": [event]} for event in INSERTED],
    TournamentRequest: [TOURNAMENT],
    TournamentAppendRequest: [{"events": [event]} for event in TOURNAMENT_EVENTS],
}
CASES = [
    *(Door(json_of(kind), bodies) for kind, bodies in DOORS.items()),
    Door(read_append, DOORS[AppendRequest]),
    # A row of `import-results`.
    Door(
        lambda body: msgspec.convert(json.loads(body), RoundTallied),
        [one for one in TOLD if one["type"] == "round_tallied"],
    ),
    # A bundle's entries, and the entries that `verify` reads.
    Door(decode, [one for one in RECORDED if one["type"] not in ONLY_WRITTEN]),
]


class Place(NamedTuple):
    """A path as clients see it, and as msgspec reports it, without the keys of mappings."""

    told: str = "$"
    known: str = "$"

    def item(self, at: int) -> "Place":
        return Place(f"{self.told}[{at}]", f"{self.known}[{at}]")

    def field(self, name: str) -> "Place":
        return Place(f"{self.told}.{name}", f"{self.known}.{name}")

    def key(self, name: str) -> "Place":
        return Place(f"{self.told}.{name}", f"key` in `{self.known}")

    def under(self, key: str) -> "Place":
        return Place(f"{self.told}.{key}", f"{self.known}[...]")


WHOLE = Place()


def named_anew(node: Any, name: str, place: Place = WHOLE) -> Iterator[tuple[Any, Place]]:
    """Yield the document with one of its names replaced, and its path, for each name."""
    if isinstance(node, list):
        for at, each in enumerate(node):
            for changed, where in named_anew(each, name, place.item(at)):
                yield [*node[:at], changed, *node[at + 1 :]], where
    elif isinstance(node, dict):
        keyed = node.keys() <= NAMES
        for key, value in node.items():
            if keyed:
                yield {name if each == key else each: node[each] for each in node}, place.key(name)
            below = place.under(key) if keyed else place.field(key)
            for changed, where in named_anew(value, name, below):
                yield node | {key: changed}, where
    elif node in NAMES:
        yield name, place


def is_slug(name: str) -> bool:
    return re.fullmatch(SLUG, name) is not None and not name.endswith("\n")


def found_at(read: Callable[[bytes], object], document: Any) -> str | None:
    """Return the path that a reader reports for an invalid slug, or None if it finds none."""
    try:
        read(json.dumps(document, ensure_ascii=False).encode())
    except Refused as refused:
        (misfit,) = refused.members["errors"]
        assert misfit.reason == "no-slug"
        return misfit.at
    except msgspec.ValidationError as error:
        return str(error).partition(" - at ")[2].strip("`")
    return None


@given(case=st.sampled_from(CASES), name=slugs | nearly, data=st.data())
def test_what_is_no_slug_is_refused_at_its_place(case, name, data):
    body = data.draw(st.sampled_from(case.bodies))
    for document, place in named_anew(body, name):
        assert found_at(case.read, document) in ({None} if is_slug(name) else set(place))


@pytest.mark.parametrize("name", ["Ann", "a\n", "", "-a", "a" * 64, "é", "x--y", "a" * 63])
@pytest.mark.parametrize("case", CASES)
def test_so_it_is_in_every_body(case, name):
    checked = 0
    for body in case.bodies:
        for document, place in named_anew(body, name):
            assert found_at(case.read, document) in ({None} if is_slug(name) else set(place))
            checked += 1
    assert checked


@pytest.mark.parametrize("body", BODIES)
def test_what_was_written_is_read_back_alike(body):
    event = decode(body)
    assert decode_written(body) == event
    assert type(decode_written(body)) is type(event)
    assert decode_all_written(b"[%b,null]" % body) == [event, None]

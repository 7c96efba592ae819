"""Most append requests are decoded once; the result is the same as that of the thorough reading."""

import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import inspect

from scorekeeper.api.append import read_append
from scorekeeper.api.layers.input_validation import INTEGER_LIMIT, check_json, decoded
from scorekeeper.match.events.events import LogAmended
from scorekeeper.service.reading.match_request import AppendRequest
from scorekeeper.service.refused import Refused

ID = "0198f3a0-0000-7000-8000-00000000a1b2"
EVENTS = [
    {"type": "note_added", "text": "a dog barked, 汪", "id": ID, "at": "2026-11-20T20:15:00Z"},
    {"type": "round_started", "hands": {"ann": ["red-7", "wild"]}, "draw_pile": ["blue-skip"]},
    {"type": "card_played", "player": "ann", "card": "wild", "color": "red", "as_played": True},
    {"type": "cards_drawn", "player": "bo", "count": 2},
    {
        "type": "round_tallied",
        "winners": ["ann"],
        "hands": {"bo": {"points": 20, "cards_left": 3}, "cy": {"cards": ["red-5"]}},
        "charges": {"bo": -50},
    },
    {"type": "seats_changed", "players": ["ann", "cy", "bo"]},
]
AMENDMENT = {"type": "log_amended", "reason": "it was blue", "from": 4, "insert": [EVENTS[3]]}


def body(*events):
    return json.dumps({"events": events}, ensure_ascii=False).encode()


def read_closely(request):
    check_json(request)
    return decoded(msgspec.json.Decoder(AppendRequest), request)


def found(read, request):
    """Return what was read, or why it was refused."""
    try:
        return read(request)
    except Refused as refused:
        return refused.code, refused.reason, refused.facts
    except msgspec.ValidationError as error:
        return str(error)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["type"])
def test_a_plain_request_is_read_once(monkeypatch, event):
    closely = read_closely(body(event, event))
    monkeypatch.setattr(
        "scorekeeper.api.append.check_json",
        lambda _: pytest.fail("it was looked at again"),
    )
    assert read_append(body(event, event)) == closely


# Replaces a value, or is added after it as one more member of its object.
ODD = [
    "null",
    "5.0",
    "5.5",
    "1e400",
    "9007199254740993",
    "NaN",
    '"\\u0000"',
    '"\\ud800"',
    '"\\u6c6a"',
    '":)"',
    "[" * 40 + "]" * 40,
    '{"a": 1, "a": 2}',
    "",
]


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_value_is_read_as_by_a_closer_look(odd):
    told = f'{{"events": [{{"type": "note_added", "text": {odd}}}]}}'.encode()
    assert found(read_append, told) == found(read_closely, told)


@given(st.lists(st.sampled_from([*EVENTS, AMENDMENT]), min_size=1, max_size=3), st.data())
@example(events=[AMENDMENT], data=None)
def test_whatever_is_odd_is_read_as_by_a_closer_look(events, data):
    text = body(*events).decode()
    if data is not None:
        pieces = text.split(", ")
        at = data.draw(st.integers(0, len(pieces) - 1))
        key, colon, _ = pieces[at].rpartition(": ")
        odd = data.draw(st.sampled_from([*ODD, *pieces]))
        whole = f"{pieces[at]}, {key}: {odd}" if colon and data.draw(st.booleans()) else odd
        pieces[at] = data.draw(st.sampled_from([f"{key}{colon}{odd}", whole]))
        text = ", ".join(pieces)
    assert found(read_append, text.encode()) == found(read_closely, text.encode())


@pytest.mark.parametrize("event", [*EVENTS, AMENDMENT], ids=lambda event: event["type"])
def test_a_key_that_stands_twice_is_refused_in_every_place(event):
    text = body(event).decode()
    for key in (*event, "points", "cards", "bo"):
        value = json.dumps(event.get(key, 5), ensure_ascii=False)
        twice = text.replace(f'"{key}": ', f'"{key}": {value}, "{key}": ')
        if twice != text:
            assert found(read_append, twice.encode())[1] == "duplicate-key"


def test_an_amendment_that_spells_a_key_twice_does_not_hide_behind_its_defaults():
    """The stored amendment adds `remove` and `insert`; a count of strings would miss the key."""
    twice = body({"type": "log_amended", "reason": "no", "withdraws": [7]}).replace(
        b'"reason": "no"', b'"reason": "no", "reason": "no"'
    )
    assert found(read_append, twice)[1] == "duplicate-key"


PARTS = ("type", "item_type", "key_type", "value_type")
UNBOUND = (inspect.AnyType, inspect.FloatType, inspect.RawType)


def types(info, seen):
    """All types that a request is made of."""
    yield info
    if isinstance(info, inspect.StructType):
        if info.cls in seen:
            return
        seen.add(info.cls)
    inner = [field.type for field in getattr(info, "fields", ())]
    inner += [getattr(info, name) for name in PARTS if hasattr(info, name)]
    for each in (*inner, *getattr(info, "types", ())):
        yield from types(each, seen)


def test_the_types_bound_what_nobody_looks_at_again():
    """Integers lie within 2^53, nesting is limited, and stored bodies omit defaults."""
    found_types = list(types(inspect.type_info(AppendRequest), set()))
    assert not [each for each in found_types if isinstance(each, UNBOUND)]
    numbers = [each for each in found_types if isinstance(each, inspect.IntType)]
    assert numbers
    assert all(each.ge >= -INTEGER_LIMIT and each.le <= INTEGER_LIMIT for each in numbers)
    structs = {each.cls for each in found_types if isinstance(each, inspect.StructType)}
    adding = {
        struct
        for struct in structs
        for field in msgspec.structs.fields(struct)
        if not field.required
        and (
            not struct.__struct_config__.omit_defaults
            or field.default_factory not in (msgspec.NODEFAULT, list, dict, set)
        )
    }
    assert adding == {LogAmended}

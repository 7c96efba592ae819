"""The union of events is closed, every event is handled, and stored bytes stay the same."""

from collections import Counter
from typing import get_args

import msgspec
import pytest

from scorekeeper.match.decider import EVENT_RULES, RULES
from scorekeeper.match.events.events import (
    DisputeEvent,
    Event,
    LogAmended,
    MatchWon,
    NoteAdded,
    RoundEnded,
    RoundTallied,
    ServerEvent,
    TableEvent,
    TalliedHand,
    ToldEvent,
    decode,
    encode,
    event_type,
    normalise,
)
from scorekeeper.match.events.fields import TimeOutOfRange
from scorekeeper.match.events.opening import MatchOpened
from tests.match.bodies import BODIES

TOLD = set(get_args(TableEvent)) | set(get_args(DisputeEvent))
ID = "0F0E0D0C-0000-4000-8000-00000000ABCD"


def told(body):
    return msgspec.json.decode(msgspec.json.encode(body), type=ToldEvent)


def tag_of(kind):
    return str(kind.__struct_config__.tag)


def test_every_event_is_handled():
    unruled = map(tag_of, (TOLD | set(get_args(ServerEvent))) - set(RULES))
    assert sorted(unruled) == [], "each has an EventRule, which EVENT_RULES in match/decider lists"
    assert set(RULES) == TOLD | set(get_args(ServerEvent))
    assert {rule.event for rule in EVENT_RULES if rule.phases} == TOLD
    assert set(get_args(ToldEvent)) == TOLD | {LogAmended}
    assert set(get_args(Event)) == set(RULES) | {MatchOpened, LogAmended}


def test_every_event_has_one_rule():
    ruled = Counter(rule.event for rule in EVENT_RULES)
    assert ruled == Counter({*get_args(Event)} - {MatchOpened, LogAmended})


def test_a_rule_names_fields_of_its_event():
    for rule in EVENT_RULES:
        assert set(rule.names) <= set(rule.event.__struct_fields__)


def test_the_tags_are_the_contracts():
    """A tag never changes and never goes. A new one gets a line here."""
    tags = sorted(member.__struct_config__.tag for member in get_args(Event))
    assert tags == [
        "accusation_made",
        "advice_called",
        "card_given",
        "card_played",
        "cards_drawn",
        "color_named",
        "dealer_drawn",
        "dispute_opened",
        "dispute_ruled",
        "first_card_turned",
        "hand_counted",
        "hand_shown",
        "log_amended",
        "match_abandoned",
        "match_closed",
        "match_opened",
        "match_won",
        "misplay_called",
        "note_added",
        "pile_reshuffled",
        "player_substituted",
        "round_ended",
        "round_started",
        "round_tallied",
        "round_voided",
        "seats_changed",
        "turn_passed",
        "uno_called",
        "uno_caught",
        "wild_draw_four_challenged",
    ]


@pytest.mark.parametrize("body", BODIES)
def test_what_was_written_is_read_and_written_again_byte_for_byte(body):
    event = decode(body)
    assert encode(event) == body
    assert event_type(event).encode() in body


def test_the_golden_bodies_show_every_type():
    shown = {event_type(decode(body)) for body in BODIES}
    missing = set(map(tag_of, get_args(Event))) - shown
    assert not missing, "each has a stored body in tests/match/bodies.py"


def test_the_id_is_no_part_of_the_body():
    event = normalise(told({"type": "note_added", "text": "x", "id": ID}))
    assert event.id == ID.lower()
    assert encode(event) == b'{"text":"x","type":"note_added"}'


def test_the_same_instant_is_the_same_event():
    east = told({"type": "note_added", "text": "x", "at": "2026-11-20T19:00:00+08:00"})
    utc = told(
        {"type": "note_added", "text": "x", "at": "2026-11-20T11:00:00Z", "as_played": False}
    )
    assert encode(normalise(east)) == encode(normalise(utc))
    assert normalise(east) == normalise(utc)
    assert normalise(NoteAdded(text="x")) == NoteAdded(text="x")


def test_what_an_amendment_inserts_has_the_one_form_too():
    inserted = {"type": "cards_drawn", "player": "bo"}
    event = told({"type": "log_amended", "reason": "x", "from": 2, "insert": [inserted]})
    (drawn,) = normalise(event).insert
    assert drawn == told({**inserted, "count": 1})


def test_drawn_cards_are_counted():
    def counted(**fields):
        return normalise(told({"type": "cards_drawn", "player": "ann", **fields})).count

    assert counted() == 1
    assert counted(cards=["red-1", "red-2"]) == 2
    assert counted(count=3, cards=["red-1"]) == 3


def test_a_time_that_utc_cannot_express():
    with pytest.raises(TimeOutOfRange):
        normalise(told({"type": "note_added", "text": "x", "at": "9999-12-31T23:00:00-02:00"}))


@pytest.mark.parametrize(
    "body",
    [
        {"type": "match_opened", "edition": "basic", "players": ["ann", "bo"], "revision": 1},
        {"type": "round_ended", "round": 1, "winners": [], "scores": {}, "hand_points": {}},
        {"type": "match_won", "winners": [], "totals": {}},
        {"type": "cards_dealt"},
        {"text": "no type"},
        {"type": "note_added", "text": "x", "mood": "good"},
        {"type": "note_added", "text": ""},
        {"type": "note_added", "text": "x" * 2001},
        {"type": "note_added", "text": "x", "id": "7"},
        {"type": "note_added", "text": "x", "at": "2026-11-20T11:00:00"},
        {"type": "log_amended", "reason": "nowhere"},
        {"type": "log_amended", "reason": "nowhere", "remove": 1},
        {"type": "log_amended", "reason": "before all", "from": 0},
        {"type": "log_amended", "from": 2, "remove": 1, "insert": []},
        {"type": "log_amended", "reason": "x", "from": 2, "remove": -1},
        {"type": "log_amended", "reason": "x", "from": 2, "insert": [{"type": "match_won"}]},
        {
            "type": "log_amended",
            "reason": "x",
            "from": 2,
            "insert": [{"type": "turn_passed", "player": "ann", "id": ID}],
        },
        {
            "type": "log_amended",
            "reason": "x",
            "from": 2,
            "insert": [{"type": "log_amended", "reason": "x", "withdraws": [2]}],
        },
        {
            "type": "log_amended",
            "reason": "x",
            "from": 2,
            "insert": [{"type": "turn_passed", "player": "ann"}] * 1001,
        },
        {"type": "dispute_opened", "by": "ann", "claim": "x"},
        {"type": "dispute_opened", "by": "ann", "claim": "x", "round": 0},
        {"type": "dispute_ruled", "dispute": 2, "ruling": "settled", "reason": "x"},
        {"type": "round_tallied"},
        {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {}}},
        {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {"cards": [], "points": 0}}},
        {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {"points": 10**7}}},
        {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {"points": 1.5}}},
        {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {"cards": ["wild"] * 121}}},
        {"type": "round_tallied", "winners": ["ann"], "hands": {"Bo": {"points": 1}}},
        {"type": "round_tallied", "winners": [f"p{n}" for n in range(11)]},
        {"type": "round_voided", "reason": "x"},
        {"type": "cards_drawn", "player": "ann", "count": 0},
        {"type": "card_played", "player": "ann"},
        {"type": "card_played", "player": "ann", "card": "wild", "effects": [{"type": "sing"}]},
        {
            "type": "card_played",
            "player": "ann",
            "card": "wild",
            "effects": [{"type": "give", "from": "ann", "to": "bo"}],
        },
        {
            "type": "card_played",
            "player": "ann",
            "card": "wild",
            "effects": [{"type": "give", "from": "ann", "to": "bo", "cards": ["wild"], "count": 1}],
        },
    ],
)
def test_what_is_no_event_of_a_table(body):
    with pytest.raises(msgspec.ValidationError):
        told(body)


def test_two_ways_of_telling_are_two_events():
    by_points = RoundTallied(winners=("ann",), hands={"bo": TalliedHand(points=1)})
    assert by_points != RoundTallied(winners=("ann",), hands={"bo": TalliedHand(cards=("red-1",))})
    assert RoundEnded(round=1, winners=(), scores={}, hand_points={}) != MatchWon(
        winners=(), totals={}
    )

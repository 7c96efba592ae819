"""The union of events: closed, handled everywhere, stable on disk."""

from typing import get_args

import msgspec
import pytest

from scorekeeper.match.decide import CHECKS, PHASES
from scorekeeper.match.dispute_events import DisputeEvent
from scorekeeper.match.events import (
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
from scorekeeper.match.evolve import EVOLVERS
from scorekeeper.match.opening import MatchOpened

TOLD = set(get_args(TableEvent)) | set(get_args(DisputeEvent))
ID = "0F0E0D0C-0000-4000-8000-00000000ABCD"


def told(body):
    return msgspec.json.decode(msgspec.json.encode(body), type=ToldEvent)


def test_every_event_is_handled():
    assert set(CHECKS) == TOLD
    assert set(PHASES) == TOLD
    assert set(EVOLVERS) == TOLD | set(get_args(ServerEvent))
    assert set(get_args(ToldEvent)) == TOLD | {LogAmended}
    assert set(get_args(Event)) == set(EVOLVERS) | {MatchOpened, LogAmended}


def test_the_tags_are_the_contracts():
    assert sorted(member.__struct_config__.tag for member in get_args(Event)) == [
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


BODIES = [
    b'{"draws":{"ann":"red-1","bo":"wild"},"type":"dealer_drawn"}',
    b'{"dealer":"ann","draw_pile":["red-2"],"hands":{"ann":["red-1"]},"type":"round_started"}',
    b'{"type":"round_started"}',
    (
        b'{"as_played":true,"charges":{"bo":5},"hands":{"ann":{"cards":[]},"bo":{"cards_left":2,'
        b'"points":9},"cy":{"cards":["red-1"]}},"type":"round_tallied","winners":["ann"]}'
    ),
    b'{"dealer":"bo","scores":{"ann":0,"bo":-9},"type":"round_tallied","winners":["ann"]}',
    b'{"reason":"misdeal","redealt":true,"type":"round_voided"}',
    b'{"players":["bo","ann"],"type":"seats_changed"}',
    b'{"player":"ann","substitute":"eve","type":"player_substituted"}',
    b'{"type":"match_closed"}',
    b'{"reason":"late","type":"match_abandoned"}',
    b'{"at":"2026-11-20T11:00:00.000001Z","text":"\xe8\xb2\x93","type":"note_added"}',
    (
        b'{"hand_points":{"ann":0,"bo":null},"round":1,"scores":{"ann":5,"bo":0},'
        b'"type":"round_ended","winners":["ann"]}'
    ),
    b'{"card":"wild","color":"red","draw_pile":["red-1"],"type":"first_card_turned"}',
    b'{"color":"red","player":"bo","type":"color_named"}',
    (
        b'{"as_played":true,"card":"question-block","color":"green","effects":[{"cards":["red-1"],'
        b'"player":"bo","type":"discard"},{"count":1,"from":"bo","to":"cy","type":"give"},'
        b'{"count":3,"player":"di","type":"draw"},{"hands":{"ann":"bo","bo":"ann"},"type":"swap"},'
        b'{"player":"cy","type":"skip"},{"type":"reverse"}],"player":"bo","type":"card_played",'
        b'"uno":false}'
    ),
    b'{"cards":["red-1"],"count":2,"player":"cy","type":"cards_drawn"}',
    b'{"card":"red-1","player":"ann","to":"bo","type":"card_given"}',
    b'{"player":"cy","type":"turn_passed"}',
    b'{"player":"cy","type":"uno_called"}',
    b'{"by":"bo","player":"cy","points":7,"type":"uno_caught"}',
    b'{"by":"bo","guilty":true,"hand":["red-1"],"points":1,"type":"wild_draw_four_challenged"}',
    b'{"by":"bo","type":"misplay_called"}',
    b'{"by":"bo","player":"cy","type":"advice_called"}',
    b'{"by":"bo","player":"cy","type":"accusation_made"}',
    b'{"draw_pile":["red-1"],"type":"pile_reshuffled"}',
    b'{"cards":["red-1"],"player":"cy","type":"hand_shown"}',
    b'{"cards_left":2,"player":"cy","points":9,"type":"hand_counted"}',
    (
        b'{"dispute":9,"from":5,"insert":[{"count":1,"player":"cy","type":"cards_drawn"},'
        b'{"as_played":true,"player":"cy","type":"turn_passed"}],"reason":"forgotten","remove":2,'
        b'"type":"log_amended","withdraws":[4]}'
    ),
    b'{"insert":[],"reason":"as it was","remove":0,"type":"log_amended","withdraws":[6]}',
    b'{"by":"bo","claim":"forgotten","entry":5,"round":1,"type":"dispute_opened"}',
    (
        b'{"by":"bo","claim":"never","entry":{"amendment":6,"index":0},"round":1,'
        b'"type":"dispute_opened"}'
    ),
    b'{"dispute":9,"reason":"seen by all","ruling":"upheld","type":"dispute_ruled"}',
    b'{"totals":{"ann":500,"bo":0},"type":"match_won","winners":["ann"]}',
    (
        b'{"edition":"basic","players":["ann","bo"],"revision":1,"scoring":{"target":null},'
        b'"type":"match_opened"}'
    ),
]


@pytest.mark.parametrize("body", BODIES)
def test_what_was_written_is_read_and_written_again_byte_for_byte(body):
    event = decode(body)
    assert encode(event) == body
    assert event_type(event).encode() in body


def test_the_golden_bodies_show_every_type():
    assert {type(decode(body)) for body in BODIES} == set(get_args(Event))


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


def test_drawn_cards_are_counted():
    def counted(**fields):
        return normalise(told({"type": "cards_drawn", "player": "ann", **fields})).count

    assert counted() == 1
    assert counted(cards=["red-1", "red-2"]) == 2
    assert counted(count=3, cards=["red-1"]) == 3


def test_a_time_that_utc_cannot_express():
    with pytest.raises(msgspec.ValidationError):
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

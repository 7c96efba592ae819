"""Openings: which are refused, which defaults apply, and what is stored."""

import msgspec
import pytest

from scorekeeper.match.events.events import MatchOpened, decode, encode
from scorekeeper.match.events.fields import TimeOutOfRange
from scorekeeper.match.events.opening import Opening, ScoringInForce
from scorekeeper.match.events.refusal import Refusal
from tests.match.story import TEAMS_OF_FOUR, given, open_, opening

EXTRA = {"blank": {"count": 2, "points": 40}}
SEATED = {"players": ["ann", "bo", "cy", "di"], "dealer": "ann"}


@pytest.mark.parametrize(
    ("edition", "players", "fields", "code"),
    [
        ("basic", 1, {}, "players-invalid"),
        ("basic", [], {}, "players-invalid"),
        ("basic", [f"p{n}" for n in range(11)], {}, "players-invalid"),
        ("basic", ["ann", "bo", "ann"], {}, "players-invalid"),
        ("basic", 4, {"teams": []}, "teams-invalid"),
        ("basic", 4, {"teams": [["ann", "cy"]]}, "teams-invalid"),
        ("basic", 4, {"teams": [["ann", "cy", "bo"], ["di"]]}, "teams-invalid"),
        ("basic", 4, {"teams": [["ann", "cy"], ["cy", "di"]]}, "teams-invalid"),
        ("basic", 4, {"teams": [["ann", "cy"], ["bo", "zoe"]]}, "teams-invalid"),
        ("basic", 2, {"teams": [["ann", "bo"]]}, "teams-invalid"),
        ("basic", 5, {"teams": TEAMS_OF_FOUR}, "teams-invalid"),
        ("basic", 4, {"teams": [["ann", "bo"], ["cy", "di"]]}, "teams-not-opposite"),
        (
            "basic",
            4,
            {"teams": TEAMS_OF_FOUR, "scoring": {"mode": "plus-minus", "rounds": 3}},
            "teams-not-in-mode",
        ),
        (
            "basic",
            4,
            {"teams": TEAMS_OF_FOUR, "scoring": {"mode": "elimination"}},
            "teams-not-in-mode",
        ),
        ("basic", 4, {"scoring": {"team_scoring": "opponents-hands"}}, "team-scoring-not-in-mode"),
        ("mario", 4, {"scoring": {"team_scoring": "own-hands"}}, "team-scoring-not-in-mode"),
        (
            "classic-2025",
            4,
            {"teams": TEAMS_OF_FOUR, "scoring": {"team_scoring": "own-hands"}},
            "team-scoring-not-in-mode",
        ),
        ("hello-kitty", 3, {"scoring": {"mode": "plus-minus"}}, "rounds-needed"),
        ("hello-kitty", 3, {"scoring": {"mode": "plus-minus", "rounds": None}}, "rounds-needed"),
        ("classic-2025", 3, {"scoring": {"target": 500}}, "scoring-invalid"),
        ("basic", 3, {"scoring": {"target": 0}}, "scoring-invalid"),
        ("basic", 3, {"scoring": {"rounds": 0}}, "scoring-invalid"),
        ("basic", 3, {"options": {"question_block": "dance"}}, "option-not-in-edition"),
        ("mario", 3, {"options": {"extra_cards": EXTRA}}, "option-not-in-edition"),
        ("mario", 3, {"options": {"caught_counts": True}}, "option-not-in-mode"),
        (
            "classic-2025",
            3,
            {"options": {"extra_cards": {"wild": {"count": 1, "points": 50}}}},
            "option-invalid",
        ),
        (
            "classic-2025",
            3,
            {"options": {"extra_cards": {**EXTRA, "swap": {"count": 3, "points": 1}}}},
            "option-invalid",
        ),
        ("basic", 3, {"dealer": "zoe"}, "dealer-not-in-match"),
        ("basic", 4, {"seating": [{**SEATED, "dealer": "zoe"}]}, "seating-invalid"),
        ("basic", 4, {"seating": [{**SEATED, "players": ["ann", "bo", "cy"]}]}, "seating-invalid"),
        (
            "basic",
            4,
            {
                "teams": TEAMS_OF_FOUR,
                "seating": [SEATED, {**SEATED, "players": ["ann", "cy", "bo", "di"]}],
            },
            "teams-not-opposite",
        ),
    ],
)
def test_what_no_match_is_opened_with(edition, players, fields, code):
    refused = open_(edition, players, **fields)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.reason, refused.event_index) == (code, None, None)


@pytest.mark.parametrize(
    ("edition", "scoring", "in_force"),
    [
        ("mario", {}, ("winner-collects", 500, None)),
        ("basic", {}, ("lowest-total", 500, None)),
        ("mickey", {}, ("winner-collects", 500, None)),
        ("hello-kitty", {}, ("winner-collects", 500, None)),
        ("classic-2025", {}, ("first-out", None, 1)),
        ("basic", {"target": 300}, ("lowest-total", 300, None)),
        ("basic", {"target": None, "rounds": 5}, ("lowest-total", None, 5)),
        ("basic", {"target": None}, ("lowest-total", None, None)),
        ("basic", {"mode": "plus-minus", "rounds": 5}, ("plus-minus", None, 5)),
        ("mario", {"mode": "elimination"}, ("elimination", 500, None)),
        ("mario", {"mode": "first-out"}, ("first-out", None, 1)),
        ("mario", {"mode": "first-out", "rounds": None}, ("first-out", None, None)),
        ("classic-2025", {"mode": "winner-collects"}, ("winner-collects", 500, None)),
    ],
)
def test_what_is_absent_follows_the_edition_and_null_switches_off(edition, scoring, in_force):
    mode, target, rounds = in_force
    assert given(edition, 2, scoring=scoring).board.scoring == ScoringInForce(
        mode=mode, target=target, rounds=rounds, team_scoring=None
    )


def test_the_way_of_scoring_teams_goes_with_the_mode():
    ways = {"lowest-total": "own-hands", "winner-collects": "opponents-hands", "first-out": None}
    for mode, way in ways.items():
        match = given("basic", 4, mode, teams=TEAMS_OF_FOUR)
        assert match.board.scoring.team_scoring == way


def test_options_in_force():
    assert given("mario", 2, options={"question_block": "all swap"}).board.options.question_block
    assert given("mario", 2, "elimination").board.options.caught_counts is True
    assert given("mario", 2).board.options.caught_counts is None
    extra = given("classic-2025", 2, options={"extra_cards": EXTRA})
    assert msgspec.to_builtins(extra.board.options) == {"extra_cards": EXTRA}
    assert extra.state.box.size == 110


def test_what_was_sent_is_kept_as_it_was_sent():
    opened = open_(
        "basic", 2, scoring={"rounds": None}, at="2026-11-20T19:00:00+08:00", teams=None, options={}
    )
    assert isinstance(opened, MatchOpened)
    assert encode(opened) == (
        b'{"at":"2026-11-20T11:00:00Z","edition":"basic","options":{},"players":["ann","bo"],'
        b'"revision":1,"scoring":{"rounds":null},"type":"match_opened"}'
    )
    assert decode(encode(opened)) == opened


def test_a_fresh_scoreboard_has_every_key():
    board = msgspec.to_builtins(given("basic", 4, teams=TEAMS_OF_FOUR, dealer="ann").board)
    assert board == {
        "match": "m",
        "edition": "basic",
        "revision": 1,
        "status": "open",
        "phase": "ready",
        "version": 1,
        "position": 1,
        "players": ("ann", "bo", "cy", "di"),
        "scoring": {
            "mode": "lowest-total",
            "target": 500,
            "rounds": None,
            "team_scoring": "own-hands",
        },
        "options": {},
        "house_rules": {},
        "house_rules_revision": None,
        "round": 0,
        "dealer": "ann",
        "turn": None,
        "direction": "clockwise",
        "top_card": None,
        "color": None,
        "pending": (),
        "awaiting_hands": (),
        "draw_pile_count": None,
        "color_pending": None,
        "hand_counts": None,
        "totals": {"ann": 0, "bo": 0, "cy": 0, "di": 0},
        "teams": (
            {"players": ("ann", "cy"), "total": 0},
            {"players": ("bo", "di"), "total": 0},
        ),
        "rounds_won": {"ann": 0, "bo": 0, "cy": 0, "di": 0},
        "eliminated": (),
        "winners": (),
        "violations": 0,
        "amendments": 0,
        "voided": 0,
        "open_disputes": 0,
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"surprise": 1},
        {"players": ["Ann", "bo"]},
        {"players": ["a" * 64, "bo"]},
        {"scoring": {"mode": "highest-total"}},
        {"scoring": {"target": 10_000_000}},
        {"scoring": {"target": 1.5}},
        {"options": {"stacking": True}},
        {"at": "2026-11-20T19:00:00"},
        {"options": {"question_block": ""}},
        {"options": {"extra_cards": {"blank": {"count": 0, "points": 1}}}},
    ],
)
def test_what_is_no_opening_at_all(fields):
    body = {"edition": "basic", "players": ["ann", "bo"], **fields}
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(body), type=Opening)


def test_a_time_that_utc_cannot_express():
    with pytest.raises(TimeOutOfRange):
        open_("basic", 2, at="0001-01-01T00:00:00+10:00")


def test_an_opening_can_be_compared_with_the_one_that_is_kept():
    sent = opening("basic", 2, dealer="bo", at="2026-11-20T19:00:00+08:00")
    again = opening("basic", 2, dealer="bo", at="2026-11-20T11:00:00Z")
    assert sent == again
    assert sent != opening("basic", 2, dealer="bo", scoring={})

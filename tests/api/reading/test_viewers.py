"""What a viewer sees of a round in progress whose cards are recorded."""

import json
from collections import Counter

import pytest

from scorekeeper.editions.registry import latest
from tests.api.serving import Caller, note
from tests.api.serving_kinds import on_both, quick_on_sqlite

HANDS = {
    "ann": ["red-1", "red-2", "wild-draw-four", "blue-3", "blue-5", "wild", "green-9"],
    "bo": ["red-9", "green-1", "green-2", "green-3", "yellow-1", "yellow-2", "yellow-4"],
    "cy": ["red-4", "yellow-6", "yellow-7", "yellow-8", "green-4", "green-5", "green-6"],
    "di": ["blue-0", "green-7", "green-8", "yellow-0", "yellow-9", "blue-skip", "red-skip"],
}
TOP = ["red-5", "blue-1", "blue-2", "blue-4", "blue-6", "blue-7"]


def pile():
    """Return all cards that are in no hand, with the first card to be turned up on top."""
    left = Counter(latest("basic").deck.value)
    left.subtract(card for hand in HANDS.values() for card in hand)
    left.subtract(TOP)
    return [*TOP, *left.elements()]


ROUND = [
    {"type": "round_started", "hands": HANDS, "draw_pile": pile()},
    {"type": "first_card_turned", "card": "red-5", "draw_pile": pile()[1:]},
    {"type": "cards_drawn", "player": "bo", "cards": ["blue-1"]},
    {"type": "card_played", "player": "cy", "card": "red-4"},
    {"type": "card_played", "player": "di", "card": "red-skip"},
    {"type": "card_played", "player": "bo", "card": "red-9"},
    {"type": "cards_drawn", "player": "cy", "count": 1},
    {"type": "cards_drawn", "player": "di"},
    {"type": "card_played", "player": "ann", "card": "wild-draw-four", "color": "green"},
    {"type": "wild_draw_four_challenged", "by": "bo", "hand": HANDS["ann"][:2] + HANDS["ann"][3:]},
    {"type": "cards_drawn", "player": "ann", "count": 4, "cards": ["blue-6", "blue-7"]},
]  # fmt: skip
OPEN = {"red-5", "red-4", "red-skip", "red-9", "wild-draw-four"}
HIDDEN = {card for hand in HANDS.values() for card in hand} - OPEN | {*TOP} - OPEN
SCORES = {"ann": 200, "bo": 40, "cy": 0, "di": 60}
END = {"type": "round_tallied", "winners": ["cy"], "scores": SCORES}
READINGS = ("", "/hands", "/rounds", "/rounds/1", "/events")


def looking(league, match):
    """The same match as a viewer sees it."""
    return Caller(league.served, league.viewer.token, match.root)


def log_of(caller):
    return caller.get("/events", params={"limit": 1000}).json()["items"]


def names_hidden(text):
    return sorted(card for card in HIDDEN if f'"{card}"' in text)


@quick_on_sqlite
def test_fields_with_hidden_cards_are_left_out_and_named(league):
    match = league.match(dealer="ann", events=ROUND)
    seen = {entry["version"]: entry["data"] for entry in log_of(looking(league, match))}
    whole = {entry["version"]: entry["data"] for entry in match.log()}
    assert whole[2] == {"hands": {**HANDS}, "draw_pile": pile()}
    assert seen[2] == {"redacted": ["draw_pile", "hands"]}
    assert seen[3] == {"card": "red-5", "redacted": ["draw_pile"]}
    assert seen[4] == {"player": "bo", "count": 1, "redacted": ["cards"]}
    assert seen[5] == {"player": "bo"} == whole[5]
    drawn = next(version for version, data in whole.items() if data.get("count") == 4)
    assert seen[drawn] == {"player": "ann", "count": 4, "redacted": ["cards"]}
    assert seen[drawn - 1] == {"by": "bo", "redacted": ["hand"]}
    assert names_hidden(looking(league, match).get("/events").text) == []
    lines = looking(league, match).get("/events", headers={"accept": "application/x-ndjson"})
    assert [json.loads(line)["data"] for line in lines.text.splitlines()] == [*seen.values()]


@on_both
def test_the_scoreboard_shows_what_the_table_sees(league):
    match = league.match(dealer="ann", events=ROUND)
    whole, seen = match.board(), looking(league, match).get().json()
    differing = {name for name in whole if whole[name] != seen[name]}
    # Two silent draws show only with the hands; everybody sees a bluff that was challenged.
    assert (whole["violations"], seen["violations"]) == (3, 1)
    assert differing == {"violations"}


@quick_on_sqlite
def test_hands_of_which_only_the_count_is_seen(league):
    match = league.match(dealer="ann", events=ROUND)
    whole, seen = match.get("/hands").json(), looking(league, match).get("/hands").json()
    counts = match.board()["hand_counts"]
    assert whole["hands"]["cy"]["known"]
    assert "redacted" not in whole
    assert seen == {
        "hands": {player: {"known": [], "unknown": count} for player, count in counts.items()},
        "redacted": ["cards"],
    }
    match.tell({"type": "hand_shown", "player": "di", "cards": whole["hands"]["di"]["known"]})
    shown = looking(league, match).get("/hands").json()["hands"]
    assert shown["di"] == match.get("/hands").json()["hands"]["di"]
    assert shown["bo"]["known"] == []


@quick_on_sqlite
def test_all_is_shown_once_the_round_is_over(league):
    match = league.match(dealer="ann", events=ROUND)
    viewer = looking(league, match)
    versions = range(1, match.board()["version"] + 1)
    assert names_hidden("".join(viewer.get(path).text for path in READINGS)) == []
    match.tell(END)
    for path in READINGS:
        assert viewer.get(path).content == match.get(path).content
    for path in READINGS[:-1]:
        for version in versions:
            at = {"params": {"at": version}}
            if path != "/rounds/1" or version > 1:
                assert viewer.get(path, **at).content == match.get(path, **at).content


@quick_on_sqlite
@pytest.mark.parametrize("redealt", [True, False])
def test_a_round_that_was_voided_hides_nothing_and_the_next_one_does(league, redealt):
    match = league.match(dealer="ann", events=ROUND)
    match.tell({"type": "round_voided", "reason": "a card fell down", "redealt": redealt})
    viewer = looking(league, match)
    assert log_of(viewer) == match.log()
    assert viewer.get("/hands").content == match.get("/hands").content
    last = match.tell(ROUND[0])["version"]
    *before, dealt = log_of(viewer)
    assert before == match.log()[:-1]
    assert dealt["data"] == {"redacted": ["draw_pile", "hands"]}
    assert viewer.get("/hands").json()["hands"]["bo"] == {"known": [], "unknown": 7}
    assert (
        viewer.get("/hands", params={"at": last - 2}).json()
        == match.get("/hands", params={"at": last - 2}).json()
    )


@quick_on_sqlite
def test_an_abandoned_match_hides_nothing(league):
    match = league.match(dealer="ann", events=ROUND)
    match.tell({"type": "match_abandoned", "reason": "the bell rang"}, note())
    viewer = looking(league, match)
    for path in READINGS:
        assert viewer.get(path).content == match.get(path).content


@quick_on_sqlite
def test_past_versions_of_the_round_in_progress_are_hidden_too(league):
    match = league.match(dealer="ann")
    viewer = looking(league, match)
    seen = {}
    for event in ROUND:
        version = match.tell(event)["version"]
        for path in READINGS[:-1]:
            seen[path, version] = viewer.get(path).content
        for (path, past), content in seen.items():
            answer = viewer.get(path, params={"at": past})
            assert answer.content == content
            assert names_hidden(answer.text) == []


def test_a_viewers_tag_names_no_bytes_but_a_viewers(league):
    """An answer cached for a scorekeeper is never valid for a viewer, nor the reverse."""
    match = league.match(dealer="ann", events=ROUND)
    viewer = looking(league, match)
    for path in READINGS:
        mine, whole = viewer.get(path), match.get(path)
        assert mine.headers["etag"] != whole.headers["etag"]
        assert "Authorization" in mine.headers["vary"]
        for caller, own, other in ((viewer, mine, whole), (match, whole, mine)):
            again = caller.get(path, headers={"if-none-match": other.headers["etag"]})
            assert (again.status_code, again.content) == (200, own.content)
            same = caller.get(path, headers={"if-none-match": own.headers["etag"]})
            assert same.status_code == 304
    past = {"params": {"at": 4}}
    tag = viewer.get(**past).headers["etag"]
    match.tell(END)
    assert viewer.get(headers={"if-none-match": tag}, **past).status_code == 200


def test_where_the_book_knows_no_cards_a_viewer_gets_what_it_holds(league):
    match = league.match(dealer="ann", events=[
        {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"},
        {"type": "cards_drawn", "player": "bo"},
    ])  # fmt: skip
    viewer = looking(league, match)
    for path in READINGS:
        assert viewer.get(path).content == match.get(path).content
        assert viewer.get(path).headers["etag"] == match.get(path).headers["etag"]


@pytest.mark.parametrize("role", ["scorekeeper", "owner", "admin"])
def test_whoever_may_write_sees_all(league, role):
    match = league.match(dealer="ann", events=ROUND)
    keeper = league.admin if role == "admin" else league.callers[role]
    path = f"/matches/{match.slug}"
    assert keeper.get(f"{path}/hands").json()["hands"]["cy"]["known"]
    assert "redacted" not in keeper.get(f"{path}/events").text


def test_what_is_told_late_of_a_round_that_is_over_is_shown(league):
    last = ["red-skip", "red-skip", "blue-skip", "blue-skip", "green-skip", "green-skip"]
    match = league.match(
        players=["ann", "bo"], dealer="bo", scoring={"mode": "first-out", "rounds": 3},
        events=[
            {"type": "round_started"},
            {"type": "first_card_turned", "card": "red-5"},
            *({"type": "card_played", "player": "ann", "card": card} for card in last),
            {"type": "card_played", "player": "ann", "card": "green-draw-two"},
        ],
    )  # fmt: skip
    assert match.log()[-1]["type"] == "round_ended"
    viewer = looking(league, match)
    match.tell({"type": "cards_drawn", "player": "bo", "cards": ["blue-1", "wild"]})
    assert log_of(viewer)[-1]["data"]["cards"] == ["blue-1", "wild"]
    assert viewer.get("/hands").content == match.get("/hands").content
    match.tell({"type": "round_started", "hands": {"bo": HANDS["bo"]}})
    *before, dealt = log_of(viewer)
    assert before == match.log()[:-1]
    assert dealt["data"] == {"redacted": ["hands"]}

"""With `?names=display`, texts use people's names, and data their slugs."""

from uuid import uuid4

import pytest

from tests.api.database_search import every_value
from tests.api.serving import League, Match, note, tally
from tests.api.serving_kinds import on_both

STARTED = {"type": "round_started", "dealer": "ann", "hands": {"bo": ["red-7", "blue-skip"]}}
TURNED = {"type": "first_card_turned", "card": "red-5"}
NAMES = {"ann": "Ann {player} [dealer] %s", "bo": "小博", "cy": "Cy & <b>", "ed": "Ed " + "e" * 110}
DISPLAY = {"names": "display"}


def play(player: str, card: str, **fields: object) -> dict[str, object]:
    return {"type": "card_played", "player": player, "card": card, **fields}


@pytest.fixture
def named(league: League) -> League:
    """A league in which everybody but di has a name that differs from the slug."""
    for player, name in NAMES.items():
        assert league.owner.patch(f"/players/{player}", {"name": name}).status_code == 200
    return league


def misplayed(league: League) -> Match:
    """Open a match with a card that does not match, and a play out of turn."""
    first, second = play("bo", "blue-skip"), play("bo", "blue-9")
    told = [each | {"as_played": True} for each in (first, second)]
    return league.match(events=[STARTED, TURNED, *told])


@on_both
def test_a_replay_tells_names_and_keeps_slugs_in_its_data(named):
    match = misplayed(named)
    plain = match.get("/rounds/1/replay").json()
    shown = match.get("/rounds/1/replay", params=DISPLAY).json()
    dealt, turned, played, again = shown["items"]
    assert dealt["explanation"].startswith("Ann {player} [dealer] %s deals 7 cards each to ")
    assert turned["explanation"] == "red-5 is turned up; 小博 begins (B-UP-NUMBER)."
    assert played["explanation"].startswith("小博 plays blue-skip, which does not match red-5")
    assert "Cy & <b> is skipped." in played["explanation"]
    (violation,) = again["violations"]
    assert violation["message"] == "It is di's turn, not 小博's (X-TURN)."
    assert violation["facts"] == {"player": "bo", "turn": "di"}
    for whole in (plain, shown):
        for item in whole["items"]:
            del item["explanation"]
            for violation in item["violations"]:
                del violation["message"]
    assert plain == shown


def test_names_stand_in_chinese_as_they_are(named):
    items = misplayed(named).get("/rounds/1/replay", params=DISPLAY | {"lang": "zh-TW"}).json()
    dealt, turned, *_ = items["items"]
    assert dealt["explanation"].startswith("莊家 Ann {player} [dealer] %s 發給 ")
    assert turned["explanation"] == "翻開的引牌是紅色 5；由 小博 先出（B-UP-NUMBER）。"


@on_both
def test_whoever_sits_in_is_called_by_the_own_name(named):
    """The column keeps its player's slug: data and log name that player."""
    match = named.match(
        events=[
            tally("bo", ann=1, cy=2, di=3),
            {"type": "player_substituted", "player": "bo", "substitute": "ed"},
            tally("ann", bo=10, cy=2, di=3),
            {"type": "dispute_opened", "by": "bo", "round": 2, "claim": "ten?"},
            {"type": "player_substituted", "player": "bo", "substitute": "bo"},
            tally("bo", ann=1, cy=2, di=3),
        ]
    )
    assert match.board()["totals"]["bo"] == 10

    def told(number):
        return match.get(f"/rounds/{number}/replay", params=DISPLAY).json()["items"]

    first, second, third = told(1), told(2), told(3)
    assert "Round 1 goes to 小博" in first[-1]["explanation"]
    assert second[0]["explanation"] == f"{NAMES['ed']} plays on in place of 小博."
    ended = second[2]["explanation"]
    assert f"{NAMES['ed']} scores 10: {NAMES['ed']}'s 10." in ended
    assert "小博" not in ended
    assert second[2]["event"]["scores"]["bo"] == 10
    assert third[0]["explanation"] == "小博 plays again in person."
    assert "Round 3 goes to 小博" in third[-1]["explanation"]
    (dispute,) = match.get("/audit", params=DISPLAY).json()["disputes"]
    assert dispute["by"] == "bo"
    assert dispute["message"].startswith(f"{NAMES['ed']} disputes round 2")


@on_both
def test_an_audit_tells_names_of_players_and_of_tokens(named):
    match = misplayed(named)
    found = match.get("/audit", params=DISPLAY).json()
    plain = match.get("/audit").json()
    assert any("小博" in each["message"] for each in found["violations"])
    assert not any("小博" in each["message"] for each in plain["violations"])
    assert [each["facts"] for each in found["violations"]] == [
        each["facts"] for each in plain["violations"]
    ]
    (recording,) = found["recordings"]
    assert recording["message"].startswith("Entries told by scorekeeper: ")
    (recording,) = plain["recordings"]
    assert recording["message"].startswith(f"Entries told by {recording['recorded_by']}: ")


@on_both
@pytest.mark.parametrize("path", ["/rounds/1/replay", "/audit"])
def test_a_tag_speaks_of_the_names_it_was_given_for(named, path):
    match = misplayed(named)

    def read(seen=None, **query):
        headers = {} if seen is None else {"if-none-match": seen.headers["etag"]}
        return match.get(path, params=query, headers=headers)

    plain, before = read(), read(**DISPLAY)
    assert plain.headers["etag"] != before.headers["etag"]
    assert read(before, **DISPLAY).status_code == 304
    assert named.owner.patch("/players/bo", {"name": "Bo"}).status_code == 200
    renamed = read(before, **DISPLAY)
    assert renamed.status_code == 200
    assert "小博" not in renamed.text
    assert read(plain).status_code == 304
    assert named.owner.patch("/players/bo", {"name": None}).status_code == 200
    erased = read(renamed, **DISPLAY)
    assert erased.status_code == 200
    assert "not bo's (X-TURN)" in erased.text
    # The entity tag of a reading in names can be used in If-Match like any other.
    assert match.append(note(), if_match=erased.headers["etag"]).status_code == 201
    stale = match.append(note(), if_match=erased.headers["etag"])
    assert (stale.status_code, stale.json()["version"]) == (412, 6)


def test_viewers_read_names_as_everybody(named):
    match = misplayed(named)
    path = f"/matches/{match.slug}/rounds/1/replay"
    seen = named.viewer.get(path, params=DISPLAY)
    assert seen.headers["etag"].startswith('"5-redacted-display-')
    assert "小博" in seen.json()["items"][2]["explanation"]


@pytest.mark.parametrize("asked", ["slugs", "Display", "", "null"])
def test_names_are_asked_for_by_one_word(league, asked):
    assert league.match(events=[STARTED]).get("/audit", params={"names": asked}).status_code == 400


def by_name(match: Match, path: str, body: dict[str, object], **headers: str):
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return match.ask("POST", path, json=body, params=DISPLAY, headers=sent)


OUT_OF_TURN = play("bo", "red-9")


@on_both
def test_appends_are_answered_and_refused_in_names(named):
    match = named.match(events=[STARTED, TURNED, play("bo", "red-7")])
    refused = by_name(match, "/events", {"events": [OUT_OF_TURN]}).json()
    (violation,) = refused["violations"]
    assert violation["message"] == "It is Cy & <b>'s turn, not 小博's (X-TURN)."
    assert violation["facts"] == {"player": "bo", "turn": "cy"}
    lacking = by_name(match, "/events", {"events": [{"type": "turn_passed", "player": "ed"}]})
    assert lacking.json()["detail"] == f"{NAMES['ed']} is not a player of this match."
    told = by_name(match, "/events", {"events": [OUT_OF_TURN | {"as_played": True}]})
    assert told.status_code == 201
    assert told.headers["etag"] == '"5"'
    (violation,) = told.json()["violations"]
    assert violation["message"] == "It is Cy & <b>'s turn, not 小博's (X-TURN)."
    assert told.json()["entries"][0]["data"]["player"] == "bo"


@on_both
def test_no_name_is_kept_with_an_answer(named):
    """A retry is answered with the names of that moment, even after one was erased."""
    events = [STARTED, TURNED, OUT_OF_TURN | {"as_played": True}, OUT_OF_TURN | {"as_played": True}]
    opening = named.opening(events=events)
    headers = {"idempotency-key": "a-key"}

    def send():
        answer = named.scorekeeper.ask(
            "POST", "/matches", json=opening, params=DISPLAY, headers=headers
        )
        return answer.status_code, answer.json()

    created, first = send()
    assert created == 201
    assert "小博" in first["violations"][-1]["message"]
    assert send() == (200, first)
    assert named.owner.patch("/players/bo", {"name": None}).status_code == 200
    again, erased = send()
    assert again == 200
    assert "not bo's" in erased["violations"][-1]["message"]
    kept = [
        (table, column)
        for table, column, value in every_value(named.served)
        if table != "players" and "小博".encode() in value
    ]
    assert kept == []


@on_both
def test_what_would_be_is_told_in_names_of_who_sat_there(named):
    match = named.match(
        events=[
            tally("ann", bo=1, cy=2, di=3),
            {"type": "player_substituted", "player": "bo", "substitute": "ed"},
            STARTED,
            TURNED,
            play("bo", "red-7"),
            OUT_OF_TURN | {"as_played": True},
            tally("ann", bo=1, cy=2, di=3),
            {"type": "player_substituted", "player": "bo", "substitute": "bo"},
        ]
    )
    last = max(each["version"] for each in match.log() if each["type"] == "round_tallied")
    changed = by_name(match, "/what-if", {"from": last, "remove": 1, "insert": []}).json()
    (violation,) = changed["violations"]
    assert violation["message"] == f"It is Cy & <b>'s turn, not {NAMES['ed']}'s (X-TURN)."
    (voided,) = changed["voided"]
    assert voided["facts"]["type"] == "player_substituted"


@on_both
def test_what_an_amendment_inserts_is_told_in_names_of_who_sat_there(named):
    match = named.match(
        events=[
            STARTED,
            TURNED,
            tally("ann", bo=1, cy=2, di=3),
            {"type": "player_substituted", "player": "bo", "substitute": "ed"},
        ]
    )
    passed = {"type": "turn_passed", "player": "bo", "as_played": True}
    inserted = {"type": "log_amended", "from": 4, "remove": 0, "insert": [passed], "reason": "x"}
    told = by_name(match, "/events", {"events": [inserted]}).json()
    (violation,) = told["violations"]
    assert violation["message"].startswith("小博 ")


@on_both
def test_an_undo_is_refused_in_names(named):
    four = play("bo", "wild-draw-four", color="blue", id=str(uuid4()))
    challenged = {"type": "wild_draw_four_challenged", "by": "cy", "guilty": True}
    match = named.match(events=[STARTED, TURNED])
    match.tell(four)
    match.tell(challenged)
    refused = by_name(match, "/undo", {"of": four["id"]}, if_match="*")
    assert refused.json()["code"] == "undo-would-void"
    (voided, *_) = refused.json()["voided"]
    assert voided["message"] == "Cy & <b> has no wild-draw-four to challenge now."
    undone = by_name(match, "/undo", {}, if_match="*")
    assert (undone.status_code, undone.json()["violations"]) == (201, [])


def test_tournaments_and_matches_of_the_past_are_refused_in_names(named):
    opening = {"name": "Cup", "edition": "basic", "players": ["ann", "bo", "cy", "bo"]}
    refused = named.owner.ask("POST", "/tournaments", json=opening, params=DISPLAY)
    assert refused.json()["detail"] == "Nobody enters twice: 小博."
    past = named.opening(events=[tally("ann", bo=1, cy=2, di=0) | {"id": str(uuid4())}])
    refused = named.owner.ask(
        "POST",
        "/past-matches",
        json={"matches": [past | {"players": ["ann", "bo", "cy", "bo"]}]},
        params=DISPLAY,
    )
    assert "小博" in refused.json()["detail"]


def test_rounds_are_data_that_no_name_changes(named):
    match = named.match(events=[tally("ann", bo=1, cy=2, di=3)])
    for path in ("/rounds", "/rounds/1"):
        plain, asked = match.get(path), match.get(path, params=DISPLAY)
        assert (asked.status_code, asked.content) == (200, plain.content)
        assert asked.headers["etag"] == plain.headers["etag"]

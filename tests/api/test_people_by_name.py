"""`?names=display`: texts call people by their names, data by their slugs."""

import pytest
from serving import League, Match, note, tally
from serving_kinds import on_both

STARTED = {"type": "round_started", "dealer": "ann", "hands": {"bo": ["red-7", "blue-skip"]}}
TURNED = {"type": "first_card_turned", "card": "red-5"}
NAMES = {"ann": "Ann {player} [dealer] %s", "bo": "小博", "cy": "Cy & <b>", "ed": "Ed " + "e" * 110}
DISPLAY = {"names": "display"}


def play(player: str, card: str, **fields: object) -> dict[str, object]:
    return {"type": "card_played", "player": player, "card": card, **fields}


@pytest.fixture
def named(league: League) -> League:
    """Everybody but di is called otherwise than by the slug."""
    for player, name in NAMES.items():
        assert league.owner.patch(f"/players/{player}", {"name": name}).status_code == 200
    return league


def misplayed(league: League) -> Match:
    """A card that does not match, and a move out of turn."""
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
    """The column stays another's: data and log name the player."""
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
    # What was read in names is a lock like any other reading.
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

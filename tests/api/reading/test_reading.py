"""Reading a match: scoreboard, log, hands and rounds, now and at any past version."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import decode
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.projections.scoreboard import scoreboard
from tests.api.serving import Caller, examples, note, serving, tally
from tests.api.serving_kinds import on_both

EVENING = [
    tally("ann", bo=20, cy=["red-7", "wild"], di=7),
    note(),
    {"type": "seats_changed", "players": ["cy", "bo", "ann", "di"]},
    tally("bo", ann=5, cy=6, di=["green-draw-two"]),
    {"type": "player_substituted", "player": "di", "substitute": "ed"},
    {"type": "round_started"},
    {"type": "round_voided", "reason": "misdeal", "redealt": True},
    tally("cy", bo=1, ann=500, di=3),
]
READINGS = ("", "/hands", "/rounds")


def folded(match):
    """The scoreboard at each version, folded from the log as it is served."""
    log = match.log()
    bodies = [msgspec.json.encode({"type": e["type"], **e["data"]}, order="sorted") for e in log]
    opened, *events = (decode(body) for body in bodies)
    state = initial(EDITIONS[opened.edition, opened.revision], opened)
    for index, entry in enumerate(log):
        if index:
            state = fold(state, [events[index - 1]])
        board = scoreboard(state, match=match.slug, position=entry["position"])
        yield entry["version"], json.loads(msgspec.json.encode(board))


@on_both
def test_the_scoreboard_is_the_fold_of_the_events_at_every_version(league):
    match = league.match(dealer="ann")
    match.tell(*EVENING)
    boards = dict(folded(match))
    assert list(boards) == list(range(1, match.board()["version"] + 1))
    for version, board in boards.items():
        answer = match.get(params={"at": version})
        assert answer.json() == board
        assert answer.headers["etag"] == f'"{version}"'
    assert match.board() == boards[max(boards)]
    assert match.board()["status"] == "won"


@on_both
def test_a_past_version_never_changes(league):
    match = league.match(dealer="ann")
    seen = {}
    for event in EVENING:
        version = match.tell(event)["version"]
        for path in READINGS:
            now = match.get(path)
            assert now.headers["etag"] == f'"{version}"'
            seen[path, version] = now.content
        for (path, past), content in seen.items():
            assert match.get(path, params={"at": past}).content == content


@given(told=st.lists(st.sampled_from([note(), tally("ann", bo=1, cy=2, di=3)]), max_size=5))
@examples(8)
def test_whatever_is_told_reading_equals_folding(league, told):
    match = league.match(events=told)
    assert dict(folded(match))[match.board()["version"]] == match.board()


def test_two_processes_on_one_database_see_what_the_other_wrote(postgresql_url):
    with serving(postgresql_url) as here, serving(postgresql_url) as there:
        league = here.league()
        match = league.match()
        elsewhere = Caller(there, match.token, match.root)
        for version in range(1, 4):
            assert match.board()["version"] == elsewhere.get().json()["version"] == 2 * version - 1
            answer = elsewhere.post("/events", {"events": [note()]})
            assert answer.json()["state"] == match.board()
            told = match.tell(tally("ann", bo=1, cy=2, di=3) if version == 2 else note())
            if version == 2:
                break
            assert elsewhere.get().json() == told["state"]
        stale = elsewhere.post("/events", {"events": [note()]}, headers={"if-match": '"2"'})
        assert stale.status_code == 412
        assert dict(folded(match))[match.board()["version"]] == elsewhere.get().json()


@pytest.mark.parametrize("path", READINGS)
@pytest.mark.parametrize(
    ("at", "status"),
    [
        ("2", 404),
        ("9007199254740992", 404),
        ("0", 400),
        ("-1", 400),
        ("x", 400),
        ("", 400),
        ("1.5", 400),
        ("9007199254740993", 400),
        ("99999999999999999999", 400),
    ],
)
def test_a_version_that_is_not_there_or_is_none(league, path, at, status):
    match = league.match()
    assert match.get(path, params={"at": at}).status_code == status
    assert match.get(path, params={"at": 1}).status_code == 200


@pytest.mark.parametrize("path", [*READINGS, "/events", "/rounds/1"])
def test_an_unknown_match_is_a_404(league, path):
    for slug in ("nowhere", "%0A", "a%2Fb", "A" * 300, "%F0%9F%82%A1"):
        assert league.viewer.get(f"/matches/{slug}{path}").status_code == 404
        assert (
            league.viewer.get(f"/matches/{slug}{path}", headers={"accept": "application/x-ndjson"})
        ).status_code == 404


def test_a_slug_with_a_line_break_names_nothing(league):
    match = league.match()
    for path in READINGS:
        assert league.viewer.get(f"/matches/{match.slug}%0A{path}").status_code == 404
    body = {"events": [note()]}
    assert league.owner.post(f"/matches/{match.slug}%0A/events", body).status_code == 404
    assert league.owner.get("/players/ann%0A").status_code == 404
    assert league.served.ask("GET", f"{league.root}%0A").status_code == 404
    assert match.board()["version"] == 1


@on_both
def test_rounds_tell_dealer_winners_hands_points_and_scores(league):
    match = league.match(dealer="ann")
    match.tell(*EVENING[:4])
    first, second = match.get("/rounds").json()["items"]
    assert first == {
        "round": 1,
        "status": "ended",
        "dealer": "ann",
        "players": ["ann", "bo", "cy", "di"],
        "substitutes": {},
        "winners": ["ann"],
        "hands": {
            "ann": {"cards": []},
            "bo": {"points": 20},
            "cy": {"cards": ["red-7", "wild"]},
            "di": {"points": 7},
        },
        "hand_points": {"ann": 0, "bo": 20, "cy": 57, "di": 7},
        "scores": {"ann": 0, "bo": 20, "cy": 57, "di": 7},
        "charges": {},
        "tallied": True,
        "first_version": 2,
        "last_version": 3,
    }
    assert second["players"] == ["cy", "bo", "ann", "di"]
    assert match.get("/rounds/1").json() == first
    assert match.get("/rounds/2").json() == second
    assert match.get("/rounds", params={"at": 3}).json()["items"] == [first]
    assert match.get("/rounds/2", params={"at": 3}).status_code == 404
    for number in ("0", "3", "-1", "x", "1.0", "99999999999999999999999"):
        assert match.get(f"/rounds/{number}").status_code == 404


@on_both
def test_hands_of_the_round_in_progress_or_the_last_one_ended(league):
    match = league.match(dealer="ann")
    assert match.get("/hands").json() == {"hands": {}}
    match.tell(EVENING[0])
    assert match.get("/hands").json() == {
        "hands": {
            "ann": {"known": [], "unknown": 0},
            "bo": {"known": [], "unknown": None},
            "cy": {"known": ["red-7", "wild"], "unknown": 0},
            "di": {"known": [], "unknown": None},
        }
    }
    match.tell({"type": "round_started"})
    hands = match.get("/hands").json()["hands"]
    assert sorted(hands) == ["ann", "bo", "cy", "di"]
    assert all(hand == {"known": [], "unknown": 7} for hand in hands.values())
    assert match.get("/hands", params={"at": 1}).json() == {"hands": {}}


@on_both
def test_the_log_is_paged_from_the_oldest(league):
    match = league.match()
    match.tell(*[note(str(number)) for number in range(9)])
    whole = match.log()
    assert [entry["version"] for entry in whole] == list(range(1, 11))
    after = match.get("/events", params={"after": 7}).json()
    assert (after["items"], after["next"]) == (whole[7:], None)
    assert match.get("/events", params={"after": 10}).json() == {
        "items": [],
        "next": None,
        "recorders": {},
    }
    limited = match.get("/events", params={"after": 2, "limit": 3})
    assert limited.json()["items"] == whole[2:5]
    assert limited.json()["next"]
    assert 'rel="next"' in limited.headers["link"]
    # An append's answer has the same entries as the log, except for `event_index`.
    told = match.tell(EVENING[0])["entries"]
    for entry in told:
        entry["event_index"] = None
    assert match.log()[-2:] == told


@on_both
def test_the_log_as_lines(league):
    match = league.match()
    match.tell(*[note(str(number)) for number in range(700)])
    accept = {"accept": "application/x-ndjson"}
    answer = match.get("/events", headers=accept)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.text.endswith("}\n")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines == match.log()
    assert len(lines) == 701
    rest = match.get("/events", params={"after": 699}, headers=accept).text.splitlines()
    assert [json.loads(line) for line in rest] == lines[699:]
    some = match.get("/events", params={"after": 1, "limit": 600}, headers=accept).text
    assert [json.loads(line) for line in some.splitlines()] == lines[1:601]
    assert match.get("/events", params={"after": 701}, headers=accept).text == ""
    head = match.ask("HEAD", "/events", headers=accept)
    assert (head.status_code, head.content) == (200, b"")
    shouted = match.get("/events", headers={"accept": "Application/X-NDJSON"})
    assert shouted.text == answer.text
    barely = match.get("/events", headers={"accept": "application/x-ndjson;q=0.001, */*;q=0"})
    assert barely.text == answer.text
    others = ["application/json", "*/*", "text/html", "*/*, application/x-ndjson;q=0"]
    never = ["application/x-ndjson;q=0", "application/x-ndjson; q=0.000, text/html"]
    for other in [*others, *never, "application/x-ndjson;q=inf", "*/*;q=1e400"]:
        plain = match.get("/events", headers={"accept": other})
        assert plain.headers["content-type"].startswith("application/json")
        assert "Accept" in plain.headers["vary"].split(", ")
    assert "Accept" in answer.headers["vary"].split(", ")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/players",
        "/players/ann",
        "/tokens",
        "/matches",
        "/matches/{m}",
        "/matches/{m}/events",
        "/matches/{m}/hands",
        "/matches/{m}/rounds",
        "/matches/{m}/rounds/1",
    ],
)
def test_every_reading_has_a_tag_head_and_not_modified(league, path):
    match = league.match(events=[EVENING[0]])
    path = path.format(m=match.slug)
    got = league.owner.get(path)
    tag = got.headers["etag"]
    assert tag.startswith('"')
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        unchanged = league.owner.get(path, headers={"if-none-match": known})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert unchanged.headers["etag"] == tag
    again = league.owner.get(path, headers={"if-none-match": '"other"'})
    assert (again.status_code, again.content) == (200, got.content)
    head = league.owner.ask("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == tag
    options = league.owner.ask("OPTIONS", path)
    assert options.status_code == 204
    assert {"GET", "HEAD", "OPTIONS"} <= set(options.headers["allow"].split(", "))


def test_a_tag_of_a_match_changes_with_its_version_only(league):
    match = league.match()
    tag = match.get().headers["etag"]
    league.match()
    assert match.get(headers={"if-none-match": tag}).status_code == 304
    match.tell(note())
    assert match.get(headers={"if-none-match": tag}).status_code == 200


def test_listed_tags_change_with_what_is_listed(league):
    tag = league.owner.get("/players").headers["etag"]
    league.owner.patch("/players/ann", {"name": "Anna"})
    assert league.owner.get("/players", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_are_a_405_that_lists_the_allowed_ones(league, method):
    answer = league.owner.ask(method, f"/matches/{league.match().slug}/events")
    assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed")
    assert set(answer.headers["allow"].split(", ")) >= {"GET", "HEAD", "POST"}

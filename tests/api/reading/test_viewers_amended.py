"""What viewers see after an amendment of a round whose cards are recorded."""

from tests.api.reading.test_viewers import (
    END,
    HANDS,
    READINGS,
    ROUND,
    log_of,
    looking,
    names_hidden,
)
from tests.api.serving import note
from tests.api.serving_kinds import on_both, quick_on_sqlite

DRAWN = {"type": "cards_drawn", "player": "bo", "cards": ["blue-1"]}


def amended(match, first, *insert, remove=0, **fields):
    """Append an amendment, which must succeed, and return the answer."""
    return match.tell(
        {"type": "log_amended", "from": first, "remove": remove, "insert": list(insert),
         "reason": "so it was", **fields}
    )  # fmt: skip


def version_of(match, type_):
    """Return the version of the first entry of that type."""
    return next(entry["version"] for entry in match.log() if entry["type"] == type_)


def nothing_hidden_is_told(match):
    """Check that no reading of a viewer names a hidden card, at any version."""
    viewer = looking(match.league, match)
    last = match.board()["version"]
    for path in READINGS[:-1]:
        for version in range(1, last + 1):
            answer = viewer.get(path, params={"at": version})
            if answer.status_code == 200:
                assert names_hidden(answer.text) == [], (path, version)
    for path in READINGS:
        assert names_hidden(viewer.get(path).text) == []


def all_is_shown(match):
    viewer = looking(match.league, match)
    for path in READINGS:
        assert viewer.get(path).content == match.get(path).content


def hidden_round(league):
    match = league.match(dealer="ann", events=ROUND)
    match.league = league
    return match


@on_both
def test_what_is_put_into_the_round_hides_its_cards_in_the_amendment_too(league):
    match = hidden_round(league)
    version = amended(match, 4, DRAWN, remove=1)["version"]
    *_, entry = log_of(looking(league, match))
    assert entry["version"] == version
    [inserted] = entry["data"]["insert"]
    assert inserted["redacted"] == ["cards"]
    assert "cards" not in inserted
    assert "redacted" not in entry["data"]
    nothing_hidden_is_told(match)
    match.tell(END)
    all_is_shown(match)


@quick_on_sqlite
def test_a_deal_that_is_told_again_stays_hidden_as_it_was_told_first(league):
    match = league.match(dealer="ann", events=ROUND[:1])
    match.league = league
    amended(match, 2, remove=1)
    nothing_hidden_is_told(match)
    assert looking(league, match).get("/hands").json() == {"hands": {}}
    match.tell(*ROUND)
    nothing_hidden_is_told(match)
    match.tell(END)
    all_is_shown(match)


@quick_on_sqlite
def test_a_deal_that_is_mended_in_the_middle_of_the_round(league):
    match = hidden_round(league)
    first = {"type": "round_started", "hands": {"bo": HANDS["bo"]}}
    amended(match, 2, first, remove=1)
    nothing_hidden_is_told(match)
    assert looking(league, match).get().json()["voided"] == match.board()["voided"]
    match.tell(END)
    all_is_shown(match)


@quick_on_sqlite
def test_a_round_whose_end_is_taken_back_is_hidden_again(league):
    match = hidden_round(league)
    match.tell(END)
    all_is_shown(match)
    amended(match, version_of(match, "round_tallied"), remove=1)
    assert match.board()["phase"] == "playing"
    nothing_hidden_is_told(match)
    counts = match.board()["hand_counts"]
    assert looking(league, match).get("/hands").json() == {
        "hands": {player: {"known": [], "unknown": count} for player, count in counts.items()},
        "redacted": ["cards"],
    }
    match.tell(END)
    all_is_shown(match)


@quick_on_sqlite
def test_a_round_that_is_opened_again_behind_a_later_one(league):
    match = hidden_round(league)
    last = match.tell(END, ROUND[0] | {"dealer": "ann"})["version"]
    viewer = looking(league, match)
    # Answers that are remembered from these reads must not be used again.
    assert viewer.get("/rounds/1", params={"at": last}).content == match.get("/rounds/1").content
    for path in READINGS:
        viewer.get(path)
    amended(match, version_of(match, "round_tallied"), remove=1)
    nothing_hidden_is_told(match)
    for path in READINGS[:-1]:
        assert names_hidden(viewer.get(path, params={"at": last}).text) == []


@on_both
def test_a_past_version_has_another_tag_once_it_hides_another_round(league):
    match = hidden_round(league)
    last = match.tell(END, ROUND[0] | {"dealer": "ann"})["version"]
    viewer = looking(match.league, match)
    paths = [*READINGS[:-1], "/audit", "/rounds/1/replay"]
    tags = {path: viewer.get(path, params={"at": last}).headers["etag"] for path in paths}
    assert set(tags.values()) == {f'"{last}-redacted"'}
    match.tell(note())
    assert changed_since(tags, viewer, at=last) == []
    amended(match, version_of(match, "round_tallied"), remove=1)
    assert changed_since(tags, viewer, at=last) == paths


def changed_since(tags, viewer, **query):
    """Return the readings that are sent to who names their former tags."""
    return [
        path
        for path, tag in tags.items()
        if viewer.get(path, params=query, headers={"if-none-match": tag}).status_code == 200
    ]


@quick_on_sqlite
def test_a_round_that_is_over_is_mended_in_the_open(league):
    match = hidden_round(league)
    match.tell(END, ROUND[0] | {"dealer": "ann"}, *ROUND[1:])
    amended(match, 4, DRAWN, remove=1)
    viewer = looking(league, match)
    assert log_of(viewer)[-1] == match.log()[-1]
    assert viewer.get("/rounds/1").content == match.get("/rounds/1").content
    assert viewer.get("/hands").json()["hands"]["bo"]["known"] == []
    match.tell(END)
    all_is_shown(match)


@quick_on_sqlite
def test_an_amendment_that_is_withdrawn_hides_as_much(league):
    match = hidden_round(league)
    version = amended(match, 4, DRAWN, remove=1)["version"]
    match.tell({"type": "log_amended", "withdraws": [version], "reason": "it was not so"})
    nothing_hidden_is_told(match)
    match.tell(END)
    all_is_shown(match)


@quick_on_sqlite
def test_a_whole_round_put_in_before_the_one_in_progress_is_shown(league):
    match = hidden_round(league)
    amended(match, 2, *ROUND[:2], END)
    viewer = looking(league, match)
    assert viewer.get("/rounds/1").content == match.get("/rounds/1").content
    *inserted, _ = log_of(viewer)[-1]["data"]["insert"]
    assert inserted[0]["hands"] == HANDS
    assert viewer.get("/hands").json()["hands"]["bo"]["known"] == []
    # The same cards are hidden while the round is in progress.
    assert log_of(viewer)[1]["data"] == {"redacted": ["draw_pile", "hands"]}
    match.tell(END)
    all_is_shown(match)

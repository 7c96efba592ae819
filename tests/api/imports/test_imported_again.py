"""Files of past rounds that are imported, put right, and imported again."""

from pathlib import Path

import pytest

from tests.api.imports.importing import Importer, seen
from tests.api.serving import League, Served, note
from tests.api.serving_kinds import on_both, quick_on_sqlite

TABLE = "basic,ann bo cy di"
DAY = "2024-11-20"


def row(points: str, match: str = "final", *, day: str = DAY, table: str = TABLE, more: str = ""):
    return f"{day},{table},{points},{match},{more}"


FIRST = row("- 20 5 35")
SECOND = row("12 - 8 40")
THIRD = row("9 3 - 1")
BAD = row("12 8 8 40")
BEFORE = row("- 7 1 2", "before", day="2024-11-19")
AFTER = row("4 - 2 2", "after", day="2024-11-21")


@pytest.fixture
def imports(league: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Importer:
    return Importer(league, tmp_path, monkeypatch)


@pytest.fixture
def at_once(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A function that returns what is seen if the corrected file is imported first."""

    def seen_of(*rows: str, **more: bool) -> object:
        league = served.league()
        Importer(league, tmp_path, monkeypatch).done(rows)
        return seen(league, **more)

    return seen_of


@quick_on_sqlite
def test_a_match_with_a_bad_row_is_kept_out_whole_and_goes_in_once_it_is_right(
    league, imports, at_once
):
    first = imports.done([BEFORE, FIRST, BAD, THIRD, AFTER], "--skip-bad")
    assert first == [
        "line 4, match final: nobody won: give the winner - for points, or say winners",
        "match final is kept out as a whole (lines 3 to 5), because of line 4",
        (
            "2 rounds in 2 matches; 2 of the matches were new. 1 bad row was skipped. "
            "1 match was kept out."
        ),
    ]
    assert seen(league) == at_once(BEFORE, AFTER)
    right = [BEFORE, FIRST, SECOND, THIRD, AFTER]
    imports.done(right)
    assert seen(league) == at_once(*right)
    more = [*right, row("- 1 1 1")]
    imports.done(more)
    assert seen(league) == at_once(*more)
    imports.done(more)
    assert imports.appended == []


@quick_on_sqlite
def test_rows_that_are_added_changed_and_removed_make_what_the_right_file_makes(
    league, imports, at_once
):
    """There is one match only, so that ratings can be compared too."""
    history = [
        [FIRST, SECOND],
        [FIRST, SECOND, THIRD],
        [FIRST, SECOND, THIRD, row("- 1 1 1")],
        [FIRST, row("12 8 - 40"), THIRD, row("- 1 1 1")],
        [FIRST, row("12 8 - 40"), row("- 1 1 1")],
        [row("- 1 1 1"), FIRST, row("12 8 - 40")],
        [FIRST, SECOND],
        [FIRST, SECOND, row("- 100 100 400"), row("- 100 100 61")],
        [FIRST, SECOND, row("- 100 100 400"), row("- 100 100 20"), row("- 1 1 1")],
    ]
    for rows in history:
        imports.done(rows, "--correct")
        assert seen(league, ratings=True) == at_once(*rows, ratings=True)
        imports.done(rows)
        assert imports.appended == []
    log = league.viewer.get("/matches/final/events", params={"limit": 1000}).json()["items"]
    reasons = [entry["data"]["reason"] for entry in log if entry["type"] == "log_amended"]
    assert reasons[:2] == ["As in rounds.csv, line 4.", "As in rounds.csv, lines 4 to 5."]


def test_what_was_imported_otherwise_is_listed_by_line_and_asked_about(league, imports):
    imports.done([FIRST, SECOND, THIRD])
    before = seen(league)
    changed = [FIRST, row("12 8 - 40"), row("- 1 1 1")]
    listed = [
        (
            f"line 3, match final: it was imported as [{DAY}: bo won; ann 12; cy 8; di 40], "
            f"the file has [{DAY}: cy won; ann 12; bo 8; di 40]"
        ),
        (
            f"line 4, match final: it was imported as [{DAY}: cy won; ann 9; bo 3; di 1], "
            f"the file has [{DAY}: ann won; bo 1; cy 1; di 1]"
        ),
    ]
    assert imports.refused(changed) == [
        *listed,
        "Error: 1 match was imported otherwise; nothing was imported. --correct puts that right.",
    ]
    assert imports.refused(changed, answers="n\n")[:2] == listed
    shorter = imports.refused([FIRST])
    assert [line[:27] for line in shorter[:2]] == ["behind line 2, match final:"] * 2
    kept = imports.done([*changed, BEFORE], "--skip-bad")
    assert "match final is kept out as a whole (lines 2 to 4), because of line 3" in kept
    assert seen(league).pop("final") == before["final"]
    imports.done([*changed, BEFORE], answers="y\n")
    board = league.viewer.get("/matches/final").json()
    assert (board["totals"], board["amendments"], board["voided"]) == (
        {"ann": 12, "bo": 29, "cy": 6, "di": 76},
        1,
        0,
    )


@on_both
def test_what_is_interrupted_goes_on_where_it_was(league, imports, at_once):
    """The interruption lies between requests, or within a match that is longer than one request."""
    rows = [BEFORE, *[row("- 0 0 0", "long", more=",,1000")] * 1_010, FIRST, SECOND]
    said = [imports(rows, breaks_after=1).output.splitlines()[-1] for _ in range(4)]
    for done in range(3):
        assert said[done] == (
            f"Error: The service does not answer. {(1, 0, 1)[done]} of {(3, 2, 2)[done]} matches "
            "went in before; the same command goes on from there."
        )
    assert said[3].startswith("1013 rounds in 3 matches; 1 of the matches were new.")
    assert seen(league) == at_once(*rows)


def test_whoever_ends_it_by_ctrl_c_is_told_what_went_in(imports):
    def ctrl_c():
        raise KeyboardInterrupt

    so_far = "Interrupted. 0 of 2 matches went in before; the same command goes on from there."
    ended = imports([BEFORE, FIRST], meanwhile=ctrl_c)
    assert (ended.exit_code, ended.output.splitlines()[-1]) == (1, f"Error: {so_far}")
    told = imports.told([BEFORE, FIRST], meanwhile=ctrl_c)
    assert (told["error"], told["complete"]) == (so_far, False)
    imports.done([FIRST])
    told = imports.told([SECOND], answers="")
    assert (told["error"], told["complete"]) == ("Interrupted; nothing was imported.", False)


@on_both
def test_what_was_recorded_without_an_answer_is_not_sent_again(league, imports, at_once):
    for rows in ([FIRST, SECOND], [FIRST, THIRD], [FIRST, THIRD, SECOND]):
        lost = imports(rows, "--correct", answers_lost=True)
        assert lost.exit_code == 1
        assert len(imports.appended) == 1
        imports.done(rows)
        assert imports.appended == []
        assert seen(league) == at_once(*rows)


def test_what_was_amended_in_the_league_is_left_as_it_is_and_said_so(league, imports):
    imports.done([FIRST, SECOND])
    amendment = {"type": "log_amended", "from": 4, "remove": 1, "insert": [], "reason": "x"}
    told = league.owner.post("/matches/final/events", {"events": [amendment]})
    assert told.status_code == 201
    assert imports.done([FIRST, SECOND])[0] == ("match final: it was amended in the league since")
    assert imports.appended == []
    assert imports.refused([FIRST, SECOND, THIRD])[0] == (
        "line 2, match final: it was amended or went on in the league since it was imported: "
        "put it right there"
    )


def test_what_the_service_refuses_is_told_with_line_and_match(league, imports):
    league.match(match="final")
    assert imports.refused([BEFORE, FIRST]) == [
        "line 3, match final: the league has another match of this name; name this one otherwise",
        "Error: 1 bad row; nothing was imported.",
    ]
    imports.done([BEFORE])
    none = " 0 of 1 matches went in before; the same command goes on from there."
    late = imports([AFTER], meanwhile=lambda: league.match(match="after"))
    said = "Error: line 2, match after: There is another match named after."
    assert late.output.splitlines()[-1] == said + none
    more = [BEFORE, row("- 1 1 1", "before", day="2024-11-19")]
    noted = {"events": [note()]}
    late = imports(more, meanwhile=lambda: league.owner.post("/matches/before/events", noted))
    said = "Error: line 3, match before: somebody told more of the match meanwhile."
    assert late.output.splitlines()[-1] == said + none
    league.scorekeeper.token = league.viewer.token
    late = imports([row("- 1 1 1", "other")])
    assert late.output.splitlines()[-1].startswith("Error: line 2: ")


def test_a_date_in_the_future_is_asked_about(league, imports):
    """A day counts as begun by the clock of the machine that runs the command."""
    today, tomorrow = row("- 1 1 1", "today", day="2026-11-22"), row("- 1 1 1", day="2026-11-23")
    later = row("- 1 1 1", "later", day="2026-11-22T23:00:00+00:00")
    assert imports.refused([today, tomorrow, later]) == [
        "line 3, match final: 2026-11-23 lies in the future; --allow-future imports it",
        "line 4, match later: 2026-11-22 lies in the future; --allow-future imports it",
        "Error: 2 bad rows; nothing was imported.",
    ]
    asked = imports.refused([today, tomorrow], answers="n\n")
    assert "line 3, match final: 2026-11-23 lies in the future" in asked
    told = imports.told([today, tomorrow], "--skip-bad")
    assert [(each["match"], each["outcome"]) for each in told["matches"]] == [
        ("today", "imported"),
        ("final", "kept-out"),
    ]
    imports.done([today, tomorrow], answers="y\n")
    imports.done([today, tomorrow, later], "--allow-future")
    listed = league.viewer.get("/matches").json()["items"]
    assert [each["match"] for each in listed] == ["later", "final", "today"]


def test_json_tells_what_was_done(league, imports):
    told = imports.told([BEFORE, FIRST, BAD, "x,basic,ann bo,- 1,,,,"])
    nobody = "nobody won: give the winner - for points, or say winners"
    bad = [
        {"line": 4, "match": "final", "why": nobody},
        {"line": 5, "match": None, "why": "x is no date like 2024-11-20"},
    ]
    whole = {"rounds": 1, "reasons": [], "changes": [], "note": None}
    assert told == {
        "file": "rounds.csv",
        "league": league.slug,
        "complete": False,
        "error": "2 bad rows; nothing was imported.",
        "registered": [],
        "matches": [
            {"match": "before", "outcome": "not-sent", "lines": [2], **whole},
            {"match": "final", "outcome": "kept-out", "lines": [3, 4], **whole}
            | {"rounds": 2, "reasons": bad[:1]},
        ],
        "bad": bad,
    }
    imports.done([BEFORE, FIRST, SECOND])
    new = row("- 1", "new", table="basic,ann ida")
    told = imports.told([BEFORE, FIRST, THIRD, new, AFTER], "--correct")
    assert (told["complete"], told["error"], told["bad"]) == (True, None, [])
    assert told["registered"] == ["ida"]
    assert [(each["match"], each["outcome"]) for each in told["matches"]] == [
        ("before", "already-there"),
        ("final", "corrected"),
        ("new", "imported"),
        ("after", "imported"),
    ]
    assert told["matches"][1]["changes"] == [
        {
            "line": 4,
            "change": "changed",
            "was": f"{DAY}: bo won; ann 12; cy 8; di 40",
            "now": f"{DAY}: cy won; ann 9; bo 3; di 1",
        }
    ]


@quick_on_sqlite
def test_a_table_whose_matches_end_otherwise_after_a_correction(league, imports, at_once):
    """After the correction the earlier matches take the last one's rounds, and it is abandoned."""
    pair = "basic,ann bo"
    rows = [row(points, "", table=pair) for points in ("- 400", "- 120", "30 -", "- 7")]
    imports.done(rows)
    first = [each["match"] for each in league.viewer.get("/matches").json()["items"]][-1]
    lower = [row("- 300", "", table=pair), *rows[1:]]
    listed = imports.refused(lower)
    assert any(line.startswith(f"behind line 5, match {first}-2") for line in listed), listed
    imports.done(lower, "--correct")
    shown = seen(league)
    left_over = shown.pop(f"{first}-2")
    assert (left_over[0]["status"], left_over[0]["round"]) == ("abandoned", 0)
    assert shown == at_once(*lower)
    imports.done(lower)
    assert imports.appended == []
    imports.done(rows, "--correct")
    assert seen(league) == at_once(*rows)


@quick_on_sqlite
def test_names_are_those_of_the_league_and_substitutes_have_their_results(league, imports):
    league.owner.post("/players", {"player": "p-1", "name": "美美"})
    table = 'basic,"Oma Ida, 美美, Zoë"'
    imports.done(
        [
            row("- 5 6", table=table),
            row("- 5 6", table=table.replace("Oma Ida", "Eve"), more="Eve,Oma Ida=Eve"),
        ]
    )
    people = league.viewer.get("/players", params={"limit": 1000}).json()["items"]
    names = {each["player"]: each["name"] for each in people}
    assert {slug: names[slug] for slug in ("oma-ida", "p-1", "zoe", "eve")} == {
        "oma-ida": "Oma Ida",
        "p-1": "美美",
        "zoe": "Zoë",
        "eve": "Eve",
    }
    rounds = league.viewer.get("/matches/final/rounds").json()["items"]
    assert [(each["winners"], each["substitutes"]) for each in rounds] == [
        (["oma-ida"], {}),
        (["oma-ida"], {"oma-ida": "eve"}),
    ]
    table = league.viewer.get("/standings").json()["items"]
    assert [(line["player"], line["won"], line["rounds_won"]) for line in table[:2]] == [
        ("eve", 1, 1),
        ("oma-ida", 0, 1),
    ]

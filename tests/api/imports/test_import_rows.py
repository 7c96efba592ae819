"""A CSV file of past rounds sent as text: its preview, and its import."""

import pytest

from scorekeeper.service.matches.past_matches import PastMatches
from scorekeeper.service.matches.recording import Recording
from scorekeeper.service.refused import Refused
from tests.api.imports.importing import Importer, seen
from tests.api.serving import League
from tests.api.serving_kinds import on_both

HEADING = "date,edition,players,points,match\n"
GOOD = (
    "2024-11-20,basic,ann bo cy di,- 20 5 35,first\n"
    "2024-11-20,basic,ann bo cy di,12 - 8 40,first\n"
    '2024-11-27,mario,"ann, Oma Ida, 美美",40 - 12,second\n'
)
LANGUAGES = {"zh": {"accept-language": "zh-TW"}, "en": {}}


def ask(league: League, rows: str, status: int = 200, **more):
    language = LANGUAGES[more.pop("language", "en")]
    body = {"file": "rounds.csv", "text": HEADING + rows} | more
    answer = league.owner.post("/imports", body, headers=language)
    assert answer.status_code == status, answer.text
    return answer.json()


def outcomes(told) -> dict[str, str]:
    return {each["match"]: each["outcome"] for each in told["matches"]}


def entries(league: League) -> int:
    """How many entries the league's log has."""
    return int(league.owner.get("/log/checkpoint").text.splitlines()[1])


@on_both
def test_a_preview_tells_what_the_import_then_does_and_the_same_again_does_nothing(league):
    before = entries(league)
    told = ask(league, GOOD, preview=True)
    assert entries(league) == before
    assert outcomes(told) == {"first": "new", "second": "new"}
    assert (told["rounds"], told["complete"], told["registered"], told["bad"]) == (3, False, [], [])
    names = {each["player"]: each["name"] for each in told["people"]}
    (other,) = names.keys() - {"oma-ida"}
    assert names == {"oma-ida": "Oma Ida", other: "美美"}

    done = ask(league, GOOD)
    assert outcomes(done) == {"first": "imported", "second": "imported"}
    assert (done["complete"], done["error"], set(done["registered"])) == (True, None, set(names))
    assert league.viewer.get(f"/players/{other}").json()["name"] == "美美"
    assert league.viewer.get("/matches/second").json()["winners"] == ["oma-ida"]

    after = entries(league)
    for preview in (True, False):
        again = ask(league, GOOD, preview=preview)
        assert set(outcomes(again).values()) == {"already-there"}
        assert (again["people"], again["registered"]) == ([], [])
    assert entries(league) == after


def test_a_round_of_first_out_needs_its_winner_alone(league):
    """No hand counts there, so a row of the past says who won, and the same again does nothing."""
    rows = "date,edition,players,points,winners,match,mode\n2024-12-04,basic,ann bo cy,"

    def told(points: str, winners: str, **more: bool):
        text = f"{rows}{points},{winners},quick,first-out\n"
        answer = league.owner.post("/imports", {"file": "rounds.csv", "text": text} | more)
        return answer.json()

    (bad,) = told("", "", preview=True)["bad"]
    assert "nobody won" in str(bad)
    assert outcomes(told("", "ann")) == {"quick": "imported"}
    board = league.viewer.get("/matches/quick").json()
    assert (board["winners"], board["status"]) == (["ann"], "won")
    assert outcomes(told("", "ann")) == {"quick": "already-there"}
    assert outcomes(told("- out out", "")) == {"quick": "already-there"}


@on_both
def test_the_command_and_the_page_make_the_same_of_a_file(league, served, tmp_path, monkeypatch):
    rows = [
        HEADING + GOOD,
        HEADING + GOOD.replace("12 - 8 40", "12 - 9 40"),
        HEADING + GOOD + "2024-11-20,basic,ann bo cy di,- 1 1 1,first\n",
    ]
    other = served.league()
    command = Importer(other, tmp_path, monkeypatch)
    for text in rows:
        body = {"file": "rounds.csv", "text": text, "correct": True}
        answer = league.owner.post("/imports", body)
        assert answer.json()["complete"], answer.text
        command.done(text, "--correct")
        assert seen(league, ratings=True) == seen(other, ratings=True)
    # The command and the API recognise matches that the other one imported.
    command.league = league
    command.done(rows[-1])
    assert command.appended == []


LONG = "Oma " + "I" * 120
BAD = [
    (
        f'2024-12-04,basic,"ann, {LONG}",- 8,\n',
        "players",
        f"a name has at most 120 characters: {LONG[:79]}…",
        f"名字最多 120 個字元：{LONG[:79]}…",
    ),
    (
        "2024-12-04,basic,ann bo,12 8,\n",
        "winners",
        "nobody won: give the winner - for points, or say winners",
        "沒有人獲勝：請把贏家的分數寫成 -，或填 winners",
    ),
    (
        "yesterday,basic,ann bo,- 8,\n",
        "date",
        "yesterday is no date like 2024-11-20",
        "yesterday 不是像 2024-11-20 這樣的日期",
    ),
    (
        "2024-12-04,basic,ann bo,- x,\n",
        "points",
        "points is no number: x",
        "points 不是數字：x",
    ),
    (
        "2024-12-04,basic,ann,-,\n",
        "players",
        "A match has 2 to 10 players, and nobody sits at the table twice: ann.",
        "一場比賽要有 2 到 10 位玩家，而且不能重複入座：ann。",
    ),
    (
        "2024-12-04,basic,ann bo,- 8,,,\n2024-12-04,basic,ann bo,- 8,,more\n",
        None,
        "there are more cells than columns",
        "儲存格比欄位還多",
    ),
    (
        "2999-12-04,basic,ann bo,- 8,\n",
        "date",
        "2999-12-04 lies in the future",
        "2999-12-04 是未來的日期",
    ),
]


@pytest.fixture(scope="module")
def quiet(served):
    """A league into which nothing is imported."""
    return served.league()


@pytest.mark.parametrize(("rows", "column", "english", "chinese"), BAD)
def test_a_bad_row_is_told_with_its_line_its_column_and_why(quiet, rows, column, english, chinese):
    for language, sentence in (("en", english), ("zh", chinese)):
        told = ask(quiet, GOOD + rows, preview=True, language=language)
        (bad,) = told["bad"]
        assert (bad["column"], bad["why"]) == (column, sentence)
        assert bad["line"] == 4 + rows.count("\n")


def test_a_sheet_that_is_none_is_told_by_its_heading(quiet):
    told = quiet.owner.post("/imports", {"text": "who\nann\n", "preview": True}).json()
    (bad,) = told["bad"]
    assert (bad["line"], bad["column"], bad["reason"]) == (1, None, "columns-missing")
    assert bad["why"] == "the heading lacks date, edition, players"


def test_no_more_rows_are_read_than_an_import_takes(quiet):
    told = ask(quiet, "2024-11-20,basic,ann bo,- 1,m\n" * 5_001, preview=True)
    assert told["bad"][-1]["why"] == "a file has at most 5000 rows"
    assert told["bad"][-1]["line"] == 5_002


@on_both
def test_with_a_bad_row_nothing_is_written_unless_its_match_is_to_be_left_out(league):
    rows = GOOD + "2024-11-27,mario,ann bo cy,40 7 12,third\n"
    before = entries(league)
    assert ask(league, rows, preview=True)["undecided"] == ["skip_bad"]
    problem = ask(league, rows, 422)
    assert (problem["code"], problem["reason"]) == ("rows-refused", "bad-rows")
    assert problem["facts"] == {"lines": [5]}
    assert entries(league) == before
    done = ask(league, rows, skip_bad=True)
    assert outcomes(done) == {"first": "imported", "second": "imported", "third": "kept-out"}
    assert done["complete"]


@on_both
def test_what_was_imported_otherwise_is_amended_only_where_that_is_asked_for(league):
    ask(league, GOOD)
    other = GOOD.replace("12 - 8 40", "12 - 8 41")
    told = ask(league, other, preview=True, language="zh")
    assert outcomes(told) == {"first": "different", "second": "already-there"}
    (change,) = told["matches"][0]["changes"]
    assert change == {
        "line": 3,
        "change": "changed",
        "was": "2024-11-20：bo 獲勝；ann 12；cy 8；di 40",
        "now": "2024-11-20：bo 獲勝；ann 12；cy 8；di 41",
    }
    assert told["undecided"] == ["correct"]
    assert ask(league, other, 422)["reason"] == "imported-otherwise"
    left = ask(league, other, skip_bad=True)
    assert outcomes(left) == {"first": "kept-out", "second": "already-there"}
    assert ask(league, other, correct=True)["matches"][0]["outcome"] == "corrected"
    assert ask(league, other, preview=True)["matches"][0]["outcome"] == "already-there"
    board = league.viewer.get("/matches/first").json()
    assert (board["amendments"], board["totals"]["di"]) == (1, 35 + 41)


@on_both
def test_an_import_that_stops_says_what_is_in_and_goes_on_from_there(
    league, monkeypatch: pytest.MonkeyPatch
):
    rows = "".join(f"2024-11-{day},basic,ann bo,- 1,m{day}\n" * 300 for day in range(10, 15))
    bring_in, asked = PastMatches.bring_in, []

    async def fails_then(self, *arguments):
        asked.append(arguments)
        if len(asked) == 2:
            raise Refused("match-full", facts={"most": 1})
        return await bring_in(self, *arguments)

    monkeypatch.setattr(PastMatches, "bring_in", fails_then)
    heading = HEADING.replace("match", "match,target")
    body = {"text": heading + rows.replace("\n", ",1000000\n")}
    stopped = league.owner.post("/imports", body).json()
    assert (stopped["complete"], stopped["error"]["match"]) == (False, "m13")
    assert stopped["error"]["line"] == 2 + 3 * 300
    assert outcomes(stopped) == {
        **dict.fromkeys(("m10", "m11", "m12"), "imported"),
        **dict.fromkeys(("m13", "m14"), "new"),
    }
    done = league.owner.post("/imports", body).json()
    assert done["complete"]
    assert [each["outcome"] for each in done["matches"]] == ["already-there"] * 3 + ["imported"] * 2


def test_a_correction_that_is_refused_is_told_with_the_line_that_differs(
    league, monkeypatch: pytest.MonkeyPatch
):
    ask(league, GOOD)

    async def too_late(*_):
        raise Refused("version-mismatch", facts={"latest": 9}, version=9)

    monkeypatch.setattr(Recording, "record", too_late)
    stopped = ask(league, GOOD.replace("- 20 5 35", "- 20 5 36"), correct=True)
    assert not stopped["complete"]
    error = stopped["error"]
    assert (error["line"], error["match"], error["reason"]) == (2, "first", "version-mismatch")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_text_is_read_as_the_command_reads_a_file(league, mark, end):
    text = mark + (HEADING + GOOD).replace("\n", end)
    told = ask(league, "", text=text, preview=True)
    assert outcomes(told) == {"first": "new", "second": "new"}

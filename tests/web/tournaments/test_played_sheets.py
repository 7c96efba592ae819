"""Sheets of a tournament for paper: lines to write on, and what is known already in their place."""

import re

from tests.api.serving import tally
from tests.web.tournaments.test_tournament_pages import EIGHT, opened, play, text_of

_SHEET = re.compile(r'<section class="sheet scroll"[^>]*>(.*?)</section>', re.DOTALL)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
EMPTY = "<td></td>"


def sheets(league, query="?segment=1"):
    return _SHEET.findall(text_of(league, f"/cup/print{query}"))


def lines_of(sheet):
    """What stands in each line but for the round and its seats; empty cells included."""
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in _ROW.findall(sheet)]
    return [cells[1:] for cells in rows if cells]


def test_a_table_that_is_played_has_its_rounds_on_paper_and_no_lines_to_write_on(served):
    """Whoever prints everything in the middle would get empty sheets of what is over."""
    league = served.league(EIGHT)
    first, *_ = opened(league, EIGHT)
    play(league, [first])
    for table, sheet in zip(first["tables"], sheets(league), strict=True):
        scores = league.viewer.get(f"/matches/{table['match']}/rounds/1").json()["scores"]
        (winner, _), _ = table["teams"]
        played = [winner, *(str(scores[each]) for each in table["rounds"][0]["players"])]
        assert lines_of(sheet) == [played] * 4
        assert EMPTY not in sheet
        assert "All rounds are played." in sheet
        assert "Signed" not in sheet
    assert all(sheet.count(EMPTY) == 4 * 5 for sheet in sheets(league, "?segment=2"))


def test_rounds_that_are_recorded_already_are_not_written_down_again(served):
    league = served.league(EIGHT)
    match = opened(league, EIGHT)[0]["tables"][0]["match"]
    out, *others = league.viewer.get(f"/matches/{match}").json()["players"]
    voided = {"type": "round_voided", "reason": "the table fell over", "redealt": False}
    told = [tally(out, **dict.fromkeys(others, 10)), {"type": "round_started"}, voided]
    league.scorekeeper.post(f"/matches/{match}/events", {"events": told})
    sheet, _ = sheets(league)
    assert lines_of(sheet) == [
        [out, "Recorded already"],
        ["Broken off; it counts for nobody."],
        *[[""] * 5] * 2,
    ]
    assert "Signed" in sheet


def test_what_was_played_at_a_table_before_it_was_abandoned_stands_on_its_sheet(served):
    league = served.league(EIGHT)
    table = opened(league, EIGHT)[0]["tables"][0]
    (out, *_), others = table["teams"]
    told = [tally(out, **dict.fromkeys({*table["teams"][0], *others} - {out}, 10))]
    league.scorekeeper.post(f"/matches/{table['match']}/events", {"events": told})
    gone = {"type": "player_withdrawn", "player": out}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [gone]})
    sheet, _ = sheets(league)
    assert "Abandoned." in sheet
    assert len(lines_of(sheet)) == 1
    assert EMPTY not in sheet

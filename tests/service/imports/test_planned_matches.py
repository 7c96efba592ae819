"""Rows become matches: which rows belong together, and which are kept out by a bad row."""

import io

import pytest

from scorekeeper.cli.terminal.import_report import show_kept_out
from scorekeeper.match.events.events import MatchClosed
from scorekeeper.service.imports.planned_matches import Planned, past_matches
from scorekeeper.service.imports.result_rows import read_rows

HEADING = "date,edition,players,points,cards,winners,match,mode,target,rounds,substitutes\n"
GOOD = "2024-11-20,basic,ann bo cy di,- 20 5 35,,,,,,\n"
HIGH = "2024-11-20,basic,ann bo,- 400,,,,,,\n"


def planned(*lines: str, leave_open: bool = False) -> Planned:
    return past_matches(read_rows(io.StringIO(HEADING + "".join(lines))), leave_open=leave_open)


def types(match) -> list[str]:
    return [type(event).__name__ for event in match.events]


def kept_out(plan: Planned) -> list[tuple[str, tuple[int, ...], list[int]]]:
    return [(each.match, each.lines, [row.line for row in each.bad]) for each in plan.kept_out]


def test_the_same_table_on_the_same_day_is_one_match_and_is_closed():
    plan = planned(GOOD, GOOD)
    (match,) = plan.matches
    assert (plan.bad, match.rounds, match.lines) == ([], 2, (2, 3, 3))
    assert isinstance(match.events[-1], MatchClosed)
    (left_open,) = planned(GOOD, GOOD, leave_open=True).matches
    assert types(left_open) == ["RoundTallied"] * 2


def test_where_a_table_plays_on_after_a_match_is_won_the_next_one_begins():
    plan = planned(HIGH, HIGH, HIGH)
    one, two = plan.matches
    assert plan.bad == []
    assert two.match == f"{one.match}-2"
    assert [one.rounds, two.rounds] == [2, 1]
    assert not isinstance(one.events[-1], MatchClosed)


def test_rows_that_the_rules_refuse_say_why_with_line_and_match():
    named = "2024-11-20,basic,ann bo,- 400,,,final,,,\n"
    (bad,) = planned(named, named, named).bad
    assert (bad.line, bad.match) == (4, "final")
    (bad,) = planned(named, named.replace("ann bo", "ann cy")).bad
    assert (bad.line, bad.match) == (3, "final")
    assert "other players" in bad.why
    (bad,) = planned("2024-11-20,basic,ann bo,,/ red-5 red-5 red-5,,,,,\n").bad
    assert "red-5" in bad.why
    assert bad.match.startswith("past-2024-11-20-")
    (bad,) = planned("2024-11-20,basic,ann bo,- 5,,,,plus-minus,,\n").bad
    assert "rounds" in bad.why


@pytest.mark.parametrize("hands", ["12 8,,ann", ",red-5 / red-2,ann", "12 0,,ann bo"])
def test_a_winner_with_cards_left_is_no_winner(hands):
    """Or else a slip in the one cell would go in, and what the other says would be lost."""
    (bad,) = planned(f"2024-11-20,mickey,ann bo,{hands},final,,,,\n").bad
    assert bad.why == "ann has won the round, so no cards can be left."


@pytest.mark.parametrize("hands", ["- 8,,ann", "0 8,,ann", ",/ red-2,ann"])
def test_a_winner_may_be_named_beside_an_empty_hand(hands):
    plan = planned(f"2024-11-20,mickey,ann bo,{hands},final,,,,\n")
    assert plan.bad == []
    assert set(plan.matches[0].events[0].hands) == {"bo"}


def test_who_sits_in_is_told_before_the_round_and_who_is_back_too():
    rows = ["ann=eve", "ann=eve", "", "ann=fay bo=eve", "ann=eve bo=fay"]
    line = "2024-11-20,basic,ann bo cy,- 1 1,,,,,,,{}\n"
    plan = planned(*(line.format(row) for row in rows))
    (match,) = plan.matches
    told = [
        (line, event.player, event.substitute)
        for line, event in zip(match.lines, match.events, strict=True)
        if type(event).__name__ == "PlayerSubstituted"
    ]
    assert told == [
        (2, "ann", "eve"),
        (4, "ann", "ann"),
        (5, "ann", "fay"),
        (5, "bo", "eve"),
        (6, "ann", "ann"),
        (6, "bo", "bo"),
        (6, "ann", "eve"),
        (6, "bo", "fay"),
    ]
    assert (plan.bad, sorted(set(match.people))) == ([], ["ann", "bo", "cy", "eve", "fay"])


class TestKeptOut:
    """If any row of a match may be bad, no row of it is imported, since the result is unknown."""

    CUP = "2024-11-{day},basic,ann bo,- {points},,,cup,,,\n"

    @pytest.mark.parametrize("bad", ["x", "9999", "- 5 6"])
    def test_a_match_with_a_name_goes_out_with_any_of_its_rows(self, bad):
        rows = [self.CUP.format(day=10 + number, points="5") for number in range(3)]
        rows[1] = self.CUP.format(day=11, points=bad)
        plan = planned(rows[0], GOOD, *rows[1:])
        assert [match.rounds for match in plan.matches] == [1]
        assert kept_out(plan) == [("cup", (2, 4, 5), [4])]
        assert [row.match for row in plan.bad] == ["cup"]

    def test_the_rows_to_blame_are_named_in_the_order_of_the_file(self, capsys):
        """The third and the last can't be read, and one between them the rules refuse."""
        points = ("5", "x", "5", "9999", "5", "x")
        rows = [self.CUP.format(day=10 + day, points=each) for day, each in enumerate(points)]
        plan = planned(*rows)
        assert kept_out(plan) == [("cup", (2, 3, 4, 5, 6, 7), [3, 5, 7])]
        show_kept_out(plan.kept_out)
        assert capsys.readouterr().err.endswith("because of lines 3, 5, 7\n")

    def test_of_a_match_of_which_no_row_can_be_read(self):
        assert kept_out(planned(self.CUP.format(day=10, points="x"))) == [("cup", (2,), [2])]

    def test_a_table_goes_out_from_the_match_on_in_which_a_row_is_bad(self):
        """Matches won before the bad row are imported. Where later ones begin is unknown."""
        bad = HIGH.replace("- 400", "400 400")
        plan = planned(HIGH, HIGH, HIGH, bad, HIGH, HIGH)
        (first,) = plan.matches
        assert first.rounds == 2
        assert kept_out(plan) == [
            (f"{first.match}-2", (4, 6), [5]),
            (f"{first.match}-3", (7,), [5]),
        ]

    def test_a_row_behind_a_match_that_was_won_leaves_it_alone(self):
        plan = planned(HIGH, HIGH, HIGH.replace("- 400", "x x"))
        assert [match.rounds for match in plan.matches] == [2]

    @pytest.mark.parametrize(
        ("row", "out"),
        [
            ("yesterday,basic,ann bo,- 5,,,,,,\n", [2]),
            ("2024-11-20,chess,ann bo,- 5,,,,,,\n", [2]),
            ("2024-11-21,basic,ann ann,- 5,,,,,,\n", [4]),
            ("yesterday,basic,ann ann,- 5,,,,,,\n", [2, 3, 4]),
            ("2024-11-20,basic,ann bo,- 5,,,,,,,,,,more\n", [2]),
            ("2024-11-20,basic,ann,bo,- 5,,,final,,,,,,\n", [2, 3, 5]),
            ("2024-11-20,basic,ann bo,five,,,,,,\n", [2]),
            ("2024-11-20,basic,ann bo,- 5 6,,,final,,,\n", [5]),
            ("2024-11-20,basic,ann,bo,- 5\n", [2, 3, 5]),
            ("2024-11-20,basic,Oma Ida, bo,- 5 6\n", [2, 3, 5]),
        ],
    )
    def test_what_can_not_be_read_of_a_row_may_be_anything(self, row, out):
        """Lines 2 to 4 are matches without a name, line 5 is one with a name."""
        tables = [
            "2024-11-20,basic,ann bo,- 5,,,,,,\n",
            "2024-11-20,basic,cy di,- 5,,,,,,\n",
            "2024-11-21,basic,cy di,- 5,,,,,,\n",
            "2024-11-20,basic,ann bo,- 5,,,final,,,\n",
        ]
        plan = planned(*tables, row)
        assert sorted(line for each in plan.kept_out for line in each.lines if line < 6) == out
        assert len(plan.matches) == 4 - len(out)


def test_the_same_rows_get_the_same_ids_in_one_league_and_others_elsewhere():
    here, again, elsewhere = (
        [event.id for event in planned(GOOD).matches[0].with_ids(league).events]
        for league in ("home", "home", "away")
    )
    # These ids are those of a file that was imported years ago.
    assert here == ["5298390d-0d0b-5ccd-b3b3-845350969e25", "0da37dcf-5c88-5da8-91e2-88327127912c"]
    assert here == again
    assert not set(here) & set(elsewhere)

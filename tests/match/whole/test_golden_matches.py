"""Whole matches in plain text, which a person can check with a pencil.

Above the first blank line stands the title. Each line below is a keyword and its value.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import (
    MatchClosed,
    PlayerSubstituted,
    RoundEnded,
    RoundStarted,
    RoundTallied,
    RoundVoided,
    SeatsChanged,
)
from scorekeeper.projections.scoreboard import rounds
from tests.match.story import NAMES, Story, given, hand

MATCHES = sorted((Path(__file__).parents[2] / "golden" / "matches").glob("*.txt"))
HEADER = ("edition", "players", "teams", "extra", "mode", "target", "rounds", "dealer")
TELLING = ("out", "dealer", "caught", "sheet")


def lines_of(path: Path) -> list[tuple[str, str]]:
    _, text = path.read_text(encoding="utf-8").split("\n\n", 1)
    words = (re.split(r"\s{2,}|(?<=^round) ", line, maxsplit=1) for line in text.splitlines())
    return [(word[0], word[1] if len(word) > 1 else "") for word in words if word != [""]]


def opened(lines: list[tuple[str, str]]) -> Story:
    said = dict(lines)
    fields = {}
    if "teams" in said:
        fields["teams"] = [team.split("+") for team in said["teams"].split()]
    for limit in ("target", "rounds"):
        if limit in said:
            fields[limit] = None if said[limit] == "none" else int(said[limit])
    extra = (line.split() for word, line in lines if word == "extra")
    cards = {name: {"count": int(count), "points": int(n)} for name, count, _, n in extra}
    if cards:
        fields["options"] = {"extra_cards": cards}
    if "dealer" in said:
        fields["dealer"] = said["dealer"]
    return given(said["edition"], said["players"].split(), said.get("mode"), **fields)


def numbers(said: str) -> dict[str, int]:
    words = said.split()
    return {player: int(n) for player, n in zip(words[::2], words[1::2], strict=True)}


def tallied(lines: list[tuple[str, str]]) -> RoundTallied:
    said = dict(lines)
    hands = {}
    for word, line in lines:
        if word.startswith("hand "):
            held, _ = line.split("=")
            by_points = re.fullmatch(r"(\d+) points(?: in (\d+) cards?)?", held.strip())
            if by_points is None:
                told = held.split()
            elif by_points[2]:
                told = (int(by_points[1]), int(by_points[2]))
            else:
                told = int(by_points[1])
            hands[word.removeprefix("hand ")] = hand(told)
    return RoundTallied(
        winners=tuple(said["out"].split()),
        hands=None if "sheet" in said else hands,
        scores=numbers(said["sheet"]) if "sheet" in said else None,
        charges=numbers(said["caught"]) if "caught" in said else None,
        dealer=said.get("dealer"),
    )


def expect(match: Story, word: str, said: str) -> None:
    if word == "scores":
        assert rounds(match.state)[-1].scores == numbers(said)
    elif word == "totals":
        assert match.board.totals == numbers(said)
    elif word == "next":
        who = said.removesuffix(" deals")
        assert match.board.dealer == (who if who in NAMES else None)
        assert match.board.phase == "ready"
    elif word == "eliminated":
        assert match.board.eliminated == tuple(said.split())
    elif word == "won by":
        assert (match.board.status, match.board.winners) == ("won", tuple(said.split()))
    else:
        raise AssertionError(f"what does {word!r} say?")


def play(path: Path) -> Story:
    lines = lines_of(path)
    begin = next(n for n, (word, _) in enumerate(lines) if word not in HEADER)
    match = opened(lines[:begin])
    todo = lines[begin:]
    while todo:
        word, said = todo.pop(0)
        if word == "round":
            telling = []
            while todo and (todo[0][0] in TELLING or todo[0][0].startswith("hand ")):
                telling.append(todo.pop(0))
            match = match.when(tallied(telling))
            assert match.board.round == int(said)
            check_hands(match, telling)
        elif word == "void":
            voided = RoundVoided(reason=said, redealt=said == "again")
            match = match.when(RoundStarted(), voided)
        elif word == "seats":
            match = match.when(SeatsChanged(players=tuple(said.split())))
        elif word == "substitute":
            player, substitute = said.split(" by ")
            match = match.when(PlayerSubstituted(player=player, substitute=substitute))
        elif word == "close":
            match = match.when(MatchClosed(reason=said))
        else:
            expect(match, word, said)
    return match


def check_hands(match: Story, telling: list[tuple[str, str]]) -> None:
    """Assert that each hand in the text has the points that the book counts."""
    (ended,) = (one.event for one in match.added if isinstance(one.event, RoundEnded))
    for word, line in telling:
        if word.startswith("hand "):
            assert ended.hand_points[word.removeprefix("hand ")] == int(line.split("=")[1])


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_as_it_stands_on_paper(path):
    match = play(path)
    assert match.board.phase == "over"
    assert match.replayed().winners == match.board.winners


def test_two_for_each_edition_and_every_mode():
    openings = [opened(lines_of(path)).board for path in MATCHES]
    of_edition = Counter(board.edition for board in openings)
    too_few = [edition for edition, _ in EDITIONS if of_edition[edition] < 2]
    assert too_few == [], "two matches of each edition lie in tests/golden/matches"
    assert {board.scoring.mode for board in openings} == {
        "winner-collects",
        "lowest-total",
        "plus-minus",
        "elimination",
        "first-out",
    }

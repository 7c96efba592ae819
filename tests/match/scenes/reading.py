"""Reads the file of a golden round; tests/golden/rounds/README.md describes the form.

Above the dashes stands what was given, below them what happened. A line of what happened is
`told -> expected; expected`. Below the double line stands how things are in the end.
`play on: ann red-1, bo red-2` is plays about which nothing is claimed. Comments begin with `#`.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tests.match.scenes.telling import Told, told

Expected = tuple[tuple[str, str], ...]
"""Pairs of the name of a claim, such as `turn`, and its value."""


class Line(NamedTuple):
    """One event that is told, and what is claimed to follow from it.

    `text` is the line of the file, for the message of a failing test. `quiet`: the line claims
    nothing.
    """

    text: str
    told: Told
    expected: Expected
    quiet: bool = False


class GoldenRound(NamedTuple):
    """A parsed file.

    `start` and `first` are told before the first line, and nothing may follow from them.

    `in_full`: the end is the same if the table tells every entry itself, so this is tested too.
    """

    title: str
    clauses: tuple[str, ...]
    opening: dict[str, Any]
    start: Told | None
    pile_on_top: tuple[str, ...] | None
    first: Told | None
    lines: tuple[Line, ...]
    end: Expected
    in_full: bool


CLAIMS = (
    "refused",
    "turn",
    "top",
    "color",
    "owes",
    "names",
    "inferred",
    "flags",
    "pile",
    "phase",
    "direction",
    "counts",
    "hand",
    "awaiting",
    "dealer",
    "round",
    "violations",
    "scores",
    "points",
    "totals",
    "winners",
    "out of the match",
    "won by",
)


def read(path: Path) -> GoldenRound:
    """Parse a golden round's file. Raises ValueError, which quotes the unreadable line."""
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> GoldenRound:
    """Parse the text of a golden round; see `read`."""
    given, happened = text.split("\n---\n", 1)
    happened, _, end = happened.partition("\n===\n")
    title = text.partition("\n")[0].removeprefix("#").strip()
    header, hands = _header(given)
    start = _start(header, hands) if header.get("deal") != "none" else None
    return GoldenRound(
        title=title,
        clauses=tuple(header["clauses"].split()),
        opening=_opening(header),
        start=start,
        pile_on_top=tuple(header["pile on top"].split()) if "pile on top" in header else None,
        first=told(f"turned up: {header['first']}") if "first" in header else None,
        lines=tuple(line for one in _said(happened) for line in _lines(one)),
        end=tuple(_end(one) for one in _said(end)),
        in_full=header.get("told in full") != "no",
    )


def _said(text: str) -> list[str]:
    """Return the lines without comments and blanks. An indented line continues the last one."""
    said: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and said:
            said[-1] += f" {line.strip()}"
        elif line.strip() and not line.startswith("#"):
            said.append(line.strip())
    return said


def _header(given: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    header: dict[str, str] = {}
    hands: dict[str, list[str]] = {}
    for line in given.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, said = line.partition(":")
        if not colon:
            raise ValueError(f"no colon in {line!r}")
        if line.startswith(" "):
            hands[name.strip()] = said.split()
        elif name != "hands":
            header[name] = said.strip()
    return header, hands


def _opening(header: dict[str, str]) -> dict[str, Any]:
    opening: dict[str, Any] = {
        "edition": header["edition"],
        "players": header["players"].split(),
    }
    scoring: dict[str, Any] = {}
    if "mode" in header:
        scoring["mode"] = header["mode"]
    for limit in ("target", "rounds"):
        if limit in header:
            scoring[limit] = None if header[limit] == "none" else int(header[limit])
    if scoring:
        opening["scoring"] = scoring
    if "teams" in header:
        opening["teams"] = [team.split("+") for team in header["teams"].split()]
    if "house rules" in header:
        chosen = (one.split("=") for one in header["house rules"].split())
        opening["house_rules"] = {n: int(v) if v.isdigit() else v for n, v in chosen}
    if "options" in header:
        opening["options"] = json.loads(header["options"])
    return opening


def _start(header: dict[str, str], hands: dict[str, list[str]]) -> Told:
    start: Told = {"type": "round_started", "dealer": header["dealer"]}
    return {**start, "hands": hands} if hands else start


def _lines(said: str) -> list[Line]:
    happened, _, expected = said.partition(" ->")
    if happened.startswith("play on:"):
        plays = happened.removeprefix("play on:").split(",")
        return [
            Line(play.strip(), told(" plays ".join(play.split(maxsplit=1))), (), quiet=True)
            for play in plays
        ]
    claims = tuple(_claim(one.strip()) for one in expected.split(";") if one.strip())
    return [Line(said, told(happened.strip()), claims)]


def _claim(said: str) -> tuple[str, str]:
    for name in CLAIMS:
        if said == name or said.startswith(f"{name} "):
            return name, said.removeprefix(name).strip()
    raise ValueError(f"what does {said!r} claim?")


def _end(said: str) -> tuple[str, str]:
    name, colon, claim = said.partition(":")
    if not colon or name not in CLAIMS:
        raise ValueError(f"what does {said!r} claim?")
    return name, claim.strip()

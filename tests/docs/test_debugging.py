"""docs/debugging.md is run as it is printed."""

import contextlib
import io
import re
from pathlib import Path

from tests.api.serving import serving

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/debugging.md"
_STEP = re.compile(r"^```python\n(.*?)^```\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLAYED = [
    {"type": "round_started", "dealer": "ann"},
    {"type": "first_card_turned", "card": "red-draw-two"},
    {"type": "card_played", "player": "cy", "card": "red-5"},
    {"type": "card_played", "player": "bo", "card": "blue-3", "as_played": True},
]


def test_every_block_prints_what_stands_below_it(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        admin = served.ask("POST", "/v1/leagues", json={"league": "home", "name": "Home"})
        assert admin.status_code == 201
        players = ["ann", "bo", "cy", "di"]
        for player in players:
            served.ask("POST", "/v1/leagues/home/players", json={"player": player, "name": player})
        opening = {"match": "friday", "edition": "basic", "players": players, "events": PLAYED}
        opened = served.ask("POST", "/v1/leagues/home/matches", json=opening)
        assert opened.status_code == 201, opened.text
    steps = _STEP.findall(PAGE.read_text(encoding="utf-8"))
    assert len(steps) == PAGE.read_text(encoding="utf-8").count("```python")
    known: dict[str, object] = {"URL": sqlite_url}
    for typed, shown in steps:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(typed, str(PAGE), "exec"), known)
        assert printed.getvalue() == shown

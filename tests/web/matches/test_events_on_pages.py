"""The lists of events in the pages' modules agree with the core."""

import re
from importlib.resources import files
from typing import get_args

from scorekeeper.match.events.events import DisputeOpened, TableEvent
from scorekeeper.match.readings.reader import STAYING

STATIC = files("scorekeeper.web") / "static"
ASKED_FOR = {"round_started", "first_card_turned"}
"""Events that are offered when the state asks for them, and not under "More"."""
OTHER_PAD = {"round_tallied"}


def tags(*kinds: type) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in kinds}  # type: ignore[attr-defined]


def in_module(path: str, found: str) -> str:
    [text] = re.findall(found, (STATIC / path).read_text(encoding="utf-8"), re.DOTALL)
    return str(text)


def test_what_is_said_about_the_log_is_not_tried_otherwise():
    listed = in_module("replay/trial.js", r"const STAYING = \[(.*?)\]")
    assert set(re.findall(r'"(\w+)"', listed)) == tags(*STAYING)


def test_every_event_of_the_table_can_be_told_card_by_card_and_has_a_title():
    offered = in_module("cards/telling.js", r"const EVENTS = \{(.*?)\n\};")
    titled = in_module("cards/telling.js", r"const titles = \(\) => \(\{(.*?)\n\}\)")
    told = tags(*get_args(TableEvent), DisputeOpened) - ASKED_FOR - OTHER_PAD
    for text in (offered, titled):
        listed = set(re.findall(r"^  (\w+):", text, re.MULTILINE))
        assert listed == told, "EVENTS and titles in cards/telling.js list each of them"

"""docs/house-rules.md: its tables match the registry, and its examples work."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from scorekeeper.editions import registry as editions
from scorekeeper.editions.house_rules import registry
from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION
from scorekeeper.editions.registry import edition_ids, opened_now
from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.rules.edition import HouseRule, Variant
from scorekeeper.simulation import leagues
from scorekeeper.web import house_rules as on_pages
from tests.api.serving import serving

PAGE = (Path(__file__).resolve().parents[2] / "docs/house-rules.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    _, _, after = PAGE.partition(f"## {heading}\n")
    return after.partition("\n## ")[0]


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table's rows, without the heading and the line below it."""
    rows = [line for line in section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def blocks(heading: str, language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```", section(heading), re.MULTILINE | re.DOTALL)
    assert found
    return found


def offered(rule: HouseRule) -> list[str]:
    """Return a rule's row; if the booklets differ, it lists the value of each."""
    by_booklet = {rule.by_booklet(edition) for edition in editions.EDITIONS.values()}
    booklet = " or ".join(sorted(map(str, by_booklet)))
    if rule.numbers is None:
        variants = ", ".join(f"`{variant}`" for variant in rule.choices)
        return [f"`{rule.name}`", f"`{booklet}`", variants, ", ".join(rule.clauses)]
    numbers = f"{rule.numbers[0]} to {rule.numbers[-1]}"
    return [f"`{rule.name}`", booklet, numbers, ", ".join(rule.clauses)]


def test_all_that_is_offered_is_listed_and_nothing_else() -> None:
    assert table("What is offered") == [offered(rule) for rule in HOUSE_RULES[REVISION]]
    named = [row[0] for row in table("What others call it")]
    assert named == [f"`{rule.name}`" for rule in HOUSE_RULES[REVISION]]


def test_what_excludes_each_other_is_listed() -> None:
    told = {
        tuple(re.findall(r"`(\w+)`", what))
        for what, _ in table("What excludes what")
        if " with " in what
    }
    assert told == {(other, rule.name) for rule in HOUSE_RULES[REVISION] for other in rule.excludes}


def test_the_example_leads_to_what_is_printed(sqlite_url: str) -> None:
    opening, events, shown = blocks("Opening a match with them", "json")
    root = "/v1/leagues/home"
    with serving(sqlite_url) as served:
        served.ask("POST", "/v1/leagues", json={"league": "home", "name": "Home"})
        for player in json.loads(opening)["players"]:
            served.ask("POST", f"{root}/players", json={"player": player, "name": player})
        opened = served.ask("POST", f"{root}/matches", json=json.loads(opening))
        assert opened.status_code == 201, opened.text
        told = {"events": [json.loads(line) for line in events.splitlines()]}
        answer = served.ask("POST", f"{root}/matches/house/events", json=told)
        assert answer.status_code == 201, answer.text
    state = answer.json()["state"]
    expected = json.loads(shown)
    assert {name: state[name] for name in expected} == expected


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[HouseRule]:
    """The page's example of a house rule, registered with the line that the page gives."""
    file, line = blocks("Adding one", "python")
    known: dict[str, Any] = {}
    exec(compile(file, "house-rules.md", "exec"), known)
    more = eval(f"{{{line}}}", known | {"HOUSE_RULES_OF_1": HOUSE_RULES[1]})
    monkeypatch.setattr(registry, "HOUSE_RULES", {**HOUSE_RULES, **more})
    monkeypatch.setattr(editions, "REVISION", max(more))
    for module in (on_pages, leagues):
        monkeypatch.setattr(module, "HOUSE_RULES", registry.HOUSE_RULES)
        monkeypatch.setattr(module, "REVISION", max(more))
    yield known["DRAWN_PAIRS"]
    editions._played.cache_clear()


def opened(edition_id: str, **chosen: Variant) -> MatchOpened | Refusal:
    edition = opened_now(edition_id, chosen)
    assert edition is not None
    players = ("ann", "bo", "cy")
    return open_match(
        edition, Opening(edition=edition_id, players=players, dealer="ann", house_rules=chosen)
    )


def begun(first: MatchOpened) -> State:
    edition = opened_now(first.edition, first.house_rules)
    assert edition is not None
    return initial(edition, first)


def tell(state: State, *events: dict[str, object]) -> Recorded | Refusal:
    return record(state, [msgspec.convert(event, ToldEvent) for event in events])


@pytest.mark.parametrize("edition_id", edition_ids())
def test_a_house_rule_that_is_added_so_is_played_in_every_edition(
    edition_id: str, added: HouseRule
) -> None:
    first = opened(edition_id, drawn_pairs="two")
    assert isinstance(first, MatchOpened)
    assert first.house_rules_revision == 2
    dealt = tell(
        begun(first), {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"}
    )
    assert isinstance(dealt, Recorded)
    drawn = tell(dealt.state, {"type": "cards_drawn", "player": "bo", "count": 2})
    assert isinstance(drawn, Recorded)
    board = scoreboard(drawn.state, match="m", position=1)
    assert (board.house_rules, board.house_rules_revision) == ({"drawn_pairs": "two"}, 2)
    refused = tell(drawn.state, {"type": "cards_drawn", "player": "bo"})
    assert isinstance(refused, Refusal)
    assert [violation.clause for violation in refused.violations] == ["V-DRAW-PAIR"]
    (clause,) = added.clauses
    assert drawn.state.edition.clause(clause).text == added.clauses[clause]
    assert on_pages.offered("zh-TW")[-1].label == added.label.zh_tw
    assert [rule.label for rule in on_pages.house_rules_in_force(board, "en")] == [added.label.en]


def test_it_excludes_what_it_says_and_leaves_older_matches_alone(added: HouseRule) -> None:
    refused = opened("basic", drawn_pairs="two", drawing="until-playable")
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.facts["house_rules"]) == (
        "house-rule-invalid",
        ("drawing", "drawn_pairs"),
    )
    before = editions.edition_in_force("basic", 1, {"seven": "swap"}, 1)
    assert added.name not in {rule.name for rule in HOUSE_RULES[1]}
    assert all(clause.id not in added.clauses for clause in before.clauses)


def test_simulated_tables_play_by_it_and_by_nothing_that_it_excludes(added: HouseRule) -> None:
    booklet = editions.EDITIONS["basic", 1]
    chosen = [leagues.any_house_rules(Random(seed), booklet, 4) for seed in range(60)]
    assert any(added.name in each for each in chosen)
    for each in chosen:
        assert isinstance(opened("basic", **each), MatchOpened), each

"""A revision of the house rules that a match may have used never changes, its words included."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, house_rule_clauses, played_by
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.edition import HouseRule, Variant

DIGESTS = Path(__file__).with_name("house_rule_digests.txt")
CLAUSE_IDS = Path(__file__).with_name("house_rule_clause_ids.txt")
EVERY_RULE = [(revision, rule) for revision, rules in HOUSE_RULES.items() for rule in rules]
BOOKLETS = ("mario", "basic", "mickey", "hello-kitty", "classic-2025")
"""The editions that the digests are made of. A later edition has a digest of its own."""


def variants(rule: HouseRule) -> list[Variant]:
    return list(rule.choices) if rule.numbers is None else list(rule.numbers)


def digest(revision: int, rule: HouseRule, variant: Variant) -> str:
    """Hash the booklets with this house rule, as sorted JSON without defaults."""
    found = hashlib.sha256()
    for name in BOOKLETS:
        held = EDITIONS[name, 1]
        played = played_by(held, {rule.name: variant}, revision)
        found.update(msgspec.json.encode(played, order="sorted"))
    return found.hexdigest()


def lines() -> Iterator[str]:
    for revision, rule in EVERY_RULE:
        for variant in variants(rule):
            yield f"{revision} {rule.name} {variant} {digest(revision, rule, variant)}"


def test_every_variant_is_what_it_was() -> None:
    """A line never changes: what differs is a new revision, which gets lines of its own."""
    frozen = DIGESTS.read_text(encoding="utf-8").splitlines()
    new = "\n".join(line for line in lines() if line not in frozen)
    assert list(lines()) == frozen, f"what is new goes into {DIGESTS.name}:\n{new}"


def test_every_clause_of_a_house_rule_is_listed_and_no_other() -> None:
    """The clauses that are listed need a test that keeps them and one that breaks them."""
    listed = CLAUSE_IDS.read_text(encoding="utf-8").split()
    clauses = {clause.id for revision in HOUSE_RULES for clause in house_rule_clauses(revision)}
    assert len(set(listed)) == len(listed)
    assert set(listed) == clauses, f"what is new goes into {CLAUSE_IDS.name}, and stays there"


@pytest.mark.parametrize("revision", HOUSE_RULES)
@pytest.mark.parametrize("held", EDITIONS.values(), ids=lambda held: held.id)
def test_what_the_booklet_says_itself_changes_no_value(held, revision) -> None:
    said = {rule.name: rule.by_booklet(held) for rule in HOUSE_RULES[revision]}
    played = played_by(held, said, revision)
    assert msgspec.structs.replace(played, clauses=held.clauses, house=held.house) == held
    assert played.house.chosen == {}


@pytest.mark.parametrize(("revision", "rule"), EVERY_RULE)
def test_a_house_rule_cites_its_own_clauses_and_touches_no_edition(revision, rule) -> None:
    before = [msgspec.json.encode(held) for held in EDITIONS.values()]
    cited = {clause for choice in rule.choices.values() for clause in choice.clauses}
    assert cited == set(rule.clauses) or rule.numbers is not None
    for held in EDITIONS.values():
        for variant in variants(rule):
            played = played_by(held, {rule.name: variant}, revision)
            assert played.house.chosen in ({}, {rule.name: variant})
            for clause in rule.clauses:
                assert played.clause(clause).source == "house-rules"
    assert [msgspec.json.encode(held) for held in EDITIONS.values()] == before

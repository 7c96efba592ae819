"""What holds for every edition of the registry, and for an invented one in these tests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from scorekeeper.editions.beside_booklets import LENT_MODES
from scorekeeper.editions.registry import EDITIONS, edition_in_force, latest
from scorekeeper.rules.cards import FACES, ExtraCard, face
from scorekeeper.rules.clauses import READING, Cited, Text
from scorekeeper.rules.edition import Edition, ModeDefault, SharedRules
from scorekeeper.rules.scoring import MODES
from tests.editions.invented_edition import INVENTED

HERE = Path(__file__).parent
REGISTERED = list(EDITIONS.values())
each = pytest.mark.parametrize("held", [*REGISTERED, INVENTED], ids=lambda held: held.id)


def parts(whole: Any) -> Iterable[Any]:
    """Return the parts of a mapping, tuple or struct. A plain value has none."""
    if isinstance(whole, Mapping):
        return cast("Mapping[object, Any]", whole).values()
    if isinstance(whole, tuple):
        return cast("tuple[Any, ...]", whole)
    if isinstance(whole, msgspec.Struct):
        return [getattr(whole, name) for name in whole.__struct_fields__]
    return ()


def cited_clauses(whole: Any) -> Iterator[str]:
    """Yield the id of every clause that a value in here cites."""
    if isinstance(whole, Cited | ModeDefault):
        yield whole.clause
    if isinstance(whole, SharedRules):
        yield from parts(whole)
    for part in parts(whole):
        yield from cited_clauses(part)


def texts(held: Edition) -> Iterator[Text]:
    yield held.name
    for clause in held.clauses:
        yield clause.text


def test_the_registry_lists_the_booklets_in_their_order() -> None:
    assert list(EDITIONS) == [
        ("mario", 1),
        ("basic", 1),
        ("mickey", 1),
        ("hello-kitty", 1),
        ("classic-2025", 1),
    ]
    assert [held.letter for held in REGISTERED] == ["M", "B", "D", "H", "C"]
    assert [held.source for held in REGISTERED] == ["000", "001", "002", "003", "004"]


def test_an_edition_is_found_under_its_own_name_and_revision() -> None:
    for (name, revision), held in EDITIONS.items():
        assert (held.id, held.revision) == (name, revision)
        assert edition_in_force(name, revision, None, None) is held
    assert latest("basic") is EDITIONS["basic", 1]


def test_an_edition_that_nobody_listed_is_not_found() -> None:
    assert latest("travel") is None
    with pytest.raises(KeyError):
        edition_in_force("basic", 2, None, None)


def test_the_registry_holds_every_clause_of_the_rulebook_and_no_other() -> None:
    listed = (HERE / "clause_ids.txt").read_text(encoding="utf-8").split()
    held = {clause.id for one in REGISTERED for clause in one.clauses}
    assert len(set(listed)) == len(listed)
    assert held == set(listed), "a clause is listed in clause_ids.txt as well, and stays there"


def test_every_card_that_has_a_face_is_in_some_booklet() -> None:
    named = {card for held in REGISTERED for card in held.deck.value}
    assert sorted(FACES.keys() - named) == []


def test_a_clause_says_the_same_wherever_it_is_listed() -> None:
    said: dict[str, object] = {}
    for held in REGISTERED:
        for clause in held.clauses:
            assert said.setdefault(clause.id, clause) == clause


@each
def test_the_deck_names_no_more_cards_than_the_box_holds(held: Edition) -> None:
    size = sum(held.deck.value.values())
    assert size <= held.box_size.value
    assert held.box({}).size == size


@each
def test_every_card_of_the_deck_has_a_face_points_and_a_rule(held: Edition) -> None:
    assert held.points.value.keys() == held.deck.value.keys()
    for card in held.deck.value:
        assert card in FACES, "a new colour or wild is named in scorekeeper/rules/cards.py as well"
        assert held.card_rule(card) in held.cards.values()
        assert face(card).color in (None, *held.colors.value)


@each
def test_every_rule_is_about_a_card_that_the_box_can_hold(held: Edition) -> None:
    symbols = {"number" if face(card).is_number else face(card).symbol for card in held.deck.value}
    extra = {"extra"} if "extra_cards" in held.options else set[str]()
    assert set(held.cards) == symbols | extra
    assert held.lays_on_penalty.value <= symbols
    assert set(held.last_card_draws.value) <= symbols
    assert held.joint_winner_cards.value <= symbols


@each
def test_the_effects_of_a_card_are_of_one_kind(held: Edition) -> None:
    for rule in held.cards.values():
        for effect in (rule.played.value, rule.played_two_players.value):
            kinds = (
                effect.as_agreed,
                effect.own_discards or effect.other_discards,
                effect.lays_off or effect.gift,
                effect.hands_from,
            )
            assert sum(map(bool, kinds)) <= 1, "see Effect, in rules/parameters.py"


@each
def test_every_parameter_cites_a_clause_that_the_edition_lists(held: Edition) -> None:
    listed = [clause.id for clause in held.clauses]
    assert len(set(listed)) == len(listed)
    cited = {
        *cited_clauses(held),
        *held.option_clauses.values(),
        *held.team_clauses.values(),
    }
    assert len(cited) > 10
    assert cited <= set(listed)


@each
def test_every_parameter_is_cited(held: Edition) -> None:
    plain = {"id", "letter", "revision", "name", "source", "clauses", "house"}
    by_clause = {"option_clauses", "team_clauses"}
    for field in msgspec.structs.fields(Edition):
        if field.name in plain | by_clause:
            continue
        value = getattr(held, field.name)
        assert value is None or list(cited_clauses(value)), field.name


@each
def test_a_clause_is_the_booklets_own_a_reading_or_borrowed(held: Edition) -> None:
    for clause in held.clauses:
        own = clause.id.startswith(f"{held.letter}-")
        assert own == (clause.source == held.id)
        assert clause.id.startswith("X-") == (clause.source == READING)
        assert held.clause(clause.id) is clause
    with pytest.raises(KeyError):
        held.clause("Q-NOTHING")


@each
def test_every_text_stands_in_both_languages(held: Edition) -> None:
    for text in texts(held):
        assert text.en.strip() == text.en != ""
        assert text.zh_tw.strip() == text.zh_tw != ""
        assert text.en != text.zh_tw
        assert text.en.isascii()


@each
def test_a_reading_says_that_it_is_one(held: Edition) -> None:
    for clause in held.clauses:
        ours = "reading" in clause.text.en or "of no booklet" in clause.text.en
        ours_in_chinese = "解讀" in clause.text.zh_tw or "並非出自說明書" in clause.text.zh_tw
        assert ours == ours_in_chinese, clause.id
        if clause.source == READING:
            assert ours, clause.id


@each
def test_chinese_texts_use_the_characters_of_taiwan(held: Edition) -> None:
    simplified = set("张个轮输赢发给计总达规则颜选开题为")
    for text in texts(held):
        assert not simplified & set(text.zh_tw), text.zh_tw


@each
def test_every_scoring_mode_can_be_played(held: Edition) -> None:
    assert held.modes.keys() == MODES.keys() == LENT_MODES.keys()
    assert held.default_mode.value in held.modes
    assert not held.modes[held.default_mode.value].borrowed
    assert held.modes[held.default_mode.value].clause == held.default_mode.clause
    for name, mode in held.modes.items():
        assert mode.borrowed == (held.clause(mode.clause).source not in (held.id, READING))
        assert mode.team_scoring == MODES[name].team_scoring  # type: ignore[index]


@each
def test_the_modes_end_where_the_rulebook_says(held: Edition) -> None:
    ends = {name: (mode.target, mode.rounds) for name, mode in held.modes.items()}
    assert ends == {
        "winner-collects": (500, None),
        "lowest-total": (500, None),
        "plus-minus": (None, None),
        "elimination": (500, None),
        "first-out": (None, 1),
    }


@each
def test_an_extra_card_joins_the_box_unless_the_deck_names_it(held: Edition) -> None:
    more = held.box({"blank": ExtraCard(count=3, points=40)})
    bare = held.box({})
    assert more.size == bare.size + 3
    assert Counter(dict(more.by_points)) - Counter(dict(bare.by_points)) == {40: 3}
    with pytest.raises(ValueError, match="wild is no extra card"):
        held.box({"wild": ExtraCard(count=1, points=50)})


@each
def test_an_edition_survives_the_wire(held: Edition) -> None:
    """Everything in it is plain data."""
    again: Any = msgspec.json.decode(msgspec.json.encode(held))
    assert again["id"] == held.id
    assert len(again["cards"]) == len(held.cards)

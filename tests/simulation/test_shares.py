"""What happens at simulated tables happens at real ones too, about as often."""

from collections import Counter
from random import Random
from typing import get_args

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.card_events import CardEvent, CardPlayed, CardsDrawn, ToldEffect
from scorekeeper.match.events.events import event_type
from scorekeeper.simulation.dealt_round import FREQUENT, Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import PlayedMatch, play_match
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import HOUSE, any_match, begin, recorded, told_events

# Seeds of matches in which rare things happen. They are played first, so that the search is short.
RARE_EVENTS = (24, 48, 17, 4)
RARE_HOUSE_RULES = (57, 41, 80, 68, 14, 61, 73, 13, 21, 94, 58, 12, 62)


def test_the_same_seed_is_the_same_match() -> None:
    assert any_match(5) == any_match(5)
    assert any_match(5) != any_match(6)


def test_everything_that_can_be_told_is_told() -> None:
    known = {str(one.__struct_config__.tag) for one in get_args(CardEvent)}
    expected = {
        Telling.EXACT: known - {"card_given", "hand_counted"} | set(get_args(ToldEffect)),
        Telling.SEEN: known - {"card_given"} | set(get_args(ToldEffect)),
    }
    found: dict[Telling, set[object]] = {telling: set() for telling in expected}
    for seed in dict.fromkeys((*RARE_EVENTS, *range(120))):
        if found == expected:
            break
        played = any_match(seed, habits=FREQUENT)
        for telling, told in found.items():
            for event in told_events(played, telling):
                told.update({event_type(event)} & known)
                if isinstance(event, CardPlayed):
                    told.update(type(effect) for effect in event.effects or ())
    for telling, told in found.items():
        left = expected[telling] - told
        assert not left, f"the players of scorekeeper/simulation never tell this ({telling})"
        assert told == expected[telling]


def test_every_house_rule_is_played() -> None:
    """Each variant is chosen, each new field told, and each breach committed by somebody."""
    variants = {(r.name, v) for r in HOUSE_RULES[REVISION] for v in r.choices or r.numbers or ()}
    variants = {one for one in variants if one[0] != "hand_size"}
    breaches = {"V-DRAW-UNTIL", "V-FORCE-DRAWN", "V-FORCE-HAND", "V-NO-BLUFF", "V-STACK-ANY"}
    fields = {"jump_in", "swap_with", "count"}
    chosen: set[tuple[str, object]] = set()
    told: set[str] = set()
    broken: set[str] = set()
    for seed in dict.fromkeys((*RARE_HOUSE_RULES, *range(250))):
        if variants <= chosen and fields <= told and breaches <= broken:
            break
        played = any_match(HOUSE + seed, habits=FREQUENT)
        chosen.update((played.opened.house_rules or {}).items())
        events = told_events(played, Telling.EXACT)
        for event in events:
            if isinstance(event, CardPlayed):
                told.update(name for name in fields if getattr(event, name))
        broken |= {one.clause for one in recorded(begin(played), events).violations}
    assert variants <= chosen
    assert fields <= told
    assert breaches <= broken


def test_every_card_is_played() -> None:
    for edition in EDITIONS.values():
        laid: set[str] = set()
        for seed in range(12):
            if edition.deck.value.keys() <= laid:
                break
            played = _evening(Random(seed), edition.id)
            laid |= {
                event.card
                for event in told_events(played, Telling.EXACT)
                if isinstance(event, CardPlayed)
            }
        assert edition.deck.value.keys() <= laid


def test_most_of_a_round_is_playing_and_drawing() -> None:
    counts: Counter[str] = Counter()
    violations = 0
    for seed in range(20):
        for edition in EDITIONS.values():
            played = _evening(Random(seed), edition.id)
            told = told_events(played, Telling.EXACT)
            counts.update(event_type(event) for event in told)
            counts["cards"] += sum(e.number for e in told if isinstance(e, CardsDrawn))
            violations += recorded(begin(played), told).state.violations
    plays = counts["card_played"]
    assert 0.3 < counts["cards_drawn"] / plays < 1.0
    assert 0.01 < (counts["wild_draw_four_challenged"]) / plays < 0.05
    assert 0 < counts["misplay_called"] / plays < 0.02
    assert 0.001 < counts["uno_caught"] / plays < 0.03
    assert 0.02 < violations / plays < 0.1


def _evening(rng: Random, edition_id: str) -> PlayedMatch:
    edition = EDITIONS[edition_id, 1]
    opening = open_table(rng, edition, ("ann", "bo", "cy", "di"), mode="lowest-total", rounds=3)
    return play_match(rng, edition, opening, Habits(), most_rounds=3)

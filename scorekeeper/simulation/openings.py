"""The options that tables agree on before a match."""

from collections.abc import Sequence
from random import Random

from msgspec import UNSET

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION
from scorekeeper.match.events.opening import ExtraCards, Opening, Options, Scoring
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.house_rule import HouseRule
from scorekeeper.rules.house_rules import Chosen, Variant
from scorekeeper.rules.scoring import MODES, ModeName


def open_table(
    rng: Random,
    edition: Edition,
    players: Sequence[str],
    *,
    mode: ModeName | None = None,
    target: int | None = None,
    rounds: int | None = None,
    teams: bool | None = None,
    house_rules: Chosen | None = None,
) -> Opening:
    """An opening that no booklet refuses; what is None is left to chance or to the edition.

    `edition` is the booklet's own, whatever `house_rules` it is played by. Teams are made only
    where the players are even in number and the mode has them.
    """
    played = rng.choice(sorted(MODES)) if mode is None else mode
    options = _options(rng, edition, played)
    seating = list(players)
    rng.shuffle(seating)
    together = rng.randrange(4) == 0 if teams is None else teams
    dealer = rng.choice(seating) if rng.randrange(2) else None
    return Opening(
        edition=edition.id,
        players=tuple(seating),
        teams=_teams(seating, played) if together else None,
        scoring=_scoring(played, target=target, rounds=rounds),
        options=options if options != Options() else None,
        house_rules=house_rules,
        dealer=dealer,
    )


def _scoring(name: ModeName, *, target: int | None, rounds: int | None) -> Scoring:
    mode = MODES[name]
    if rounds is None and mode.needs_rounds:
        rounds = 5
    return Scoring(
        mode=name,
        target=UNSET if target is None or not (mode.target_ends or mode.knocks_out) else target,
        rounds=UNSET if rounds is None or mode.knocks_out else rounds,
    )


def _teams(seating: Sequence[str], mode: ModeName) -> tuple[tuple[str, ...], ...] | None:
    half, odd = divmod(len(seating), 2)
    if odd or half < 2 or not MODES[mode].teams:
        return None
    return tuple((seating[seat], seating[seat + half]) for seat in range(half))


def _options(rng: Random, edition: Edition, mode: ModeName) -> Options:
    block = extra = caught = None
    if "question_block" in edition.options and rng.randrange(4):
        block = "Its player does with one other player what the table thinks is fun."
    if "extra_cards" in edition.options and rng.randrange(2):
        extra = {
            "blank": ExtraCards(count=rng.randint(1, 2), points=40),
            "house-rule": ExtraCards(count=rng.randint(1, 2), points=50),
        }
    if MODES[mode].knocks_out and rng.randrange(2):
        caught = bool(rng.randrange(2))
    return Options(question_block=block, extra_cards=extra, caught_counts=caught)


def any_house_rules(rng: Random, edition: Edition, players: int) -> Chosen:
    """Some house rules that so many players can play this edition by together."""
    departs = rng.choice((150, 400, 800))
    chosen = {
        rule.name: _variant(rng, rule, edition, players)
        for rule in HOUSE_RULES[REVISION]
        if rng.randrange(1000) < departs
    }
    if "at_once" in chosen and "jump_in" in chosen:
        del chosen[rng.choice(("at_once", "jump_in"))]
    return chosen


def _variant(rng: Random, rule: HouseRule, edition: Edition, players: int) -> Variant:
    if rule.numbers is None:
        return rng.choice([*rule.choices])
    if rule.name == "hand_size":
        # Half of the box is left for drawing.
        most = sum(edition.deck.value.values()) // (2 * players)
        return rng.randint(rule.numbers[0], min(rule.numbers[-1], most))
    return rng.choice(rule.numbers)

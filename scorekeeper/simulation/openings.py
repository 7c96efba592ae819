"""The options that tables agree on before a match."""

from collections.abc import Sequence
from random import Random

from msgspec import UNSET

from scorekeeper.match.events.opening import ExtraCards, Opening, Options, Scoring
from scorekeeper.rules.edition import Edition
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
) -> Opening:
    """An opening that no booklet refuses; what is None is left to chance or to the edition.

    Teams are made only where the players are even in number and the mode has them.
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

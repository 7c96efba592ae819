"""Who calls UNO, who forgets to, and who catches that."""

from collections.abc import Collection

from scorekeeper.match.events.card_events import UnoCalled, UnoCaught
from scorekeeper.simulation.choices import worth
from scorekeeper.simulation.dealt_round import DealtRound
from scorekeeper.simulation.eliminations import charge


def fallen(dealt: DealtRound, before: dict[str, int], *, exchanged: Collection[str]) -> list[str]:
    """Who has to call now: those with one card, if they had another number, or hand, before."""
    return [
        one
        for one in dealt.seats
        if len(dealt.hand(one)) == 1 and (one in exchanged or before[one] != 1)
    ]


def calls(dealt: DealtRound) -> bool:
    """Whether a player thinks of it in time."""
    return not dealt.chance(dealt.given.habits.forgets_uno)


def settle_calls(dealt: DealtRound, silent: list[str]) -> list[str]:
    """Late calls, and who of the silent will be caught."""
    caught: list[str] = []
    for player in silent:
        if dealt.chance(dealt.given.habits.calls_late):
            dealt.tell(UnoCalled(player=player))
        else:
            dealt.on.forgot.append(player)
            if dealt.chance(dealt.given.habits.catches):
                caught.append(player)
    return caught


def catch(dealt: DealtRound, player: str) -> None:
    """Somebody points out that the player did not call."""
    if dealt.over or player not in dealt.seats or player not in dealt.on.forgot:
        return
    dealt.on.forgot.remove(player)
    by = dealt.rng.choice(dealt.others(player))
    points = worth(dealt, dealt.hand(player)) if dealt.given.caught_counts else None
    dealt.tell(UnoCaught(player=player, by=by, points=points))
    if points is not None:
        charge(dealt, player, points)
    if dealt.over or player not in dealt.seats:
        return
    draws = dealt.edition.caught_draws.value
    if dealt.available >= draws + sum(debt.count for debt in dealt.on.owed):
        dealt.draw(player, draws, forced=True, early=bool(dealt.on.owed))
    else:
        # If the cards run out, the oldest debt gets the remaining ones.
        dealt.owe(player, draws)

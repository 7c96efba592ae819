"""How often simulated players do what the rules leave open, or forbid."""

from random import Random

from msgspec import Struct
from msgspec.structs import replace


class Habits(Struct, frozen=True, kw_only=True):
    """Each figure: in how many of 1,000 chances to do it."""

    keeps_back: int = 50
    """Draws although a card could be played."""
    plays_drawn: int = 850
    bluffs: int = 250
    challenges: int = 250
    answers: int = 600
    stacks: int = 600
    jumps_in: int = 600
    lays_several: int = 700
    writes_exchange: int = 150
    """Tells an exchange of hands as an effect, where naming a player or nothing would do."""
    forgets_uno: int = 120
    calls_late: int = 200
    catches: int = 550
    catches_wrongly: int = 2
    misplays: int = 6
    moves_out_of_turn: int = 3
    misplay_called: int = 650
    breaks_other_rules: int = 3
    """Too many cards drawn, a pass without a draw, another card than the drawn one."""
    advises: int = 3
    accuses: int = 15
    shows_hand: int = 2
    names_color_later: int = 100
    notes: int = 2
    voids_round: int = 10


FREQUENT = Habits(
    keeps_back=120,
    bluffs=600,
    challenges=500,
    answers=800,
    forgets_uno=400,
    catches_wrongly=40,
    misplays=40,
    moves_out_of_turn=25,
    breaks_other_rules=25,
    advises=25,
    accuses=120,
    shows_hand=15,
    names_color_later=300,
    notes=10,
    voids_round=30,
    stacks=800,
    jumps_in=800,
)
"""What is rare at a table, often: for looking at it closely."""

LAWFUL = Habits(misplays=0, moves_out_of_turn=0, breaks_other_rules=0)
"""Nothing that a booklet forbids but bluffs, silent draws and forgotten calls."""

FLAWLESS = replace(LAWFUL, keeps_back=0, plays_drawn=1000, bluffs=0, forgets_uno=0)
"""Nothing that is ever flagged."""


def happens(rng: Random, per_mille: int) -> bool:
    """Whether one of these chances is taken."""
    return rng.randrange(1000) < per_mille

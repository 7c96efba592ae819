"""What tables play beside a booklet, as the values that the core carries out."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from scorekeeper.rules.cards import Symbol
from scorekeeper.rules.cited import Cited
from scorekeeper.rules.parameters import Bluff, JumpIn, LastCard

Variant: TypeAlias = str | int
"""The value of a house rule."""

Chosen: TypeAlias = Mapping[str, Variant]
"""House rules by name, each with its variant."""


class HouseRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What tables play that no booklet has a value for; what replaces one is in the edition itself.

    `revision`: of the house rules, None where the opening has none. `chosen`: those that depart
    from the booklet. `at_odds`: two of them that exclude each other; nothing is opened with such.

    `stacks`: by the symbol of a penalty card that lies there, the symbols that the player whom it
    hits may lay on it. `jump_in`: which cards may be laid out of turn. `draws_until_playable`: the
    clause by which a draw goes on. `plays_drawn`: the clause by which a drawn card has to be
    played. `only_drawn`: the booklet's clause on what is played after a draw, where a house rule
    has taken the place of what else it says. `bluff`: what a wild-draw-four is that would not be
    honest; nobody challenges one then. `last_card`: what the last card must not be. `at_once`:
    symbols of which several identical cards may be laid in one play. `caught_draws`: cards for a
    player who is caught without UNO.
    """

    revision: int | None = None
    chosen: Chosen = {}
    at_odds: tuple[str, str] | None = None
    stacks: Cited[Mapping[Symbol, frozenset[Symbol]]] | None = None
    jump_in: Cited[JumpIn] | None = None
    draws_until_playable: str | None = None
    plays_drawn: str | None = None
    only_drawn: str | None = None
    bluff: Cited[Bluff] | None = None
    last_card: Cited[LastCard] | None = None
    at_once: Cited[frozenset[Symbol]] | None = None
    caught_draws: Cited[int] | None = None


BY_THE_BOOKLET: Final = HouseRules()

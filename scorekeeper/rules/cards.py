"""The cards: their names, what is printed on each, and the contents of a box."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

Card: TypeAlias = str
Color: TypeAlias = str
Symbol: TypeAlias = str
"""A digit, one of `ACTIONS`, or the name of a wild."""

COLORS: Final[tuple[Color, ...]] = ("red", "yellow", "green", "blue", "pink", "orange")
NUMBERS: Final = tuple(str(number) for number in range(10))

DRAW_TWO: Final = "draw-two"
REVERSE: Final = "reverse"
SKIP: Final = "skip"
ACTIONS: Final = (DRAW_TWO, REVERSE, SKIP)

WILD: Final = "wild"
WILD_DRAW_FOUR: Final = "wild-draw-four"
SUPER_STAR: Final = "super-star"
QUESTION_BLOCK: Final = "question-block"
WILD_FRIENDSHIP: Final = "wild-friendship"
RED_RIBBON: Final = "red-ribbon"
SWAP_HANDS: Final = "swap-hands"
WILDS: Final = (
    WILD,
    WILD_DRAW_FOUR,
    SUPER_STAR,
    QUESTION_BLOCK,
    WILD_FRIENDSHIP,
    RED_RIBBON,
    SWAP_HANDS,
)


class Face(msgspec.Struct, frozen=True):
    """What matching looks at.

    `color` is None on a wild of any kind, a red ribbon included.
    """

    card: Card
    color: Color | None
    symbol: Symbol
    is_number: bool = False
    """Has a digit, and so a value of its own in the draw for the dealer."""

    @property
    def is_wild(self) -> bool:
        """Takes any card below it and has no colour but the one that is named."""
        return self.color is None


FACES: Final[Mapping[Card, Face]] = {
    **{
        f"{color}-{symbol}": Face(f"{color}-{symbol}", color, symbol, symbol in NUMBERS)
        for color in COLORS
        for symbol in (*NUMBERS, *ACTIONS)
    },
    **{name: Face(name, None, name) for name in WILDS},
}
"""Every card name that a booklet prints, of all editions together."""


@lru_cache(maxsize=1_024)
def face(card: Card) -> Face:
    """What is printed under that name, or a wild where no booklet has it; matches ask `Edition`."""
    return FACES.get(card) or Face(card, None, card)


class ExtraCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that the booklet does not name but the table's own box holds."""

    count: int
    points: int


class Box(msgspec.Struct, frozen=True):
    """`counts` and `points` name the same cards; counts are at least 1.

    `by_points`: points, in their order, and how many cards are worth that; `last_first`: the cards
    from the last one named, which puts the wilds first. Both follow from the other two, and are
    made once because they are asked for all the time.
    """

    counts: Mapping[Card, int]
    points: Mapping[Card, int]
    by_points: tuple[tuple[int, int], ...] = ()
    last_first: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        worth: dict[int, int] = {}
        for card, count in self.counts.items():
            worth[self.points[card]] = worth.get(self.points[card], 0) + count
        msgspec.structs.force_setattr(self, "by_points", tuple(sorted(worth.items())))
        msgspec.structs.force_setattr(self, "last_first", tuple(self.counts)[::-1])

    @property
    def size(self) -> int:
        """Cards in all."""
        return sum(self.counts.values())

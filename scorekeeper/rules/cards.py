"""The cards: their names, what is printed on each, and the contents of a box."""

from collections.abc import Iterable, Mapping
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
    """What is printed on a card, which decides what it matches.

    `color` is None on a wild of any kind, a red ribbon included.
    """

    card: Card
    color: Color | None
    symbol: Symbol
    is_number: bool = False
    """Whether the symbol is a digit, which is the card's value in the draw for the dealer."""

    @property
    def is_wild(self) -> bool:
        """Whether the card may be laid on any card. Its only colour is the one that is named."""
        return self.color is None


FACES: Final[Mapping[Card, Face]] = {
    **{
        f"{color}-{symbol}": Face(f"{color}-{symbol}", color, symbol, symbol in NUMBERS)
        for color in COLORS
        for symbol in (*NUMBERS, *ACTIONS)
    },
    **{name: Face(name, None, name) for name in WILDS},
}
"""The cards that the booklets of all editions name, by card name."""


@lru_cache(maxsize=1_024)
def face(card: Card) -> Face:
    """Return the face of a card in any edition, or the face of a wild if no booklet names the card.

    A match uses `Edition.face`, which knows the cards of its own booklet only.
    """
    return FACES.get(card) or Face(card, None, card)


class ExtraCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards of one name that the table's own box holds and the booklet does not name.

    `points` is the value of one such card.
    """

    count: int
    points: int


class Box(msgspec.Struct, frozen=True):
    """The cards that a match is played with.

    `counts`: how many copies there are of each card, at least 1. `points`: the value of one copy.
    Both name the same cards.

    `by_points`: pairs of a value and the number of cards with that value, in ascending order.
    `last_first`: the names of `counts` in reverse order, so that the wilds come first. `size`: the
    number of cards in the whole box. These are derived from the other two fields. They are computed
    once because they are read very often.
    """

    counts: Mapping[Card, int]
    points: Mapping[Card, int]
    by_points: tuple[tuple[int, int], ...] = ()
    last_first: tuple[Card, ...] = ()
    size: int = 0

    def __post_init__(self) -> None:
        worth: dict[int, int] = {}
        for card, count in self.counts.items():
            worth[self.points[card]] = worth.get(self.points[card], 0) + count
        msgspec.structs.force_setattr(self, "by_points", tuple(sorted(worth.items())))
        msgspec.structs.force_setattr(self, "last_first", tuple(self.counts)[::-1])
        msgspec.structs.force_setattr(self, "size", sum(self.counts.values()))

    def worth(self, cards: Iterable[Card]) -> int:
        """Return what these cards of the box are worth together, in points."""
        return sum(self.points[card] for card in cards)

"""What an entry of a round in progress hides from those who only look on.

They see what the table sees: the cards that are laid, shown and discarded, and how many are drawn,
given and held. The book may know more, which is left out.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    PileReshuffled,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.effects_told import Draw, Give, ToldEffect
from scorekeeper.match.events.events import Event, RoundStarted

E = TypeVar("E", bound=Event)

HIDDEN: Final[Mapping[type, tuple[str, ...]]] = {
    RoundStarted: ("hands", "draw_pile"),
    FirstCardTurned: ("draw_pile",),
    CardsDrawn: ("cards",),
    CardGiven: ("card",),
    WildDrawFourChallenged: ("hand",),
    PileReshuffled: ("draw_pile",),
}
"""The fields that hold cards which only some of the players have seen, or nobody.

The hand shown at a challenge is among them: by most booklets only the challenger gets to see it.
"""


def redact(event: E) -> E:
    """The event without hidden cards, or the event itself where it has none.

    Cards that are drawn or given still count.
    """
    gone = {name: None for name in HIDDEN.get(type(event), ()) if _told(event, name)}
    if gone and isinstance(event, CardsDrawn):
        return replace(event, **gone, count=event.number)
    if gone:
        return replace(event, **gone)
    if isinstance(event, CardPlayed) and event.effects:
        effects = tuple(_without_cards(effect) for effect in event.effects)
        if any(left is not told for left, told in zip(effects, event.effects, strict=True)):
            return replace(event, effects=effects)
    return event


def _told(event: Event, name: str) -> bool:
    return getattr(event, name) is not None


def _without_cards(effect: ToldEffect) -> ToldEffect:
    match effect:
        case Give() if effect.cards:
            return Give(giver=effect.giver, to=effect.to, count=len(effect.cards))
        case Draw() if effect.cards is not None:
            return replace(effect, cards=None, count=effect.number)
        case _:
            return effect

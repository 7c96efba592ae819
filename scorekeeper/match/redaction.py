"""What a round in progress hides from those who only look on.

They see what the table sees: the cards that are laid, shown and discarded, how many are drawn,
given and held. The book may know more; that is left out of the entries, and what a viewer reads is
the fold of the log that remains. So nothing hidden can come through, whatever is derived from it.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    PileReshuffled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.challenges import hand_judged, verdict
from scorekeeper.match.effects_told import Draw, Give, ToldEffect
from scorekeeper.match.events import Event, LogAmended, RoundStarted
from scorekeeper.match.evolve import evolve
from scorekeeper.match.hand import Hand, held, worth
from scorekeeper.match.opening import MatchOpened
from scorekeeper.match.pile import height, unknown_pile
from scorekeeper.match.players import table_of
from scorekeeper.match.state import State

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


class Watched(Struct, frozen=True):
    """A match as a viewer may see it; `redacted`: something was left out since the last round."""

    state: State
    redacted: bool = False


def redact(event: E) -> E:
    """The event without hidden cards, or the event itself where it has none.

    Cards that are drawn or given still count.
    """
    gone = {name: None for name in HIDDEN.get(type(event), ()) if _told(event, name)}
    if gone and isinstance(event, CardsDrawn):
        return replace(event, **gone, count=event.number)
    if gone:
        return replace(event, **gone)
    if isinstance(event, LogAmended) and event.insert:
        insert = tuple(redact(each) for each in event.insert)
        changed = any(left is not told for left, told in zip(insert, event.insert, strict=True))
        return replace(event, insert=insert) if changed else event
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


def watch(watched: Watched, event: Event, before: State, after: State) -> Watched:
    """What a viewer sees after one more entry; `before` and `after` are the book's own states.

    A round that is over is no secret any more: then go on from a `Watched` of the book's own state.
    """
    left = redact(event)
    if left is event and not watched.redacted:
        return Watched(after)
    own = watched.state.copy()
    if isinstance(left, MatchOpened | LogAmended):
        raise TypeError("an opening shows nothing, and after an amendment the log is read anew")
    evolve(own, _with_outcome(before, event, left))
    _count_as(own, event, after)
    return Watched(own, redacted=True)


def _with_outcome(before: State, event: Event, left: E) -> E:
    """What everybody saw come of hidden cards: who was guilty, and which points were counted."""
    if isinstance(event, WildDrawFourChallenged) and isinstance(left, WildDrawFourChallenged):
        guilty = verdict(before, event)
        suspect = table_of(before).suspect
        hand = hand_judged(suspect, event) if suspect is not None and guilty else None
        return replace(left, guilty=guilty, points=_points(before, hand, event.points))
    if isinstance(event, UnoCaught) and isinstance(left, UnoCaught):
        hand = table_of(before).hands.get(event.player)
        return replace(left, points=_points(before, hand, event.points))
    return left


def _points(before: State, hand: Hand | None, told: int | None) -> int | None:
    if told is not None or hand is None or not before.options.caught_counts:
        return told
    return worth(before.box, hand)


def _count_as(own: State, event: Event, after: State) -> None:
    """Where the table played on with other numbers of cards than the book had, take the table's."""
    table, true = own.table, after.table
    if table is None or true is None:
        return
    mine = table.copy()
    mine.hands = {
        player: _as_many(table.hands.get(player, Hand()), held(hand))
        for player, hand in true.hands.items()
    }
    made_up = isinstance(event, PileReshuffled) and event.as_played and event.draw_pile is not None
    if made_up:
        # Such a pile may hold any cards, also more of one than the box has.
        mine.added = dict.fromkeys(own.box.counts, own.box.size)
    if made_up or height(mine.pile) != height(true.pile):
        mine.pile = unknown_pile(height(true.pile))
    if made_up or mine.under_top != true.under_top:
        mine.discards, mine.buried = mine.discards[-1:], true.under_top
    own.table = mine
    own.hands = mine.hands


def _as_many(hand: Hand, count: int) -> Hand:
    return hand if held(hand) == count else Hand((), count)

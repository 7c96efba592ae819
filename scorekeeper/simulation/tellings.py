"""The same play recorded in more or less detail."""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum

from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    CardPlayed,
    CardsDrawn,
    ColorNamed,
    Draw,
    FirstCardTurned,
    Give,
    HandShown,
    PileReshuffled,
    ToldEffect,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import NoteAdded, RoundStarted, TableEvent
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import ShownTo
from scorekeeper.simulation.dealt_round import Happening


class Telling(StrEnum):
    """How much is told of a play.

    EXACT: everything. SEEN: what the whole table sees. SPARSE: the same without what the book
    infers.
    """

    EXACT = "exact"
    SEEN = "seen"
    SPARSE = "sparse"


def tell_round(
    edition: Edition,
    happened: Sequence[Happening],
    telling: Telling,
    *,
    known: Collection[str] = (),
) -> tuple[TableEvent, ...]:
    """Return the events of a round in the order of the play.

    `known`: the players whose cards are told even if the others don't see them.
    """
    if telling is Telling.EXACT:
        return tuple(one.event for one in happened)
    shown = edition.challenge.value.shown_to is ShownTo.TABLE
    seen = [
        Happening(_seen(one.event, known=known, shown=shown), one.forced, one.hit, one.early)
        for one in happened
    ]
    if telling is Telling.SEEN:
        return tuple(one.event for one in seen)
    return tuple(_sparse(edition, seen))


def _seen(event: TableEvent, *, known: Collection[str], shown: bool) -> TableEvent:
    match event:
        case RoundStarted():
            hands = {p: cards for p, cards in (event.hands or {}).items() if p in known}
            return replace(event, hands=hands or None, draw_pile=None)
        case FirstCardTurned() | PileReshuffled():
            return replace(event, draw_pile=None)
        case CardsDrawn():
            return event if event.player in known else replace(event, cards=None)
        case CardPlayed() if event.effects:
            return replace(event, effects=tuple(_effect_seen(one) for one in event.effects))
        case WildDrawFourChallenged() if shown:
            return replace(event, guilty=None)
        case WildDrawFourChallenged():
            return replace(event, hand=None)
        case _:
            return event


def _effect_seen(effect: ToldEffect) -> ToldEffect:
    match effect:
        case Draw():
            return replace(effect, cards=None)
        case Give():
            return Give(giver=effect.giver, to=effect.to, count=len(effect.cards or ()))
        case _:
            return effect


def _sparse(edition: Edition, seen: Sequence[Happening]) -> Iterator[TableEvent]:
    implied = _implied(seen)
    for at, one in enumerate(seen):
        later = seen[at + 1 :]
        event = one.event
        if isinstance(event, CardPlayed) and event.effects:
            gift = edition.card_rule(event.card).played_two_players.value.gift
            if gift and _gift_is_implied(event.player, later):
                effects = tuple(told for told in event.effects if not isinstance(told, Give))
                yield replace(event, effects=effects or None)
                continue
        if at not in implied:
            yield event


def _implied(seen: Sequence[Happening]) -> set[int]:
    """Return the places of the events that the book infers exactly as they happened.

    The book always takes the oldest debt to be paid first.
    """
    implied: set[int] = set()
    unpaid: list[int] = []
    for at, one in enumerate(seen):
        if one.forced and not one.early and not _would_be_mistaken(one, seen[at + 1 :]):
            implied.add(at)
            unpaid.append(at)
        elif isinstance(one.event, CardPlayed):
            unpaid.clear()
        elif _would_go_first(one, seen[at + 1 :]):
            implied.difference_update(unpaid)
            unpaid.clear()
    return implied


def _would_go_first(told: Happening, later: Sequence[Happening]) -> bool:
    """Return whether the book would take draws that were left out before this event for later ones.

    The event may be a forced draw that is told. It may also be a catch for which no cards were
    left: the book would have it paid by the cards that those draws took from the pile.
    """
    if isinstance(told.event, CardsDrawn):
        return told.forced
    return isinstance(told.event, UnoCaught) and not _is_paid(told.event, later)


def _is_paid(caught: UnoCaught, later: Sequence[Happening]) -> bool:
    """Return whether the caught player could draw anything for the catch."""
    for one in later:
        if not one.forced:
            return False
        if isinstance(one.event, CardsDrawn) and one.event.player == caught.player:
            return True
    return False


def _gift_is_implied(giver: str, later: Sequence[Happening]) -> bool:
    """Return whether who got the gift plays or draws next, so that the book infers it."""
    for one in later:
        match one.event:
            case CardPlayed(player=player) | CardsDrawn(player=player):
                return player != giver
            case ColorNamed() | NoteAdded():
                continue
            case _:
                return False
    return False


def _would_be_mistaken(left_out: Happening, later: Sequence[Happening]) -> bool:
    """Return whether the player's next event would be taken for something else without this."""
    event = left_out.event
    if not isinstance(event, CardsDrawn | TurnPassed):
        return False
    for one in later:
        match one.event:
            case CardsDrawn(player=player):
                if player == event.player:
                    return True
                if not one.forced:
                    return False
            case CardPlayed() as play:
                return _by_play(left_out, event, play)
            case TurnPassed() if not one.forced:
                return False
            case UnoCalled(player=player) | UnoCaught(player=player) | HandShown(player=player):
                if player == event.player:
                    return True
            case _:
                continue
    return False


def _by_play(left_out: Happening, event: CardsDrawn | TurnPassed, play: CardPlayed) -> bool:
    if play.jump_in:
        # A penalty lapses if nothing of it is drawn before somebody jumps in.
        return left_out.hit
    taken_amiss = play.as_played or left_out.hit or isinstance(event, TurnPassed)
    return play.player == event.player and taken_amiss

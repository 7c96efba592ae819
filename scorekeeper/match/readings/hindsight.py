"""What later entries tell about earlier hands, read backwards through a round.

Every step is safe: a card is put into an earlier hand only if it must have been there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    MisplayCalled,
    PileReshuffled,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.effects_told import Discard, Draw, Give, Swap
from scorekeeper.match.events.events import Event, RoundStarted, RoundTallied
from scorekeeper.match.table.hand import Hand, held, without
from scorekeeper.match.table.pile import Pile, Stretch, height, known_in
from scorekeeper.match.table.table import Drawn, Misplayed, Suspect, Table
from scorekeeper.match.turns.effects import effect_of
from scorekeeper.match.turns.exchanges import taken_over
from scorekeeper.rules.cards import Card
from scorekeeper.rules.edition import Edition

Held: TypeAlias = dict[str, Counter[Card]]
"""By player: cards that must be in the hand."""


def with_hindsight(
    edition: Edition, tables: Sequence[Table | None], events: Sequence[Event]
) -> list[Table | None]:
    """The tables as they are known in the end.

    `tables[i]` is the one before `events[i]`; one more stands after the last event.
    """
    found: list[Table | None] = list(tables)
    after = tables[-1]
    hands = _known(after)
    pile: Counter[Card] = Counter(known_in(after.pile) if after else ())
    for index in range(len(events) - 1, -1, -1):
        before, event = tables[index], events[index]
        if before is None or after is None or isinstance(event, RoundStarted):
            # Another round's hands and pile say nothing about these.
            hands = _told_at_end(before, event)
            pile = Counter(known_in(before.pile) if before else ())
            found[index] = before and _with(before, hands, pile)
        else:
            later = _Later(after, found[index + 1] or after, hands, pile)
            hands = _before(edition, before, after, event, hands)
            pile = _pile_before(before, after, event, pile)
            found[index] = _with(before, hands, pile, later)
        after = before
    _name_drawn(found, events)
    return found


class _Later(NamedTuple):
    """The table after an event, as it was then and as it is known, and what it is known by."""

    table: Table
    known: Table
    hands: Held
    pile: Counter[Card]


def _told_at_end(table: Table | None, event: Event) -> Held:
    """Hands that a tally lists, where they are of the size that the book has."""
    hands = _known(table)
    if table is None or not isinstance(event, RoundTallied):
        return hands
    for player, told in (event.hands or {}).items():
        cards = Counter(told.cards or ())
        hand = table.hands.get(player)
        if hand and cards.total() == held(hand) and not Counter(hand.known) - cards:
            hands[player] = cards
    return hands


def _known(table: Table | None) -> Held:
    return {p: Counter(hand.known) for p, hand in table.hands.items()} if table else {}


def _before(edition: Edition, before: Table, after: Table, event: Event, later: Held) -> Held:
    """The cards that must have been in the hands before an event."""
    # Hands that the event left alone are known by the same cards before and after it.
    moved = [p for p, hand in before.hands.items() if hand is not after.hands.get(p)]
    hands: Held = {**later, **{p: Counter(later.get(p, ())) for p in moved}}
    match event:
        case CardPlayed():
            _unplay(edition, before, after, event, hands)
        case CardsDrawn(player=player) if _drew(before, after, player):
            _undraw(before, after, player, hands)
        case CardGiven(player=player, to=to, card=card):
            _ungive(hands, player, to, (card,) if card else (), 0 if card else 1)
        case WildDrawFourChallenged() if before.suspect:
            _untake(before, after, before.suspect, hands)
        case MisplayCalled() if before.misplayed:
            _untake(before, after, before.misplayed, hands)
        case _:
            pass
    for player in moved:
        hand = before.hands[player]
        own = Counter(hand.known)
        merged = hands[player] | own
        consistent = player in after.hands and merged.total() <= held(hand)
        hands[player] = merged if consistent else own
    return hands


def _unplay(edition: Edition, before: Table, after: Table, event: CardPlayed, hands: Held) -> None:
    effects = event.effects or ()
    for effect in reversed(effects):
        match effect:
            case Discard(player=player, cards=cards):
                hands[player].update(cards)
            case Give(giver=giver, to=to, cards=cards, count=count):
                _ungive(hands, giver, to, cards or (), count or 0)
            case Draw(player=player) as drawn:
                _take_out(hands[player], drawn.cards or (), drawn.number - len(drawn.cards or ()))
            case Swap(hands=holders):
                _unswap(hands, holders)
            case _:
                pass
    does = effect_of(edition, before, event.card)
    if does.hands_from is not None and not effects and not after.over:
        _unswap(hands, taken_over(before, event, does))
    hands[event.player].update(event.cards)


def _unswap(hands: Held, holders: Mapping[str, str]) -> None:
    earlier = {former: hands[holder] for holder, former in holders.items()}
    hands.update(earlier)


def _drew(before: Table, after: Table, player: str) -> bool:
    """Whether the hand grew; what is told late only names cards of it."""
    return held(after.hands[player]) > held(before.hands[player])


def _undraw(before: Table, after: Table, player: str, hands: Held) -> None:
    new = after.hands[player].known[len(before.hands[player].known) :]
    unseen = held(after.hands[player]) - held(before.hands[player]) - len(new)
    _take_out(hands[player], new, unseen)


def _ungive(hands: Held, giver: str, to: str, cards: tuple[Card, ...], unseen: int) -> None:
    _take_out(hands[to], cards, unseen)
    hands[giver].update(cards)


def _take_out(hand: Counter[Card], cards: tuple[Card, ...], unseen: int) -> None:
    """Cards that came in leave again; each of the others may have been an unseen one."""
    hand.subtract(cards)
    for card in list(hand):
        hand[card] -= unseen
        if hand[card] <= 0:
            del hand[card]


def _untake(before: Table, after: Table, laid: Suspect | Misplayed, hands: Held) -> None:
    """A card may have been taken back, and hands that were moved with it are moved again."""
    others = [player for player in before.hands if player != laid.player]
    moved = [player for player in others if after.hands.get(player) is not before.hands[player]]
    for player in moved:
        hands[player] = Counter()
    hand, now = before.hands[laid.player], after.hands.get(laid.player)
    if moved or now is None:
        # However many cards it has, it may be another hand.
        hands[laid.player] = Counter()
    elif held(now) == held(hand) + laid.count:
        _take_out(hands[laid.player], (laid.card,) * laid.count, 0)
    elif held(now) != held(hand):
        hands[laid.player] = Counter()


def _pile_before(before: Table, after: Table, event: Event, later: Counter[Card]) -> Counter[Card]:
    """Cards that must have been in the draw pile before an event."""
    if isinstance(event, PileReshuffled):
        return Counter()
    if before.pile is after.pile:
        return later
    pile = Counter(later)
    if isinstance(event, CardsDrawn) and _drew(before, after, event.player):
        hand = after.hands[event.player]
        pile.update(hand.known[len(before.hands[event.player].known) :])
    elif isinstance(event, FirstCardTurned) and height(before.pile) > height(after.pile):
        pile[event.card] += 1
    pile |= Counter(known_in(before.pile))
    return pile if pile.total() <= height(before.pile) else Counter(known_in(before.pile))


def _with(table: Table, hands: Held, pile: Counter[Card], later: _Later | None = None) -> Table:
    """The table with what it is known by; what the event after it left alone is as it is later."""
    known = table.copy()
    known.hands = {
        player: later.known.hands[player]
        if later and hands[player] is later.hands.get(player) and player in later.known.hands
        else _narrowed(hand, hands[player])
        for player, hand in table.hands.items()
    }
    if later is not None and pile is later.pile and later.known is not later.table:
        known.pile = later.known.pile
    else:
        known.pile = _pile_of(pile, height(table.pile))
    if table.suspect is not None and table.suspect.hand.unknown:
        suspect = table.suspect
        now = known.hands.get(suspect.player)
        if now is not None and held(now) == held(suspect.hand):
            known.suspect = replace(suspect, hand=now)
    return known


def _pile_of(known: Counter[Card], whole: int) -> Pile:
    cards = tuple(known.elements())
    stretches = (Stretch(whole - len(cards)), Stretch(len(cards), cards, ordered=False))
    return tuple(stretch for stretch in stretches if stretch.count)


def _narrowed(hand: Hand, cards: Counter[Card]) -> Hand:
    if not hand.unknown or cards.total() <= len(hand.known):
        return hand
    known = tuple(cards.elements())
    return Hand(known, held(hand) - len(known), hand.points)


def _name_drawn(tables: list[Table | None], events: Sequence[Event]) -> None:
    """Where the hand before a draw is whole, what is known beyond it afterwards was drawn."""
    drew: tuple[str, Hand] | None = None
    for index, event in enumerate(events):
        table = tables[index]
        if table is None:
            continue
        drawn = table.drawn
        if drawn is not None and drawn.unknown and drew and drew[0] == table.turn:
            hand, earlier = table.hands[drew[0]], drew[1]
            named = without(hand.known, earlier.known)
            if not earlier.unknown and held(hand) == held(earlier) + drawn.count:
                unknown = drawn.count - len(named)
                table.drawn = Drawn(named, unknown, drawn.beside, ordered=False)
        if isinstance(event, CardsDrawn) and event.player == table.turn and not table.drawn:
            drew = (event.player, table.hands[event.player])

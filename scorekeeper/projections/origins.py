"""How each card came into its present hand: dealt, drawn, given, taken over with a hand.

Cards of one name can't be told apart, and a card that nobody saw may be any card. So a card has all
the ways by which it can have come. Its way is certain if there is only one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    Discard,
    Draw,
    Give,
    MisplayCalled,
    Swap,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import Event, RoundStarted
from scorekeeper.match.known_cards import Hand, card_count
from scorekeeper.match.state import State
from scorekeeper.match.table import Table
from scorekeeper.match.turns.effects import effect_of
from scorekeeper.match.turns.exchanges import taken_over
from scorekeeper.rules.cards import Card

How: TypeAlias = Literal["dealt", "drawn", "given", "swapped", "taken-back", "told", "counted"]


class Arrival(Struct, frozen=True, order=True):
    """How a card came into a hand. `step` is the place of a step in the round."""

    step: int
    how: How


Way: TypeAlias = tuple[Arrival, ...]
"""The arrivals of one card from hand to hand, the oldest first."""

Ways: TypeAlias = frozenset[Way]


class Traced(Struct, frozen=True):
    """A hand as it is known: its known cards, each with its ways, and `count` unknown ones.

    `unseen`: the ways of all unknown cards together.
    """

    known: tuple[tuple[Card, Ways], ...] = ()
    count: int = 0
    unseen: Ways = frozenset()

    @property
    def size(self) -> int:
        return len(self.known) + self.count


TracedHands: TypeAlias = Mapping[str, Traced]


class Passed(Struct, frozen=True):
    """One event of a round, the states around it, and the table after it as it is known in the end.

    `step`: the event's place among the steps of the round.
    """

    step: int
    event: Event
    before: State
    after: State
    known: Table | None


def traced(passed: Iterable[Passed]) -> TracedHands:
    """Return the hands after the last event. If the table was cleared, return them as before."""
    hands: TracedHands = {}
    laid_on: TracedHands = {}
    for one in passed:
        hands = _found(hands, one)
        if isinstance(one.event, CardPlayed):
            laid_on = hands
        elif _stays_drawn(one):
            laid_on = _moved(_found(laid_on, one), one)
        moved = laid_on if isinstance(one.event, MisplayCalled) else _moved(hands, one)
        hands = _settled(moved, one)
    return hands


def _found(hands: TracedHands, one: Passed) -> TracedHands:
    """Return the hands, with those on the table added that no event has brought there.

    In the log as recorded, an amendment may have moved the deal to a round with another number.
    """
    table = one.before.table
    if table is None or hands.keys() >= table.hands.keys():
        return hands
    return {**{player: _as_told(hand, one.step) for player, hand in table.hands.items()}, **hands}


def _as_told(hand: Hand, step: int) -> Traced:
    return _add(Traced(), step, "told", Hand((), card_count(hand)))


def _stays_drawn(one: Passed) -> bool:
    """Return whether a draw remains if the card laid before it goes back as a misplay."""
    table = one.after.table
    return isinstance(one.event, CardsDrawn) and table is not None and table.misplayed is not None


def _moved(hands: TracedHands, one: Passed) -> TracedHands:
    """Return the hands once the event has moved its cards."""
    event, step = one.event, one.step
    match event:
        case RoundStarted():
            dealt = one.after.hands
            return {p: _add(Traced(), step, "dealt", hand) for p, hand in dealt.items()}
        case CardPlayed():
            return _played(hands, event, one)
        case CardsDrawn(player=player) if one.after.table and one.before.table:
            earlier = one.before.table.hands[player]
            new = one.after.table.hands[player].known[len(earlier.known) :]
            drawn = Hand(new, event.number - len(new))
            return {**hands, player: _add(hands[player], step, "drawn", drawn)}
        case CardGiven(player=giver, to=to, card=card):
            return _given(hands, step, giver, to, () if card is None else (card,), 1)
        case WildDrawFourChallenged() if one.before.table and one.before.table.suspect:
            return _taken_back(hands, one, one.before.table.suspect.player)
        case _:
            return hands


def _played(hands: TracedHands, event: CardPlayed, one: Passed) -> TracedHands:
    player, step = event.player, one.step
    hands = {**hands, player: _less(hands[player], event.cards)}
    for effect in event.effects or ():
        match effect:
            case Discard(player=player, cards=cards):
                hands = {**hands, player: _less(hands[player], cards)}
            case Give(giver=giver, to=to, cards=cards, count=count):
                told = cards or ()
                hands = _given(hands, step, giver, to, told, len(told) or count or 0)
            case Draw(player=player, cards=cards) as draw:
                seen = cards or ()
                drawn = Hand(seen, draw.number - len(seen))
                hands = {**hands, player: _add(hands[player], step, "drawn", drawn)}
            case Swap(hands=holders):
                hands = {**hands, **_swapped(hands, step, holders)}
            case _:
                pass
    table = one.before.table
    over = one.after.table is None or one.after.table.over
    if table is None or event.effects or over:
        return hands
    does = effect_of(one.before.edition, table, event.card)
    if does.hands_from is not None:
        return {**hands, **_swapped(hands, step, taken_over(table, event, does))}
    return hands


def _swapped(hands: TracedHands, step: int, holders: Mapping[str, str]) -> dict[str, Traced]:
    return {
        holder: hands[former] if holder == former else _all_came(hands[former], step, "swapped")
        for holder, former in holders.items()
    }


def _given(
    hands: TracedHands, step: int, giver: str, to: str, cards: Sequence[Card], count: int
) -> TracedHands:
    """Return the hands after cards were given. A card that nobody named may be any of the hand."""
    hand, receiver = hands[giver], hands[to]
    if not cards:
        ways = hand.unseen.union(*(ways for _, ways in hand.known))
        hand = Traced((), hand.size - count, ways)
        came = _came(ways, step, "given")
        receiver = Traced(receiver.known, receiver.count + count, receiver.unseen | came)
        return {**hands, giver: hand, to: receiver}
    for card in cards:
        came = _came(_ways_of(hand, card), step, "given")
        hand = _less(hand, (card,))
        receiver = Traced((*receiver.known, (card, came)), receiver.count, receiver.unseen)
    return {**hands, giver: hand, to: receiver}


def _taken_back(hands: TracedHands, one: Passed, player: str) -> TracedHands:
    table = one.after.table
    hand = table.hands.get(player) if table else None
    suspect = one.before.table.suspect if one.before.table else None
    if hand is None or suspect is None:
        return hands
    # If several were laid at once, all but the top one may have been shuffled and drawn since.
    came = card_count(hand) - hands[player].size
    if not 0 < came <= suspect.count:
        return hands
    back = Hand((suspect.card,) * came, 0)
    return {**hands, player: _add(hands[player], one.step, "taken-back", back)}


def _settled(hands: TracedHands, one: Passed) -> TracedHands:
    """Return the hands of the players whom the book has, with as many cards as the book has.

    If a hand has another number of cards, its cards count as told at this step.
    """
    table = one.after.table
    if table is None:
        # In the log as recorded, an amendment may take back the event that cleared the table.
        return hands
    known = (one.known or table).hands
    found: dict[str, Traced] = {}
    for player, hand in table.hands.items():
        own = hands.get(player)
        if own is None or own.size != card_count(hand):
            own = _as_told(hand, one.step)
        found[player] = _learned(own, known.get(player, hand).known) if own.count else own
    return found


def _learned(hand: Traced, known: Sequence[Card]) -> Traced:
    """Return the hand with those cards named that must be among its unknown ones."""
    if len(known) <= len(hand.known):
        return hand
    seen = Counter(known) - Counter(card for card, _ in hand.known)
    found = tuple(seen.elements())[: hand.count]
    if not found:
        return hand
    count = hand.count - len(found)
    cards = tuple((card, hand.unseen) for card in found)
    return Traced((*hand.known, *cards), count, hand.unseen if count else frozenset())


def _add(hand: Traced, step: int, how: How, new: Hand) -> Traced:
    ways: Ways = frozenset({(Arrival(step, how),)})
    unknown = new.unknown or 0
    return Traced(
        (*hand.known, *((card, ways) for card in new.known)),
        hand.count + unknown,
        hand.unseen | ways if unknown else hand.unseen,
    )


def _less(hand: Traced, cards: Sequence[Card]) -> Traced:
    """Return the hand without these cards.

    Which of several cards of one name has gone can't be told. So those that stay keep all the ways.
    """
    for card in cards:
        same = [ways for name, ways in hand.known if name == card]
        if same:
            left = frozenset[Way]().union(*same)
            others = tuple(one for one in hand.known if one[0] != card)
            stay = ((card, left),) * (len(same) - 1)
            hand = Traced((*others, *stay), hand.count, hand.unseen)
        else:
            count = max(0, hand.count - 1)
            hand = Traced(hand.known, count, hand.unseen if count else frozenset())
    return hand


def _ways_of(hand: Traced, card: Card) -> Ways:
    same = [ways for name, ways in hand.known if name == card]
    return frozenset[Way]().union(*same) if same else hand.unseen


def _all_came(hand: Traced, step: int, how: How) -> Traced:
    return Traced(
        tuple((card, _came(ways, step, how)) for card, ways in hand.known),
        hand.count,
        _came(hand.unseen, step, how),
    )


def _came(ways: Ways, step: int, how: How) -> Ways:
    return frozenset((*way, Arrival(step, how)) for way in ways)

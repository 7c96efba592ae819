"""Whether told events were legal, by what is known of the hands in hindsight.

What later entries tell about earlier hands is traced backwards through a round. Every step is safe:
a card is put into an earlier hand only if it must have been there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import RULES
from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    Discard,
    Draw,
    FirstCardTurned,
    Give,
    MisplayCalled,
    PileReshuffled,
    Swap,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import (
    Event,
    RoundEnded,
    RoundStarted,
    RoundTallied,
)
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.known_cards import (
    Copies,
    Hand,
    Hands,
    Pile,
    add_copies,
    card_count,
    copies_of,
    hand_knowing,
    height,
    known_in,
    more_of_each,
    pile_knowing,
    without,
)
from scorekeeper.match.readings.detour import same_table
from scorekeeper.match.readings.reader import JudgedEvent, StepTaken
from scorekeeper.match.state import State
from scorekeeper.match.table import Drawn, Misplayed, Suspect, Table
from scorekeeper.match.turns.effects import effect_of
from scorekeeper.match.turns.exchanges import taken_over
from scorekeeper.match.turns.late import is_late
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card
from scorekeeper.rules.edition import Edition

Held: TypeAlias = dict[str, Copies]
"""The cards that must be in each hand, by player. What an event leaves alone is shared."""

Verdict: TypeAlias = Literal["legal", "illegal", "unknown"]


def with_hindsight(
    edition: Edition,
    tables: Sequence[Table | None],
    events: Sequence[Event],
    afters: Sequence[Table | None],
) -> list[Table | None]:
    """Return the tables with the cards that are known in the end.

    `tables[i]` is the table before `events[i]`. The last table is the one after the last event.
    `afters[i]` is the table after `events[i]`, which shares with `tables[i]` what was left alone.
    """
    found: list[Table | None] = list(tables)
    last = tables[-1]
    later = None if last is None else _in_the_end(last, _known(last))
    for index in reversed(range(len(events))):
        before, event, after = tables[index], events[index], afters[index]
        if before is None:
            later = None
        elif later is None or after is None or isinstance(event, RoundStarted):
            # Another round's hands and pile say nothing about these.
            later = _in_the_end(before, _told_at_end(before, events, index))
        else:
            later = _before(edition, before, event, after, later)
        found[index] = None if later is None else later.known
    _name_drawn(found, events)
    return found


class _Traced(NamedTuple):
    """A table with hindsight, and the cards known to be in its hands and pile."""

    known: Table
    hands: Held
    pile: Copies


def _in_the_end(table: Table, hands: Held) -> _Traced:
    """Return the last table of a round, with these cards known in the hands."""
    known = {player: hand_knowing(hand, hands[player]) for player, hand in table.hands.items()}
    return _Traced(_with(table, known, table.pile), hands, copies_of(known_in(table.pile)))


def _before(edition: Edition, table: Table, event: Event, after: Table, later: _Traced) -> _Traced:
    """Return the table before an event. What the event left alone is taken from `later`."""
    hands = _hands_before(edition, table, event, after, later.hands)
    if hands is later.hands:
        known = later.known.hands
    else:
        known = {
            player: later.known.hands[player]
            if hands[player] is later.hands.get(player)
            else hand_knowing(hand, hands[player])
            for player, hand in table.hands.items()
        }
    pile = _pile_before(table, event, after, later.pile)
    known_pile = later.known.pile if pile is later.pile else pile_knowing(table.pile, pile)
    return _Traced(_with(table, known, known_pile), hands, pile)


def _told_at_end(table: Table, events: Sequence[Event], index: int) -> Held:
    """Return the cards that must be in the hands before an event that removes the round's table.

    They include each hand that a tally lists, unless it contradicts the book.
    """
    hands, tally = _known(table), events[index]
    if not isinstance(tally, RoundTallied) or not _goes_on(events, index):
        return hands
    for player, told in (tally.hands or {}).items():
        cards = Counter(told.cards or ())
        hand = table.hands.get(player)
        if hand and cards.total() == card_count(hand) and not Counter(hand.known) - cards:
            hands[player] = dict(cards)
    return hands


def _goes_on(events: Sequence[Event], index: int) -> bool:
    """Return whether the round on the table has not ended before this event."""
    for place in reversed(range(index)):
        if isinstance(events[place], RoundStarted | RoundEnded):
            return isinstance(events[place], RoundStarted)
    return False


def _known(table: Table) -> Held:
    return {player: copies_of(hand.known) for player, hand in table.hands.items()}


def _hands_before(edition: Edition, before: Table, event: Event, after: Table, later: Held) -> Held:
    """Return the cards that must have been in the hands before an event."""
    # In a hand that the event left alone, the same cards are known before and after it.
    if before.hands is after.hands:
        return later
    moved = [p for p, hand in before.hands.items() if hand is not after.hands.get(p)]
    hands = later.copy()
    for player in moved:
        hands[player] = later.get(player, {}).copy()
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
        merged = more_of_each(hands[player], hand.known) if hand.known else hands[player].copy()
        consistent = player in after.hands and sum(merged.values()) <= card_count(hand)
        hands[player] = merged if consistent else copies_of(hand.known)
    return hands


def _unplay(edition: Edition, before: Table, after: Table, event: CardPlayed, hands: Held) -> None:
    effects = event.effects or ()
    for effect in reversed(effects):
        match effect:
            case Discard(player=player, cards=cards):
                add_copies(hands[player], cards)
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
    add_copies(hands[event.player], event.cards)


def _unswap(hands: Held, holders: Mapping[str, str]) -> None:
    earlier = {former: hands[holder] for holder, former in holders.items()}
    hands.update(earlier)


def _drew(before: Table, after: Table, player: str) -> bool:
    """Return whether the hand grew. A draw that is told late only names cards of the hand."""
    return card_count(after.hands[player]) > card_count(before.hands[player])


def _undraw(before: Table, after: Table, player: str, hands: Held) -> None:
    new = after.hands[player].known[len(before.hands[player].known) :]
    unseen = card_count(after.hands[player]) - card_count(before.hands[player]) - len(new)
    _take_out(hands[player], new, unseen)


def _ungive(hands: Held, giver: str, to: str, cards: tuple[Card, ...], unseen: int) -> None:
    _take_out(hands[to], cards, unseen)
    add_copies(hands[giver], cards)


def _take_out(hand: Copies, cards: tuple[Card, ...], unseen: int) -> None:
    """Take the cards that came into a hand out of it again.

    `unseen`: how many unknown cards came in as well. Each of the other cards may be one of them.
    """
    for card in cards:
        hand[card] = hand.get(card, 0) - 1
    for card, count in list(hand.items()):
        if count > unseen:
            hand[card] = count - unseen
        else:
            del hand[card]


def _untake(before: Table, after: Table, laid: Suspect | Misplayed, hands: Held) -> None:
    """Undo the taking back of a card. Of hands that moved with it, nothing is certain."""
    others = [player for player in before.hands if player != laid.player]
    moved = [player for player in others if after.hands.get(player) is not before.hands[player]]
    for player in moved:
        hands[player] = {}
    hand, now = before.hands[laid.player], after.hands.get(laid.player)
    came = 0 if now is None else card_count(now) - card_count(hand)
    if moved or now is None:
        # The player may have had another hand before, also if it had as many cards.
        hands[laid.player] = {}
    elif 0 < came <= laid.count:
        # Of several cards laid at once, all but the top one may have been shuffled and drawn.
        _take_out(hands[laid.player], (laid.card,) * came, 0)
    elif came:
        hands[laid.player] = {}


def _pile_before(before: Table, event: Event, after: Table, later: Copies) -> Copies:
    """Cards that must have been in the draw pile before an event."""
    if isinstance(event, PileReshuffled):
        return {}
    if before.pile is after.pile:
        return later
    pile = later.copy()
    if isinstance(event, CardsDrawn) and _drew(before, after, event.player):
        hand = after.hands[event.player]
        add_copies(pile, hand.known[len(before.hands[event.player].known) :])
    elif isinstance(event, FirstCardTurned) and height(before.pile) > height(after.pile):
        add_copies(pile, (event.card,))
    own = tuple(known_in(before.pile))
    pile = more_of_each(pile, own)
    return pile if sum(pile.values()) <= height(before.pile) else copies_of(own)


def _with(table: Table, hands: Hands, pile: Pile) -> Table:
    """Return the table with these hands and this pile, and the hand of an open wild-draw-four."""
    known = replace(table, hands=hands, pile=pile)
    if table.suspect is not None and table.suspect.hand.unknown:
        suspect = table.suspect
        now = hands.get(suspect.player)
        if now is not None and card_count(now) == card_count(suspect.hand):
            known.suspect = replace(suspect, hand=now)
    return known


def _name_drawn(tables: list[Table | None], events: Sequence[Event]) -> None:
    """Name drawn cards: if a whole hand was known before a draw, new known cards were drawn."""
    drew: tuple[str, Hand] | None = None
    for index, event in enumerate(events):
        table = tables[index]
        if table is None:
            continue
        drawn = table.drawn
        if drawn is not None and drawn.unknown and drew and drew[0] == table.turn:
            hand, earlier = table.hands[drew[0]], drew[1]
            named = without(hand.known, earlier.known)
            if not earlier.unknown and card_count(hand) == card_count(earlier) + drawn.count:
                unknown = drawn.count - len(named)
                table.drawn = Drawn(named, unknown, drawn.beside, ordered=False)
        if isinstance(event, CardsDrawn) and event.player == table.turn and not table.drawn:
            drew = (event.player, table.hands[event.player])


class Judgement(Struct, frozen=True):
    """The verdict on an event.

    `violations` may also be those of an earlier play, if the event is a challenge or a catch.
    """

    verdict: Verdict
    violations: tuple[Violation, ...] = ()


LEGAL = Judgement("legal")


def judge(state: State, event: JudgedEvent) -> Judgement:
    """Return the verdict on an event that was recorded in this state, by what the state knows."""
    rule = RULES[type(event)]
    if not rule.phases or is_late(state, event):  # without a phase, nobody tells it
        return LEGAL
    against = () if rule.breach is None else rule.breach(state, event)
    shown = () if rule.flag is None else rule.flag(state, event)
    found = against + shown
    if against or (shown and not rule.flags_earlier):
        return Judgement("illegal", found)
    if rule.doubt is not None and rule.doubt(state, event):
        return Judgement("unknown", found)
    return Judgement("legal", found) if found else LEGAL


def known_around(taken: Sequence[StepTaken]) -> list[Table | None]:
    """Return the tables before all steps and after the last one, as they are known in the end."""
    if not taken:
        return []
    steps = [each.step for each in taken]
    tables = [step.before.table for step in steps] + [steps[-1].after.table]
    # Where two readings meet, a step begins with another table than the one before it ended with.
    # They are equal then, and the latter shares its hands with the step.
    afters = [
        step.after.table if same_table(step.after.table, following) else following
        for step, following in zip(steps, tables[1:], strict=True)
    ]
    return with_hindsight(steps[0].before.edition, tables, [each.event for each in taken], afters)


def judged(taken: Sequence[StepTaken], known: Sequence[Table | None]) -> list[Judgement]:
    """Return one verdict for each step. `known`: what `known_around` returns for these steps."""
    found: list[Judgement] = []
    bluffed = False
    for (_, step, event), table in zip(taken, known[:-1], strict=True):
        state = replace(step.before, table=_flagged(table) if bluffed else table)
        judgement = judge(state, event)
        if isinstance(event, CardPlayed) and event.card == WILD_DRAW_FOUR:
            clause = state.edition.wild_draw_four_legal.clause
            bluffed = any(violation.clause == clause for violation in judgement.violations)
        found.append(judgement)
    return found


def _flagged(table: Table | None) -> Table | None:
    """Return the table with its open wild-draw-four flagged as a bluff."""
    if table is None or table.suspect is None:
        return table
    return replace(table, suspect=replace(table.suspect, flagged=True))

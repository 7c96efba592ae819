"""What a card that is laid does to the table: where the cards go, and what follows from it."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardPlayed, Give
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.known_cards import card_count, hand_without, hand_without_one
from scorekeeper.match.state import State, table_of
from scorekeeper.match.table import (
    Blow,
    Debt,
    Misplayed,
    Suspect,
    Table,
    end_round,
    give_turn,
    next_seat,
    owe,
    owe_draw,
)
from scorekeeper.match.turns.effects import (
    carry_out,
    cited_effect,
    effect_of,
    emptied,
    reverse,
)
from scorekeeper.match.turns.exchanges import exchanging, swap_untold
from scorekeeper.match.turns.legality import hand_left, jumps_in, stackable
from scorekeeper.match.turns.uno import settle
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Color
from scorekeeper.rules.clauses import Cited
from scorekeeper.rules.parameters import ColorNaming, Effect, TurnAfter

# Bound once: to look a member up in its enum costs a play two calls each time.
_ALWAYS: Final = ColorNaming.ALWAYS
_NEVER: Final = ColorNaming.NEVER
_NEXT_REVERSED: Final = TurnAfter.NEXT_REVERSED
_NEXT_IS_SKIPPED: Final = TurnAfter.NEXT_IS_SKIPPED
_SAME_PLAYER: Final = TurnAfter.SAME_PLAYER


def refused_outcome(state: State, before: Table, event: CardPlayed) -> Refusal | None:
    """Why the card can't have done what is told of it."""
    effect = effect_of(state.edition, before, event.card)
    after = _lay(before, event)
    refused = _carry_out(state, after, event, effect) or swap_untold(after, event, effect)
    if refused is not None:
        return refused
    if event.color is not None and not _color_open(state, after, event, effect):
        return Refusal(code="color-not-open", facts={"card": event.card, "color": event.color})
    return None


def refused_color(state: State, color: Color | None) -> Refusal | None:
    """Return a refusal if no card of this edition has the colour."""
    if color is None or color in state.edition.colors.value:
        return None
    return impossible("color-not-in-edition", color=color, colors=state.edition.colors.value)


def color_needed(state: State, table: Table) -> Refusal | None:
    """Return a refusal if a colour has to be named before play goes on."""
    if table.color_pending is None:
        return None
    colors = state.edition.colors.value
    return impossible("color-needed", player=table.color_pending, colors=colors)


def _lay(before: Table, event: CardPlayed) -> Table:
    """Return a copy of the table on which the card lies.

    The card before it can't be answered, challenged or called any more.
    """
    uppermost = event.cards
    own = before.hands[event.player]
    left = (
        hand_without_one(own, event.card) if event.count is None else hand_without(own, uppermost)
    )
    if left is None:
        # Such a card is refused. If a log has it nevertheless, it changes nothing.
        return before.copy()
    hands = before.hands.copy()
    hands[event.player] = left
    return replace(
        before,
        hands=hands,
        # This copies the discards once, while unpacking would copy them twice.
        discards=before.discards + uppermost,
        laid=True,
        color_pending=None,
        next_turn=None,
        skipped=before.skipped + before.skipping,
        skipping=(),
        blow=None,
        suspect=None,
        misplayed=None,
    )


def _carry_out(state: State, table: Table, event: CardPlayed, effect: Effect) -> Refusal | None:
    """Carry out the effects of the laid card, or return why they are impossible."""
    if event.effects or effect.hands_from is not None:
        last = not card_count(table.hands[event.player])
        return carry_out(state, table, event, effect, last=last)
    return None


def _color_open(state: State, table: Table, event: CardPlayed, effect: Effect) -> bool:
    """Return whether the player of the card names the colour to be played next."""
    if state.edition.face(event.card).color is not None:
        return False
    if effect.color is ColorNaming.IF_WILD_ON_TOP and not emptied(table):
        return state.edition.face(table.top or "").color is None
    return True


def laid(state: State, event: CardPlayed) -> Table:
    """Return the table after the card was laid and its effects have moved cards.

    Colour, turn and new debts are not set yet.
    """
    before = table_of(state)
    return _laid(state, before, event, effect_of(state.edition, before, event.card))


def _laid(state: State, before: Table, event: CardPlayed, effect: Effect) -> Table:
    table = _lay(before, event)
    # When a card is laid, calls that were forgotten before can't be caught any more.
    if table.owing:
        table.owing = {}
    if event.effects or effect.gift or effect.hands_from is not None:
        _carry_out(state, table, event, effect)
        exchanged = exchanging(table, event, effect)
        waiting = event.player if _gift_open(table, event, effect) else None
        settle(table, before.hands, table.hands, event, exchanged=exchanged, waiting=waiting)
    elif card_count(table.hands[event.player]) <= 1:
        # A player who still has more than one card has nothing to call.
        settle(table, before.hands, (event.player,), event)
    return table


def _gift_open(table: Table, event: CardPlayed, effect: Effect) -> bool:
    """Return whether the card asks its player for a gift that nobody has told."""
    if not effect.gift or not card_count(table.hands[event.player]):
        return False
    return not any(isinstance(one, Give) for one in event.effects or ())


def play(
    state: State, before: Table, event: CardPlayed, *, may_be_called: bool, known_bluff: bool
) -> None:
    """Take in a card that was laid on the table `before`.

    `may_be_called`: the card is against the rules, or may be. `known_bluff`: the book knows that it
    is a bluff.
    """
    cited = cited_effect(state.edition, before, event.card)
    table = _laid(state, before, event, cited.value)
    out = emptied(table)
    _set_color(state, table, event, cited.value, out)
    stacked = 0
    if before.blow is not None or event.jump_in:
        stacked = _answer(state, before, table, event, cited)
    if out:
        _go_out(state, table, event, out, stacked)
    else:
        _go_on(state, table, event, cited, stacked)
        if may_be_called:
            table.misplayed = _misplayed(before, table, event)
    if event.card == WILD_DRAW_FOUR and _can_be_challenged(state, out):
        beyond = stacked + cited.value.next_draws * (effective(state, event) - 1)
        table.suspect = _suspect(before, table, event, known_bluff=known_bluff, beyond=beyond)
    state.lay_out(table)


def _can_be_challenged(state: State, out: tuple[str, ...]) -> bool:
    edition = state.edition
    return edition.house.bluff is None and not (out and not edition.last_card_draws.value)


def effective(state: State, event: CardPlayed) -> int:
    """Return how many of the laid cards have their effect.

    It is 1 if such cards may not be laid together.
    """
    at_once = state.edition.house.at_once
    if at_once is None or state.edition.face(event.card).symbol not in at_once.value:
        return 1
    return event.number


def _answer(
    state: State, before: Table, table: Table, event: CardPlayed, cited: Cited[Effect]
) -> int:
    """Settle the open penalty or skip of the card below.

    Return how many cards of that penalty are added to the penalty of this card.
    """
    jumping = jumps_in(state, before, event)
    if jumping:
        table.skipped = before.skipped
    blow = before.blow
    if blow is None:
        return 0
    if cited.value.reflects and blow.victim == event.player:
        if blow.source is not None:
            _send_back(table, blow, blow.source, cited)
        return 0
    stacks = stackable(state.edition, before, event.card)
    if jumping or (stacks and blow.victim == event.player):
        _let_lapse(table, blow)
        return blow.count if stacks else 0
    return 0


def _set_color(
    state: State, table: Table, event: CardPlayed, effect: Effect, out: tuple[str, ...]
) -> None:
    naming = effect.color
    if naming is not _ALWAYS:
        top = state.edition.face(table.discards[-1])
        if naming is _NEVER or top.color is not None:
            table.color = top.color
            return
    table.color = event.color
    if event.color is None and not out:
        table.color_pending = event.player


def _send_back(table: Table, blow: Blow, source: str, cited: Cited[Effect]) -> None:
    """Let the player of the penalty card draw the penalty, without losing a turn (M-STAR)."""
    _let_lapse(table, blow)
    owe_draw(table, source, blow.count, cited.clause)


def _let_lapse(table: Table, blow: Blow) -> None:
    table.debts = tuple(d for d in table.debts if not (d.hit and d.player == blow.victim))


def _go_out(
    state: State, table: Table, event: CardPlayed, out: tuple[str, ...], stacked: int
) -> None:
    """End the round. Only the draw that the last card forces is still to come."""
    end_round(table, out)
    draws = state.edition.last_card_draws.value.get(state.edition.face(event.card).symbol, 0)
    count = draws * effective(state, event) + stacked
    if count and event.player in out:
        victim = next_seat(table, event.player)
        _hit(state, table, event, victim, count, stacked)


def _hit(
    state: State, table: Table, event: CardPlayed, victim: str, count: int, stacked: int
) -> None:
    """Add the penalty of a card to the debts.

    Its clause is that of the card among more than two players, or that of the stacking.
    """
    clause = state.edition.card_rule(event.card).played.clause
    stacks = state.edition.house.stacks
    if stacked and stacks is not None:
        clause = stacks.clause
    owe_draw(table, victim, count, clause, hit=True)


def _go_on(
    state: State, table: Table, event: CardPlayed, cited: Cited[Effect], stacked: int
) -> None:
    effect, number = cited.value, effective(state, event)
    if effect.turn is _NEXT_REVERSED and number % 2:
        reverse(table)
    victim = next_seat(table, event.player)
    if effect.next_draws:
        count = effect.next_draws * number + stacked
        _hit(state, table, event, victim, count, stacked)
        table.blow = Blow(source=event.player, victim=victim, count=count)
    if effect.gift and _gift_open(table, event, effect):
        debt = Debt(
            kind="give", player=event.player, count=effect.gift, clause=cited.clause, to=victim
        )
        owe(table, debt)
    if effect.turn is _SAME_PLAYER:
        give_turn(table, event.player)
    elif effect.turn is _NEXT_IS_SKIPPED:
        # Several penalty cards hit one player, several skips one player each.
        skips = 1 if effect.next_draws else min(number, len(table.seats) - 1)
        give_turn(table, next_seat(table, event.player, skips + 1))
    else:
        give_turn(table, victim)


def _misplayed(before: Table, table: Table, event: CardPlayed) -> Misplayed:
    moved = any(
        table.hands[one] is not hand for one, hand in before.hands.items() if one != event.player
    )
    return Misplayed(
        player=event.player,
        card=event.card,
        count=event.number,
        before=replace(before, misplayed=None),
        moved=moved,
        alone=not moved and not event.effects,
    )


def _suspect(
    before: Table, table: Table, event: CardPlayed, *, known_bluff: bool, beyond: int
) -> Suspect:
    hand = hand_left(before, event)
    return Suspect(
        player=event.player,
        challenger=next_seat(table, event.player),
        card=event.card,
        hand=hand,
        top=before.top,
        color=before.color,
        last=not card_count(hand),
        flagged=known_bluff,
        count=event.number,
        beyond=beyond,
    )

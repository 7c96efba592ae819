"""The duties that house rules add for a player who has drawn cards in the own turn.

Only that player sees the cards. So a breach is recorded if the book knows of it, and never refused.
"""

from collections.abc import Sequence

from scorekeeper.match.events.card_events import CardsDrawn, TurnPassed
from scorekeeper.match.events.refusal import BreachReason, Violation
from scorekeeper.match.knowledge import Test, copies, located
from scorekeeper.match.known_cards import known_in
from scorekeeper.match.state import State, table_of
from scorekeeper.match.table import Drawn, Table, beyond_debt
from scorekeeper.match.turns.effects import move_drawn
from scorekeeper.match.turns.legality import playable
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card


def _fits(state: State, table: Table) -> Test:
    return playable(state.edition, table.top, table.color)


def beyond_owed(
    table: Table, event: CardsDrawn, known: tuple[Card, ...], beyond: int
) -> tuple[tuple[Card, ...], bool]:
    """Return the known cards among those drawn beyond a debt, and whether their order is known.

    `table`: the table before the draw. `known`: the drawn cards that are known. `beyond`: how many
    cards are drawn beyond the debt.
    """
    told = event.cards or ()
    if len(told) == event.number:
        return told[-beyond:], True
    if _known_in_order(table, event.number):
        return known[-beyond:], True
    # If only some cards are known, nobody can say which of them paid the debt.
    return (known if beyond == event.number else ()), False


def _known_in_order(table: Table, count: int) -> bool:
    for stretch in table.pile:
        if stretch.cards is None or not (stretch.ordered or stretch.count == 1):
            return False
        count -= stretch.count
        if count <= 0:
            return True
    return False


def _drawn_by(state: State, event: CardsDrawn) -> tuple[Drawn | None, Drawn]:
    """Return what was drawn earlier in this turn, and what this draw adds beyond a debt."""
    table = table_of(state)
    beyond = beyond_debt(table, event)
    if not beyond or table.turn != event.player:
        return None, Drawn((), 0)
    after = table.copy()
    if not move_drawn(after, event.player, event.number, event.cards or ()):
        return table.drawn, Drawn((), beyond)
    new = after.hands[event.player].known[len(table.hands[event.player].known) :]
    known, ordered = beyond_owed(table, event, new, beyond)
    return table.drawn, Drawn(known, beyond - len(known), ordered=ordered)


def _sees_no_more(table: Table, event: CardsDrawn) -> bool:
    """Return whether the draw can't show that a playable card was drawn past.

    This is a quick test. It spares most draws the full one.
    """
    if table.drawn is not None and table.drawn.cards:
        return False
    if event.number == 1:
        return True
    if event.cards or not table.pile:
        return False
    uppermost = table.pile[0]
    return uppermost.cards is None and event.number <= uppermost.count


def drawn_past(state: State, event: CardsDrawn) -> Violation | None:
    """Return the violation of a player who draws on although a drawn card can be played.

    None if there is no such violation, or none that the book knows of.
    """
    clause, table = state.edition.house.draws_until_playable, table_of(state)
    if clause is None or _sees_no_more(table, event):
        return None
    fits = _fits(state, table)
    earlier, new = _drawn_by(state, event)
    past = bool(new.count) and earlier is not None and any(map(fits, earlier.cards))
    # If the order is not known, a single playable card may be the last one drawn.
    unsure = new.unknown or not new.ordered
    several = sum(map(fits, new.cards)) > 1 if unsure else any(map(fits, new.cards[:-1]))
    if not past and not several:
        return None
    return Violation(clause=clause, reason="drawn-past-playable", facts={"player": event.player})


def may_be_past(state: State, event: CardsDrawn) -> bool:
    """Return whether the draw may have gone past a playable card, although that is not certain."""
    if state.edition.house.draws_until_playable is None or drawn_past(state, event) is not None:
        return False
    earlier, new = _drawn_by(state, event)
    before = 0 if earlier is None else earlier.unknown
    unsure = new.count > 1 and bool(new.unknown or not new.ordered)
    if not before and not unsure:
        return False
    table = table_of(state)
    fits = _fits(state, table)
    if any(map(fits, new.cards)):
        return True
    drawn = earlier or Drawn((), 0, table.hands[event.player].known)
    lying = tuple(known_in(table.pile))
    return bool(before or new.unknown) and _may_be_drawn(state, event.player, drawn, fits, lying)


def _may_be_drawn(
    state: State, player: str, drawn: Drawn, test: Test, lying: Sequence[Card] = ()
) -> bool:
    """Return whether an unknown card that the player has drawn may pass the test.

    It may be a copy that is not located, or one that is now known to be in the hand and was not
    known to be there before the draw. It may also be one of `lying`, which the pile is known to
    hold.
    """
    table, box = table_of(state), state.box
    own = table.hands[player].known
    sure = (*drawn.beside, *drawn.cards)

    def elsewhere(card: Card) -> int:
        may_be_new = own.count(card) - sure.count(card)
        return located(table, card) - may_be_new - lying.count(card)

    return any(test(card) and elsewhere(card) < copies(box, table, card) for card in box.last_first)


def flags_of_pass(state: State, event: TurnPassed) -> tuple[Violation, ...]:
    """Return the known breaches of a pass.

    The player passes before a playable card was drawn, or has a drawn card that must be played.
    """
    table, house = table_of(state), state.edition.house
    drawn = table.drawn
    if drawn is None or table.turn != event.player:
        return ()
    found: tuple[Violation, ...] = ()
    if house.draws_until_playable and _too_early(state, table, drawn) is True:
        found = (_of_pass(house.draws_until_playable, "passed-too-early", event),)
    if house.plays_drawn and any(map(_fits(state, table), drawn.cards)):
        found = (*found, _of_pass(house.plays_drawn, "passed-with-playable", event))
    return found


def _of_pass(clause: str, reason: BreachReason, event: TurnPassed) -> Violation:
    return Violation(clause=clause, reason=reason, facts={"player": event.player})


def _too_early(state: State, table: Table, drawn: Drawn) -> bool | None:
    """Return whether more cards have to be drawn before the turn can end, None if not known."""
    if not table.available or any(map(_fits(state, table), drawn.cards)):
        return False
    if drawn.unknown:
        fits = _fits(state, table)

        def ends(card: Card) -> bool:
            return card == WILD_DRAW_FOUR or fits(card)

        if WILD_DRAW_FOUR in drawn.cards or _may_be_drawn(state, table.turn or "", drawn, ends):
            return None
        return True
    if WILD_DRAW_FOUR not in drawn.cards:
        return True
    if not drawn.ordered:
        return None
    # A wild-draw-four may be where the drawing ends.
    return drawn.cards[-1] != WILD_DRAW_FOUR


def pass_in_doubt(state: State, event: TurnPassed) -> bool:
    """Return whether an unknown card decides if the pass is legal."""
    table, house = table_of(state), state.edition.house
    drawn = table.drawn
    if drawn is None or table.turn != event.player:
        return False
    if house.draws_until_playable and _too_early(state, table, drawn) is None:
        return True
    if not house.plays_drawn or not drawn.unknown:
        return False
    return _may_be_drawn(state, event.player, drawn, _fits(state, table))

"""How a card that is laid or given, and what it brings about, are narrated."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    Discard,
    Draw,
    Give,
    Reverse,
    Skip,
    Swap,
    ToldEffect,
)
from scorekeeper.match.events.events import Event
from scorekeeper.match.known_cards import card_count
from scorekeeper.match.table import next_seat
from scorekeeper.match.turns.effects import effect_of
from scorekeeper.match.turns.laying import effective
from scorekeeper.match.turns.legality import answers_penalty, jumps_in, matches, stackable
from scorekeeper.projections.narration.calls import UNO
from scorekeeper.projections.narration.narration import (
    Clauses,
    Moment,
    Narration,
    Saying,
    Sentence,
    Sentences,
    sentence,
    where_listed,
)
from scorekeeper.rules.cards import WILD_DRAW_FOUR
from scorekeeper.rules.parameters import Bluff, ColorNaming, HandsFrom, TurnAfter

_LAST: Final = "X-LAST"


def _play_cited(moment: Moment[CardPlayed]) -> Clauses:
    edition, table, now, event = moment.edition, moment.table, moment.now, moment.event
    rule, house = edition.card_rule(event.card), edition.house
    yield _fitting_clause(moment)
    if house.at_once and event.number > 1:
        yield house.at_once.clause
    yield rule.played.clause
    if len(table.seats) == 2:
        yield rule.played_two_players.clause
    left = now.hands.get(event.player)
    if event.card == WILD_DRAW_FOUR and left is not None and card_count(left):
        if house.bluff:
            yield house.bluff.clause
        if not house.bluff or house.bluff.value is Bluff.MISPLAY:
            yield edition.wild_draw_four_legal.clause
    stacking = _stacking(moment)
    if stacking is not None:
        yield stacking
    jumping = jumps_in(moment.before, table, event)
    if table.drawn is not None and table.turn == event.player and not jumping:
        yield edition.only_drawn
    yield from _calls_due(moment, event.player)
    if now.over:
        yield from _last_card(moment)


def _fitting_clause(moment: Moment[CardPlayed]) -> str:
    """Return the clause by which the card may be laid at this moment."""
    edition, table, event = moment.edition, moment.table, moment.event
    house = edition.house
    if house.jump_in and jumps_in(moment.before, table, event):
        return house.jump_in.clause
    if not answers_penalty(moment.before, table, event):
        return edition.match_by.clause
    if house.stacks and stackable(edition, table, event.card):
        return house.stacks.clause
    return edition.lays_on_penalty.clause


def _calls_due(moment: Moment[Event], player: str) -> Clauses:
    now = moment.now
    due = {one for one in now.seats if _came_to_one(moment, one)}
    if due and not now.over:
        yield moment.edition.uno.clause
        if due - {player}:
            yield from where_listed(moment.edition, UNO)


def _last_card(moment: Moment[CardPlayed]) -> Clauses:
    edition, card = moment.edition, moment.event.card
    yield edition.shared.round_end
    if edition.house.last_card:
        yield edition.house.last_card.clause
    if len(moment.now.winners) > 1:
        yield edition.joint_winner_cards.clause
    printed = edition.face(card)
    effect = edition.card_rule(card).played.value
    if printed.symbol in edition.last_card_draws.value:
        yield edition.last_card_draws.clause
    elif printed.color is None or effect.turn is not TurnAfter.NEXT:
        yield from where_listed(edition, _LAST)


def _play(moment: Moment[CardPlayed]) -> Sentences:
    yield _how_it_fits(moment)
    yield from _several(moment)
    for effect in moment.event.effects or ():
        yield from _told_effect(effect, moment.table.seats)
    yield from _exchange(moment)
    if moment.now.over:
        yield from _out(moment)
        yield from _answered(moment)
        yield from _last_draw(moment)
        return
    yield from _color(moment)
    yield from _penalty_or_turn(moment)
    yield from _uno(moment)


def _how_it_fits(moment: Moment[CardPlayed]) -> Sentence:
    """Say how the card fits: the top card, the colour, a penalty that it answers, or not at all."""
    edition, table, event = moment.edition, moment.table, moment.event
    player, card, clause = event.player, event.card, _fitting_clause(moment)
    if jumps_in(moment.before, table, event):
        return sentence("jumped-in", player=player, card=card, clause=clause)
    if answers_penalty(moment.before, table, event):
        stacked = stackable(edition, table, card)
        said: Saying = "stacked" if stacked else "played-answer"
        return Sentence(said, {"player": player, "card": card, "clause": clause})
    printed = edition.face(card)
    if printed.color is None:
        return sentence("played-wild", player=player, card=card, clause=clause)
    if table.top is None or table.color is None:
        return sentence("played-freely", player=player, card=card, clause=clause)
    if not matches(edition, card, table.top, table.color):
        return sentence("played-against", player=player, card=card, top=table.top, clause=clause)
    if printed.color == table.color:
        return sentence(
            "played-on-color", player=player, card=card, color=table.color, clause=clause
        )
    saying: Saying = "played-on-number" if printed.is_number else "played-on-symbol"
    return Sentence(saying, {"player": player, "card": card, "top": table.top, "clause": clause})


def _several(moment: Moment[CardPlayed]) -> Sentences:
    at_once, number = moment.edition.house.at_once, moment.event.number
    if at_once and number > 1:
        yield sentence("laid-at-once", count=number, clause=at_once.clause)


def _told_effect(effect: ToldEffect, seats: Sequence[str]) -> Sentences:
    match effect:
        case Discard(player=player, cards=cards):
            yield sentence("discards", player=player, cards=cards)
        case Give(giver=giver, to=to, cards=cards, count=count):
            if cards:
                yield sentence("gives", player=giver, to=to, cards=cards)
            else:
                yield sentence("gives-unseen", player=giver, to=to, count=count)
        case Draw(player=player) as drawn:
            yield sentence("effect-draws", player=player, count=drawn.number)
        case Swap(hands=hands):
            # `hands` names everybody at the table. In seating order, names make no difference.
            for holder in seats:
                if hands[holder] != holder:
                    yield sentence("takes-hand", player=holder, former=hands[holder])
        case Skip(player=player):
            yield sentence("next-turn-skipped", player=player)
        case Reverse():
            yield sentence("effect-reverses")


def _exchange(moment: Moment[CardPlayed]) -> Sentences:
    event, played = moment.event, moment.edition.card_rule(moment.event.card).played
    last = card_count(moment.table.hands[event.player]) == event.number
    if played.value.hands_from is None or event.effects or last:
        return
    match played.value.hands_from:
        case HandsFrom.LEFT_NEIGHBOR:
            yield sentence("exchanged", clause=played.clause)
        case HandsFrom.PREVIOUS:
            direction = moment.now.direction
            yield sentence("hands-pass", direction=direction, clause=played.clause)
        case HandsFrom.CHOSEN:
            former = event.swap_with
            yield sentence("swaps-hands", player=event.player, former=former, clause=played.clause)


def _out(moment: Moment[Event]) -> Sentences:
    now = moment.now
    if now.over:
        clause = moment.edition.shared.round_end
        yield sentence("out", players=now.winners, clause=clause)


def _last_draw(moment: Moment[CardPlayed]) -> Sentences:
    clause = moment.edition.last_card_draws.clause
    table, event = moment.table, moment.event
    # The penalty below may look like the one of this card, if the same player lays both.
    lapses = jumps_in(moment.before, table, event) or answers_penalty(moment.before, table, event)
    staying = () if lapses else table.debts
    for debt in moment.now.debts:
        if debt.hit and debt not in staying:
            if moment.before.mode.rounds_decide:
                yield sentence("must-draw", player=debt.player, count=debt.count)
            else:
                yield sentence("last-draw", victim=debt.player, count=debt.count, clause=clause)


def _color(moment: Moment[CardPlayed]) -> Sentences:
    event = moment.event
    rule = moment.edition.card_rule(event.card)
    if rule.played.value.color is ColorNaming.NEVER:
        return
    if moment.now.color_pending is not None:
        yield sentence("color-open", player=moment.now.color_pending)
    elif event.color is not None:
        yield sentence("names-color", player=event.player, color=event.color)


def _penalty_or_turn(moment: Moment[CardPlayed]) -> Sentences:
    table, now, event = moment.table, moment.now, moment.event
    effect = effect_of(moment.edition, table, event.card)
    yield from _answered(moment)
    if now.direction != table.direction and effect.turn is TurnAfter.NEXT_REVERSED:
        yield sentence("reversed", direction=now.direction)
    victim = next_seat(now, event.player)
    if effect.next_draws:
        count = effect.next_draws if now.blow is None else now.blow.count
        stacking = _stacking(moment)
        if stacking is not None:
            yield sentence("must-draw-or-stack", player=victim, count=count, clause=stacking)
        else:
            yield sentence("must-draw-and-skip", player=victim, count=count)
    elif effect.turn is TurnAfter.NEXT_IS_SKIPPED:
        for steps in range(1, 1 + min(effective(moment.before, event), len(now.seats) - 1)):
            yield sentence("skipped", player=next_seat(now, event.player, steps))
    for debt in now.debts:
        if debt.kind == "give" and debt not in table.debts:
            yield sentence("gift-owed", player=debt.player, to=debt.to, count=debt.count)
    if now.turn == event.player:
        yield sentence("goes-again", player=event.player)


def _stacking(moment: Moment[CardPlayed]) -> str | None:
    """Return the clause by which another card may be stacked on this one, None if none may be."""
    stacks = moment.edition.house.stacks
    if stacks is None or moment.now.over:
        return None
    symbol = moment.edition.face(moment.event.card).symbol
    return stacks.clause if symbol in stacks.value else None


def _answered(moment: Moment[CardPlayed]) -> Sentences:
    """Say which effects of the card below lapse, or are turned back on its player."""
    table, event = moment.table, moment.event
    if jumps_in(moment.before, table, event):
        for player in table.skipping:
            yield sentence("skip-lapses", player=player)
    blow = table.blow
    if blow is None or stackable(moment.edition, table, event.card):
        return
    if jumps_in(moment.before, table, event):
        yield sentence("penalty-lapses", player=blow.victim, count=blow.count)
    elif answers_penalty(moment.before, table, event):
        yield sentence("reflected", player=blow.source, count=blow.count)


def _uno(moment: Moment[CardPlayed]) -> Sentences:
    """Say who has called UNO and who has not.

    Only the player who laid the card can have called. Others who came to one card have not.
    """
    now = moment.now
    for player in now.seats:
        if not _came_to_one(moment, player):
            continue
        if player in now.owing:
            yield _silent(moment, player)
        elif player == moment.event.player and moment.event.uno:
            yield sentence("calls-uno", player=player)
    player = moment.event.player
    if moment.event.uno and player in now.called and card_count(now.hands[player]) == 2:
        # One of the two is still to be given away.
        yield sentence("calls-uno", player=player)


def _came_to_one(moment: Moment[Event], player: str) -> bool:
    """Return whether the event left the player with a single card, or with another single card."""
    table, now = moment.table, moment.now
    if card_count(now.hands[player]) != 1:
        return False
    # Two unknown cards can't be told apart. But a player who owes a call now has taken over another
    # card, since a card that is laid ends all calls owed before.
    taken = isinstance(moment.event, CardPlayed) and player in now.owing
    return taken or now.hands[player] != table.hands[player]


def _silent(moment: Moment[CardPlayed], player: str) -> Sentence:
    if moment.now.owing[player]:
        return sentence("uno-not-called", player=player, clause=moment.edition.uno.clause)
    return sentence("uno-not-recorded", player=player)


def _gift_cited(moment: Moment[CardGiven]) -> Clauses:
    event = moment.event
    for debt in moment.table.debts:
        if debt.kind == "give" and (debt.player, debt.to) == (event.player, event.to):
            yield debt.clause
    if moment.now.over:
        yield moment.edition.shared.round_end
    else:
        yield from _calls_due(moment, event.to)


def _gift(moment: Moment[CardGiven]) -> Sentences:
    event = moment.event
    if event.card is None:
        yield sentence("gives-unseen", player=event.player, to=event.to, count=1)
    else:
        yield sentence("gives", player=event.player, to=event.to, cards=(event.card,))
    yield from _out(moment)


CARD_PLAYED: Final = Narration(event=CardPlayed, cites=_play_cited, says=_play)
CARD_GIVEN: Final = Narration(event=CardGiven, cites=_gift_cited, says=_gift)

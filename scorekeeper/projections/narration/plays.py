"""What is told of a card that is laid or given, and of what it brings about."""

from typing import Final

from scorekeeper.match.events.card_events import CardGiven, CardPlayed
from scorekeeper.match.events.effects_told import (
    Discard,
    Draw,
    Give,
    Reverse,
    Skip,
    Swap,
    ToldEffect,
)
from scorekeeper.match.events.events import Event
from scorekeeper.match.table.hand import held
from scorekeeper.match.table.matching import matches
from scorekeeper.match.table.table import next_seat
from scorekeeper.match.turns.effects import effect_of
from scorekeeper.match.turns.legality import answers
from scorekeeper.projections.narration.calls import UNO
from scorekeeper.projections.narration.moment import Moment
from scorekeeper.projections.narration.narration import (
    Clauses,
    Narration,
    Sentences,
    where_listed,
)
from scorekeeper.projections.narration.sentence import Saying, Sentence, sentence
from scorekeeper.rules.cards import WILD_DRAW_FOUR, face
from scorekeeper.rules.parameters import ColorNaming, TurnAfter

_LAST: Final = "X-LAST"


def _play_cited(moment: Moment[CardPlayed]) -> Clauses:
    edition, table, now, event = moment.edition, moment.table, moment.now, moment.event
    rule = edition.card_rule(event.card)
    if answers(moment.before, table, event):
        yield edition.lays_on_penalty.clause
    else:
        yield edition.match_by.clause
    yield rule.played.clause
    if len(table.seats) == 2:
        yield rule.played_two_players.clause
    left = now.hands.get(event.player)
    if event.card == WILD_DRAW_FOUR and left is not None and held(left):
        yield edition.wild_draw_four_legal.clause
    if table.drawn is not None and table.turn == event.player:
        yield edition.keep.clause
    yield from _calls_due(moment, event.player)
    if now.over:
        yield from _last_card(moment)


def _calls_due(moment: Moment[Event], player: str) -> Clauses:
    table, now = moment.table, moment.now
    due = {one for one, hand in now.hands.items() if held(hand) == 1 and hand != table.hands[one]}
    if due and not now.over:
        yield moment.edition.uno.clause
        if due - {player}:
            yield from where_listed(moment.edition, UNO)


def _last_card(moment: Moment[CardPlayed]) -> Clauses:
    edition, card = moment.edition, moment.event.card
    yield edition.shared.round_end
    if len(moment.now.winners) > 1:
        yield edition.joint_winner_cards.clause
    printed = face(card)
    effect = edition.card_rule(card).played.value
    if printed.symbol in edition.last_card_draws.value:
        yield edition.last_card_draws.clause
    elif printed.color is None or effect.turn is not TurnAfter.NEXT:
        yield from where_listed(edition, _LAST)


def _play(moment: Moment[CardPlayed]) -> Sentences:
    yield _how_it_fits(moment)
    for effect in moment.event.effects or ():
        yield from _told_effect(effect)
    yield from _exchange(moment)
    if moment.now.over:
        yield from _out(moment)
        yield from _last_draw(moment)
        return
    yield from _color(moment)
    yield from _penalty_or_turn(moment)
    yield from _uno(moment)


def _how_it_fits(moment: Moment[CardPlayed]) -> Sentence:
    """By the card that lies there, by the colour, or not at all."""
    edition, table, event = moment.edition, moment.table, moment.event
    player, card, clause = event.player, event.card, edition.match_by.clause
    if answers(moment.before, table, event):
        clause = edition.lays_on_penalty.clause
        return sentence("played-answer", player=player, card=card, clause=clause)
    laid = face(card)
    if laid.color is None:
        return sentence("played-wild", player=player, card=card, clause=clause)
    if table.top is None or table.color is None:
        return sentence("played-freely", player=player, card=card, clause=clause)
    if not matches(edition, card, table.top, table.color):
        return sentence("played-against", player=player, card=card, top=table.top, clause=clause)
    if laid.color == table.color:
        return sentence(
            "played-on-color", player=player, card=card, color=table.color, clause=clause
        )
    saying: Saying = "played-on-number" if laid.is_number else "played-on-symbol"
    return Sentence(saying, {"player": player, "card": card, "top": table.top, "clause": clause})


def _told_effect(effect: ToldEffect) -> Sentences:
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
            # The ledger keeps names in this order, whatever the order in which they were told.
            for holder, former in sorted(hands.items()):
                if holder != former:
                    yield sentence("takes-hand", player=holder, former=former)
        case Skip(player=player):
            yield sentence("next-turn-skipped", player=player)
        case Reverse():
            yield sentence("effect-reverses")


def _exchange(moment: Moment[CardPlayed]) -> Sentences:
    event = moment.event
    rule = moment.edition.card_rule(event.card)
    if rule.played.value.hands_from is not None and not event.effects and not moment.now.over:
        yield sentence("exchanged", clause=rule.played.clause)


def _out(moment: Moment[Event]) -> Sentences:
    now = moment.now
    if now.over:
        clause = moment.edition.shared.round_end
        yield sentence("out", players=now.winners, clause=clause)


def _last_draw(moment: Moment[CardPlayed]) -> Sentences:
    edition = moment.edition
    for debt in moment.now.debts:
        if debt.hit and debt not in moment.table.debts:
            clause = edition.last_card_draws.clause
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
    effect = effect_of(moment.before, table, event.card)
    if answers(moment.before, table, event) and table.blow is not None:
        yield sentence("reflected", player=table.blow.source, count=table.blow.count)
    if effect.turn is TurnAfter.NEXT_REVERSED:
        yield sentence("reversed", direction=now.direction)
    victim = next_seat(now, event.player)
    if effect.next_draws:
        yield sentence("must-draw-and-skip", player=victim, count=effect.next_draws)
    elif effect.turn is TurnAfter.NEXT_IS_SKIPPED:
        yield sentence("skipped", player=victim)
    for debt in now.debts:
        if debt.kind == "give" and debt not in table.debts:
            yield sentence("gift-owed", player=debt.player, to=debt.to, count=debt.count)
    if now.turn == event.player:
        yield sentence("goes-again", player=event.player)


def _uno(moment: Moment[CardPlayed]) -> Sentences:
    """Of the one who laid the card; whoever else is down to one card now has not called."""
    before, now = moment.table, moment.now
    for player, hand in now.hands.items():
        if held(hand) != 1 or hand == before.hands[player]:
            continue
        if player in now.owing:
            yield _silent(moment, player)
        elif player == moment.event.player:
            yield sentence("calls-uno", player=player)


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

"""What is said of a card that is laid, turned up or given, and of what it brings about."""

from collections.abc import Iterator

from scorekeeper.match.events.card_events import CardGiven, CardPlayed, ColorNamed, FirstCardTurned
from scorekeeper.match.events.effects_told import (
    Discard,
    Draw,
    Give,
    Reverse,
    Skip,
    Swap,
    ToldEffect,
)
from scorekeeper.match.table.hand import held
from scorekeeper.match.table.matching import matches
from scorekeeper.match.table.table import Table, next_seat
from scorekeeper.match.turns.legality import answers
from scorekeeper.projections.applied import turned_up
from scorekeeper.projections.moment import Moment
from scorekeeper.projections.saying import Said, Saying, say
from scorekeeper.rules.cards import face
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import ColorNaming, TurnAfter, TurnedUp

Sentences = Iterator[Said]


def first_card(moment: Moment, event: FirstCardTurned) -> Sentences:
    does, now = turned_up(moment.before, event.card), moment.now
    card, clause = event.card, does.clause
    if does.value is TurnedUp.TO_BOTTOM_OF_DRAW_PILE:
        yield say("turned-up-to-bottom", card=card, clause=clause)
        return
    if does.value is TurnedUp.STAYS_UNDER_NEXT:
        yield say("turned-up-under", card=card, clause=clause)
        return
    dealer = moment.before.dealer or moment.table.seats[0]
    first = next_seat(moment.table, dealer)
    match does.value:
        case TurnedUp.DEALER_BEGINS_REVERSED | TurnedUp.LEFT_BEGINS_REVERSED:
            yield say("turned-up-reversed", card=card, player=now.turn, clause=clause)
        case TurnedUp.FIRST_IS_SKIPPED:
            yield say("turned-up-skip", card=card, skipped=first, player=now.turn, clause=clause)
        case TurnedUp.FIRST_DRAWS_TWO:
            yield say(
                "turned-up-draw", card=card, victim=first, count=2, player=now.turn, clause=clause
            )
        case TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS | TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT:
            if event.color is None:
                yield say("turned-up-color-open", card=card, player=first, clause=clause)
            else:
                yield say(
                    "turned-up-color-named",
                    card=card,
                    namer=first,
                    color=event.color,
                    player=now.turn,
                    clause=clause,
                )
        case _:
            yield say("turned-up", card=card, player=now.turn, clause=clause)


def color_named(moment: Moment, event: ColorNamed) -> Sentences:
    yield say("color-named", player=event.player, color=event.color, turn=moment.now.turn)


def card_given(moment: Moment, event: CardGiven) -> Sentences:
    if event.card is None:
        yield say("gives-unseen", player=event.player, to=event.to, count=1)
    else:
        yield say("gives", player=event.player, to=event.to, cards=(event.card,))
    yield from _out(moment)


def card_played(moment: Moment, event: CardPlayed) -> Sentences:
    yield _how_it_fits(moment, event)
    yield from _told_effects(event)
    yield from _exchange(moment, event)
    if moment.now.over:
        yield from _out(moment)
        yield from _last_draw(moment)
        return
    yield from _color(moment, event)
    yield from _penalty_or_turn(moment, event)
    yield from _uno(moment, event)


def _how_it_fits(moment: Moment, event: CardPlayed) -> Said:
    """By the card that lies there, by the colour, or not at all."""
    edition, table = moment.before.edition, moment.table
    player, card, clause = event.player, event.card, edition.match_by.clause
    if answers(moment.before, table, event):
        clause = edition.lays_on_penalty.clause
        return say("played-answer", player=player, card=card, clause=clause)
    laid = face(card)
    if laid.color is None:
        return say("played-wild", player=player, card=card, clause=clause)
    if table.top is None or table.color is None:
        return say("played-freely", player=player, card=card, clause=clause)
    if not matches(edition, card, table.top, table.color):
        return say("played-against", player=player, card=card, top=table.top, clause=clause)
    if laid.color == table.color:
        return say("played-on-color", player=player, card=card, color=table.color, clause=clause)
    saying: Saying = "played-on-number" if laid.is_number else "played-on-symbol"
    return Said(saying, {"player": player, "card": card, "top": table.top, "clause": clause})


def _told_effects(event: CardPlayed) -> Sentences:
    for effect in event.effects or ():
        yield from _told_effect(effect)


def _told_effect(effect: ToldEffect) -> Sentences:
    match effect:
        case Discard(player=player, cards=cards):
            yield say("discards", player=player, cards=cards)
        case Give(giver=giver, to=to, cards=cards, count=count):
            if cards:
                yield say("gives", player=giver, to=to, cards=cards)
            else:
                yield say("gives-unseen", player=giver, to=to, count=count)
        case Draw(player=player) as drawn:
            yield say("effect-draws", player=player, count=drawn.number)
        case Swap(hands=hands):
            # The ledger keeps names in this order, whatever the order in which they were told.
            for holder, former in sorted(hands.items()):
                if holder != former:
                    yield say("takes-hand", player=holder, former=former)
        case Skip(player=player):
            yield say("next-turn-skipped", player=player)
        case Reverse():
            yield say("effect-reverses")


def _exchange(moment: Moment, event: CardPlayed) -> Sentences:
    rule = moment.before.edition.card_rule(event.card)
    if rule.played.value.hands_from is not None and not event.effects and not moment.now.over:
        yield say("exchanged", clause=rule.played.clause)


def _out(moment: Moment) -> Sentences:
    now = moment.now
    if now.over:
        clause = moment.before.edition.round_end.clause
        yield say("out", players=now.winners, clause=clause)


def _last_draw(moment: Moment) -> Sentences:
    edition = moment.before.edition
    for debt in moment.now.debts:
        if debt.hit and debt not in moment.table.debts:
            clause = edition.last_card_draws.clause
            yield say("last-draw", victim=debt.player, count=debt.count, clause=clause)


def _color(moment: Moment, event: CardPlayed) -> Sentences:
    rule = moment.before.edition.card_rule(event.card)
    if rule.played.value.color is ColorNaming.NEVER:
        return
    if moment.now.color_pending is not None:
        yield say("color-open", player=moment.now.color_pending)
    elif event.color is not None:
        yield say("names-color", player=event.player, color=event.color)


def _penalty_or_turn(moment: Moment, event: CardPlayed) -> Sentences:
    table, now, edition = moment.table, moment.now, moment.before.edition
    rule = edition.card_rule(event.card)
    among_two = len(table.seats) == 2
    effect = (rule.played_two_players if among_two else rule.played).value
    if answers(moment.before, table, event) and table.blow is not None:
        yield say("reflected", player=table.blow.source, count=table.blow.count)
    if effect.turn is TurnAfter.NEXT_REVERSED:
        yield say("reversed", direction=now.direction)
    victim = next_seat(now, event.player)
    if effect.next_draws:
        yield say("must-draw-and-skip", player=victim, count=effect.next_draws)
    elif effect.turn is TurnAfter.NEXT_IS_SKIPPED:
        yield say("skipped", player=victim)
    for debt in now.debts:
        if debt.kind == "give" and debt not in table.debts:
            yield say("gift-owed", player=debt.player, to=debt.to, count=debt.count)
    if now.turn == event.player:
        yield say("goes-again", player=event.player)


def _uno(moment: Moment, event: CardPlayed) -> Sentences:
    """Of the one who laid the card; whoever else is down to one card now has not called."""
    before, now = moment.table, moment.now
    for player, hand in now.hands.items():
        if held(hand) != 1 or hand == before.hands[player]:
            continue
        if player in now.owing:
            yield _silent(moment.before.edition, now, player)
        elif player == event.player:
            yield say("calls-uno", player=player)


def _silent(edition: Edition, now: Table, player: str) -> Said:
    if now.owing[player]:
        return say("uno-not-called", player=player, clause=edition.uno.clause)
    return say("uno-not-recorded", player=player)

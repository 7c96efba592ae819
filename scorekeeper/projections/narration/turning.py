"""What is told of the first card of a round, and of colours that are named."""

from typing import Final

from scorekeeper.match.events.card_events import ColorNamed, FirstCardTurned
from scorekeeper.match.table.table import next_seat
from scorekeeper.match.turns.turning import turned_up
from scorekeeper.projections.narration.moment import Moment
from scorekeeper.projections.narration.narration import Clauses, Narration, Sentences
from scorekeeper.projections.narration.sentence import sentence
from scorekeeper.rules.parameters import TurnedUp


def _first_card_cited(moment: Moment[FirstCardTurned]) -> Clauses:
    does = turned_up(moment.before, moment.event.card)
    yield does.clause
    if does.value is TurnedUp.PLAY_STARTS:
        yield moment.edition.shared.first_player


def _first_card(moment: Moment[FirstCardTurned]) -> Sentences:
    event, now = moment.event, moment.now
    does = turned_up(moment.before, event.card)
    card, clause = event.card, does.clause
    if does.value is TurnedUp.TO_BOTTOM_OF_DRAW_PILE:
        yield sentence("turned-up-to-bottom", card=card, clause=clause)
        return
    if does.value is TurnedUp.STAYS_UNDER_NEXT:
        yield sentence("turned-up-under", card=card, clause=clause)
        return
    dealer = moment.before.dealer or moment.table.seats[0]
    first = next_seat(moment.table, dealer)
    match does.value:
        case TurnedUp.DEALER_BEGINS_REVERSED | TurnedUp.LEFT_BEGINS_REVERSED:
            yield sentence("turned-up-reversed", card=card, player=now.turn, clause=clause)
        case TurnedUp.FIRST_IS_SKIPPED:
            yield sentence(
                "turned-up-skip", card=card, skipped=first, player=now.turn, clause=clause
            )
        case TurnedUp.FIRST_DRAWS_TWO:
            yield sentence(
                "turned-up-draw", card=card, victim=first, count=2, player=now.turn, clause=clause
            )
        case TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS | TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT:
            if event.color is None:
                yield sentence("turned-up-color-open", card=card, player=first, clause=clause)
            else:
                yield sentence(
                    "turned-up-color-named",
                    card=card,
                    namer=first,
                    color=event.color,
                    player=now.turn,
                    clause=clause,
                )
        case _:
            yield sentence("turned-up", card=card, player=now.turn, clause=clause)


def _color_cited(moment: Moment[ColorNamed]) -> Clauses:
    table = moment.table
    if table.top is None:
        return
    rule = moment.edition.card_rule(table.top)
    # Only a card that was turned up says who is on turn once its colour is named.
    yield rule.turned_up.clause if table.next_turn is not None else rule.played.clause


def _color(moment: Moment[ColorNamed]) -> Sentences:
    event = moment.event
    yield sentence("color-named", player=event.player, color=event.color, turn=moment.now.turn)


FIRST_CARD_TURNED: Final = Narration(
    event=FirstCardTurned, cites=_first_card_cited, says=_first_card
)
COLOR_NAMED: Final = Narration(event=ColorNamed, cites=_color_cited, says=_color)

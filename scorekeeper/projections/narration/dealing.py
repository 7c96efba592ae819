"""How the draw for the dealer, seats, the deal, its first card and named colours are narrated."""

from typing import Final

from scorekeeper.match.events.card_events import ColorNamed, FirstCardTurned
from scorekeeper.match.events.events import (
    DealerDrawn,
    PlayerSubstituted,
    RoundStarted,
    SeatsChanged,
)
from scorekeeper.match.known_cards import card_count
from scorekeeper.match.table import next_seat
from scorekeeper.match.turns.turning import turned_up
from scorekeeper.projections.narration.narration import (
    Clauses,
    Moment,
    Narration,
    Sentences,
    sentence,
)
from scorekeeper.projections.narration.next_dealer import who_deals
from scorekeeper.rules.parameters import DealerDraw, TurnedUp


def _dealer_cited(moment: Moment[DealerDrawn]) -> Clauses:
    yield moment.edition.dealer_draw.clause
    if moment.after.drawing or moment.before.drawing:
        yield moment.edition.shared.dealer_tie


def _dealer(moment: Moment[DealerDrawn]) -> Sentences:
    event, after, clause = moment.event, moment.after, moment.edition.dealer_draw.clause
    if not after.drawing:
        dealer = after.dealer or ""
        yield sentence("dealer-drawn", player=dealer, card=event.draws.get(dealer), clause=clause)
    elif len(after.drawing) == len(event.draws) and (
        not moment.before.drawing or _none_can_deal(moment)
    ):
        yield sentence("dealer-none", players=after.drawing, clause=clause)
    else:
        clause = moment.edition.shared.dealer_tie
        yield sentence("dealer-tied", players=after.drawing, clause=clause)


def _none_can_deal(moment: Moment[DealerDrawn]) -> bool:
    """Return whether all drew cards without a value, so that none is higher than another."""
    if moment.edition.dealer_draw.value is not DealerDraw.LETTERED_CANNOT_DEAL:
        return False
    return not any(moment.edition.face(card).is_number for card in moment.event.draws.values())


def _seats_cited(moment: Moment[SeatsChanged]) -> Clauses:
    yield moment.edition.shared.first_player
    team_scoring = moment.before.scoring.team_scoring
    if team_scoring is not None:
        yield moment.edition.team_clauses[team_scoring]


def _seats(moment: Moment[SeatsChanged]) -> Sentences:
    yield sentence("seats", players=moment.event.players)


def _substitute(moment: Moment[PlayerSubstituted]) -> Sentences:
    player, substitute = moment.event.player, moment.event.substitute
    if player == substitute:
        yield sentence("substituted-back", player=player)
    else:
        yield sentence("substituted", player=player, substitute=substitute)


def _deal_cited(moment: Moment[RoundStarted]) -> Clauses:
    yield moment.edition.hand_size.clause
    yield from who_deals(moment.before)


def _deal(moment: Moment[RoundStarted]) -> Sentences:
    dealt, dealer = moment.edition.hand_size, moment.after.dealer
    counts = {player: card_count(moment.now.hands[player]) for player in moment.after.staying}
    players = tuple(player for player, count in counts.items() if count == dealt.value)
    if players:
        yield sentence(
            "dealt", player=dealer, count=dealt.value, players=players, clause=dealt.clause
        )
    for player, count in counts.items():
        if count != dealt.value:
            yield sentence(
                "dealt-otherwise", by=dealer, count=count, player=player, clause=dealt.clause
            )


DEALER_DRAWN: Final = Narration(event=DealerDrawn, cites=_dealer_cited, says=_dealer)
SEATS_CHANGED: Final = Narration(event=SeatsChanged, cites=_seats_cited, says=_seats)
PLAYER_SUBSTITUTED: Final = Narration(event=PlayerSubstituted, says=_substitute)
ROUND_STARTED: Final = Narration(event=RoundStarted, cites=_deal_cited, says=_deal)


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
    table, opener = moment.table, moment.causes.color
    # Other cards, discarded as an effect of this one, may lie on it by now.
    card = table.top if opener is None else opener.card
    if card is None:
        return
    rule = moment.edition.card_rule(card)
    # Only a card that was turned up says who is on turn once its colour is named.
    yield rule.turned_up.clause if table.next_turn is not None else rule.played.clause


def _color(moment: Moment[ColorNamed]) -> Sentences:
    event = moment.event
    yield sentence("color-named", player=event.player, color=event.color, turn=moment.now.turn)


FIRST_CARD_TURNED: Final = Narration(
    event=FirstCardTurned, cites=_first_card_cited, says=_first_card
)
COLOR_NAMED: Final = Narration(event=ColorNamed, cites=_color_cited, says=_color)

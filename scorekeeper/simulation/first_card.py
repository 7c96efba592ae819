"""Dealing, and turning up cards until one can start the round."""

from scorekeeper.match.events.card_events import ColorNamed, FirstCardTurned
from scorekeeper.match.events.events import RoundStarted
from scorekeeper.rules.cards import face
from scorekeeper.rules.parameters import TurnedUp
from scorekeeper.simulation.choices import color_for
from scorekeeper.simulation.dealt_round import DealtRound

NAMES_COLOR = (TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT)


def deal(dealt: DealtRound) -> None:
    """The cards are dealt, and the first one lies."""
    hands = {player: tuple(hand) for player, hand in dealt.on.hands.items()}
    dealt.tell(RoundStarted(dealer=dealt.given.dealer, hands=hands, draw_pile=tuple(dealt.on.pile)))
    while not _turn_up(dealt):
        pass


def _turn_up(dealt: DealtRound) -> bool:
    """Whether the card begins the round."""
    card = dealt.on.pile.pop(0)
    rule = dealt.edition.card_rule(card)
    does = (rule.turned_up_two_players if len(dealt.seats) == 2 else rule.turned_up).value
    if does is TurnedUp.TO_BOTTOM_OF_DRAW_PILE:
        dealt.on.pile.append(card)
    else:
        dealt.on.discards.append(card)
    pile = tuple(dealt.on.pile) if dealt.chance(200) else None
    if does in NAMES_COLOR:
        first = dealt.after(dealt.given.dealer)
        color = color_for(dealt, first)
        later = dealt.chance(dealt.given.habits.names_color_later)
        named = None if later else color
        dealt.tell(FirstCardTurned(card=card, color=named, draw_pile=pile))
        if later:
            dealt.tell(ColorNamed(player=first, color=color))
        dealt.on.color = color
        on_turn = first if does is NAMES_COLOR[0] else dealt.after(first)
        dealt.give_turn(on_turn)
        return True
    dealt.tell(FirstCardTurned(card=card, draw_pile=pile))
    dealt.on.color = face(card).color
    return _begin(dealt, does)


def _begin(dealt: DealtRound, does: TurnedUp) -> bool:
    dealer = dealt.given.dealer
    first = dealt.after(dealer)
    match does:
        case TurnedUp.TO_BOTTOM_OF_DRAW_PILE | TurnedUp.STAYS_UNDER_NEXT:
            return False
        case TurnedUp.DEALER_BEGINS:
            dealt.give_turn(dealer)
        case TurnedUp.DEALER_BEGINS_REVERSED:
            dealt.on.clockwise = False
            dealt.give_turn(dealer)
        case TurnedUp.LEFT_BEGINS_REVERSED:
            dealt.on.clockwise = False
            dealt.give_turn(first)
        case TurnedUp.FIRST_IS_SKIPPED:
            dealt.give_turn(dealt.after(first))
        case TurnedUp.FIRST_DRAWS_TWO:
            dealt.give_turn(dealt.after(first))
            dealt.owe(first, 2, hit=True)
            dealt.pay()
        case _:
            dealt.give_turn(first)
    return True

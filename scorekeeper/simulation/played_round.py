"""A whole simulated round: the deal, the first card, the turns, to the last card."""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    ColorNamed,
    FirstCardTurned,
    HandShown,
    TurnPassed,
    UnoCaught,
)
from scorekeeper.match.events.events import NoteAdded, RoundStarted, RoundVoided
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, face
from scorekeeper.rules.clauses import Cited
from scorekeeper.rules.parameters import TurnedUp
from scorekeeper.simulation.choices import (
    choose,
    color_for,
    fits,
    may_lay,
    number_laid,
    playable,
    tries_bluff,
)
from scorekeeper.simulation.dealt_round import Circumstances, DealtRound, Happening
from scorekeeper.simulation.laying import jump_in, lay

NAMES_COLOR = (TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT)

MOST_HAPPENINGS = 2000
"""A round that goes on for longer is voided."""


def deal(dealt: DealtRound) -> None:
    """Tell the deal, and turn up cards until one begins the round."""
    hands = {player: tuple(hand) for player, hand in dealt.on.hands.items()}
    dealt.tell(RoundStarted(dealer=dealt.given.dealer, hands=hands, draw_pile=tuple(dealt.on.pile)))
    while not _turn_up(dealt):
        pass


def _turn_up(dealt: DealtRound) -> bool:
    """Turn up a card. Return whether it begins the round."""
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


def take_turn(dealt: DealtRound) -> None:
    """Let the player on turn act, or somebody else out of turn."""
    player = dealt.on.turn
    habits = dealt.given.habits
    _tell_asides(dealt, player)
    if dealt.chance(habits.moves_out_of_turn) and _move_out_of_turn(dealt, player):
        return
    if dealt.chance(habits.misplays) and _misplay(dealt, player):
        return
    if jump_in(dealt):
        return
    card = choose(dealt, player)
    if card is not None:
        hand = dealt.hand(player)
        lay(dealt, player, card, count=number_laid(dealt, hand, card, hand.count(card)))
    elif not dealt.available:
        dealt.tell(TurnPassed(player=player))
        dealt.give_turn(dealt.after(player))
    elif dealt.chance(habits.breaks_other_rules):
        dealt.tell(TurnPassed(player=player, as_played=True))
        dealt.give_turn(dealt.after(player))
    else:
        drawn = _draw(dealt, player)
        if drawn is not None:
            _end_turn(dealt, player, drawn)


def _tell_asides(dealt: DealtRound, player: str) -> None:
    """Tell what players say and show beside the play."""
    habits = dealt.given.habits
    others = dealt.others(player)
    if dealt.chance(habits.notes):
        dealt.tell(NoteAdded(text="The lamp flickers."))
    if dealt.chance(habits.shows_hand):
        one = dealt.rng.choice(dealt.seats)
        dealt.tell(HandShown(player=one, cards=tuple(dealt.hand(one))))
    if dealt.chance(habits.catches_wrongly):
        called = [one for one in dealt.seats if len(dealt.hand(one)) != 1]
        called = [one for one in called if one not in dealt.on.forgot]
        if called:
            one = dealt.rng.choice(called)
            dealt.tell(UnoCaught(player=one, by=dealt.rng.choice(dealt.others(one))))
    if dealt.edition.advice_draws and dealt.chance(habits.advises):
        adviser = dealt.rng.choice(others)
        dealt.tell(AdviceCalled(player=adviser, by=dealt.rng.choice(dealt.others(adviser))))
        _fine(dealt, adviser, dealt.edition.advice_draws)


def _fine(dealt: DealtRound, player: str, cards: Cited[int]) -> None:
    if dealt.available:
        dealt.draw(player, cards.value, forced=True)


def _move_out_of_turn(dealt: DealtRound, player: str) -> bool:
    mover = dealt.rng.choice(dealt.others(player))
    cards = [card for card in dealt.hand(mover) if face(card).is_number]
    return _lay_wrongly(dealt, mover, cards)


def _misplay(dealt: DealtRound, player: str) -> bool:
    hand = dealt.hand(player)
    cards = [card for card in hand if not fits(dealt, card)]
    if dealt.edition.house.bluff is not None and not may_lay(dealt, hand, WILD_DRAW_FOUR):
        cards += [card for card in hand if card == WILD_DRAW_FOUR]
    return _lay_wrongly(dealt, player, cards)


def _lay_wrongly(dealt: DealtRound, mover: str, cards: list[Card]) -> bool:
    if not cards or len(dealt.hand(mover)) < 2:
        return False
    called = dealt.chance(dealt.given.habits.misplay_called)
    card = dealt.rng.choice(cards)
    most = min(dealt.hand(mover).count(card), len(dealt.hand(mover)) - 1)
    count = number_laid(dealt, dealt.hand(mover), card, most)
    lay(dealt, mover, card, count=count, as_played=True, called=called)
    return True


def _draw(dealt: DealtRound, player: str) -> list[Card] | None:
    """Draw cards in a turn and return them, None if another player has jumped in and ended it."""
    habits = dealt.given.habits
    allowed = dealt.edition.draws_without_match.value
    wrong = dealt.chance(habits.breaks_other_rules) and dealt.available > allowed
    drawn: list[Card] = []
    if dealt.edition.house.draws_until_playable is None:
        drawn = dealt.draw(player, allowed + 1 if wrong else allowed, as_played=wrong)
    else:
        while count := _draws_at_once(dealt, drawn):
            drawn += dealt.draw(player, count)
            if jump_in(dealt):
                return None
            if wrong and dealt.chance(300):
                break
        else:
            # A wrong draw takes one card too many, if it has not stopped too early above.
            drawn += dealt.draw(player, 1) if wrong else []
    if dealt.edition.accusation_draws and dealt.chance(habits.accuses):
        accuser = dealt.rng.choice(dealt.others(player))
        dealt.tell(AccusationMade(by=accuser, player=player))
        _fine(dealt, accuser, dealt.edition.accusation_draws)
    return None if jump_in(dealt) else drawn


def _draws_at_once(dealt: DealtRound, drawn: list[Card]) -> int:
    """Return how many more cards the player draws, if a playable card ends the drawing.

    They are told as one draw. 0: the drawing is over.
    """
    if drawn and _ends_drawing(dealt, drawn[-1]):
        return 0
    whole = 1
    for card in dealt.on.pile[:-1]:
        if _ends_drawing(dealt, card):
            break
        whole += 1
    return min(dealt.rng.randint(1, whole), dealt.available)


def _ends_drawing(dealt: DealtRound, card: Card) -> bool:
    if card == WILD_DRAW_FOUR:
        return dealt.chance(500)
    return fits(dealt, card)


def _end_turn(dealt: DealtRound, player: str, drawn: list[Card]) -> None:
    """End a turn after drawing: lay a card, mostly one that was drawn, or pass."""
    habits = dealt.given.habits
    hand = dealt.hand(player)
    able = playable(dealt, hand)
    kept = [card for card in able if card not in drawn]
    fitting = [card for card in able if card in drawn]
    if WILD_DRAW_FOUR in drawn and WILD_DRAW_FOUR not in able and tries_bluff(dealt, hand):
        fitting.append(WILD_DRAW_FOUR)
    if kept and dealt.chance(habits.breaks_other_rules):
        lay(dealt, player, dealt.rng.choice(kept), as_played=True)
    elif fitting and dealt.chance(habits.plays_drawn):
        card = dealt.rng.choice(fitting)
        lay(dealt, player, card, count=number_laid(dealt, hand, card, drawn.count(card)))
    else:
        dealt.tell(TurnPassed(player=player), forced=True)
        dealt.give_turn(dealt.after(player))


class PlayedRound(Struct, frozen=True, kw_only=True):
    """What happened in a round, and the hands at its end of all players who were not eliminated.

    `charges`: points counted at catches. A `voided` round has neither winners nor hands.
    """

    happened: tuple[Happening, ...]
    hands: Mapping[str, tuple[Card, ...]]
    winners: tuple[str, ...]
    charges: Mapping[str, int]
    voided: bool


def play_round(rng: Random, given: Circumstances) -> PlayedRound:
    """Play a round. The same state of `rng` and the same circumstances give the same round."""
    dealt = DealtRound(rng, given)
    deal(dealt)
    while not dealt.over and not _stuck(dealt):
        take_turn(dealt)
    if not dealt.over:
        return _voided(dealt, len(dealt.happened))
    if dealt.chance(given.habits.voids_round):
        return _voided(dealt, rng.randrange(1, len(dealt.happened)))
    return PlayedRound(
        happened=tuple(dealt.happened),
        hands={player: tuple(dealt.hand(player)) for player in dealt.seats},
        winners=dealt.winners,
        charges=dealt.charges,
        voided=False,
    )


def _stuck(dealt: DealtRound) -> bool:
    """Return whether nobody can go on, or the round has lasted longer than anybody would play."""
    lately = dealt.happened[-2 * len(dealt.seats) :]
    return len(dealt.happened) > MOST_HAPPENINGS or all(
        isinstance(happening.event, TurnPassed) for happening in lately
    )


def _voided(dealt: DealtRound, after: int) -> PlayedRound:
    """Return the round as voided after so many happenings."""
    end = RoundVoided(reason="Cards fell off the table.", redealt=dealt.chance(500))
    return PlayedRound(
        happened=(*dealt.happened[:after], Happening(end)),
        hands={},
        winners=(),
        charges={},
        voided=True,
    )

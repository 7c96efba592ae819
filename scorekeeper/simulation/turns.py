"""One turn of one player."""

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    HandShown,
    TurnPassed,
    UnoCaught,
)
from scorekeeper.match.events.events import NoteAdded
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, face
from scorekeeper.rules.cited import Cited
from scorekeeper.simulation.choices import (
    choose,
    fits,
    may_lay,
    number_laid,
    playable,
    tries_bluff,
)
from scorekeeper.simulation.dealt_round import DealtRound
from scorekeeper.simulation.interruptions import jump_in
from scorekeeper.simulation.laying import lay


def take_turn(dealt: DealtRound) -> None:
    """The player on turn acts, or somebody else does."""
    player = dealt.on.turn
    habits = dealt.given.habits
    _aside(dealt, player)
    if dealt.chance(habits.moves_out_of_turn) and _move_out_of_turn(dealt, player):
        return
    if dealt.chance(habits.misplays) and _misplay(dealt, player):
        return
    if jump_in(dealt, lay=lay):
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


def _aside(dealt: DealtRound, player: str) -> None:
    """What is said and shown beside the play."""
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
    """What is drawn in the turn; None where somebody has ended it with a card of their own."""
    habits = dealt.given.habits
    allowed = dealt.edition.draws_without_match.value
    wrong = dealt.chance(habits.breaks_other_rules) and dealt.available > allowed
    drawn: list[Card] = []
    if dealt.edition.house.draws_until_playable is None:
        drawn = dealt.draw(player, allowed + 1 if wrong else allowed, as_played=wrong)
    else:
        while count := _draws_at_once(dealt, player, drawn):
            drawn += dealt.draw(player, count)
            if jump_in(dealt, lay=lay):
                return None
            if wrong and dealt.chance(300):
                break
        else:
            # One too many, where the loop was not left with one too few.
            drawn += dealt.draw(player, 1) if wrong else []
    if dealt.edition.accusation_draws and dealt.chance(habits.accuses):
        accuser = dealt.rng.choice(dealt.others(player))
        dealt.tell(AccusationMade(by=accuser, player=player))
        _fine(dealt, accuser, dealt.edition.accusation_draws)
    return None if jump_in(dealt, lay=lay) else drawn


def _draws_at_once(dealt: DealtRound, player: str, drawn: list[Card]) -> int:
    """How many cards the player goes on to draw, where one that can be played ends the drawing."""
    if drawn and _ends_drawing(dealt, player, drawn[-1]):
        return 0
    whole = 1
    for card in dealt.on.pile[:-1]:
        if _ends_drawing(dealt, player, card):
            break
        whole += 1
    return min(dealt.rng.randint(1, whole), dealt.available)


def _ends_drawing(dealt: DealtRound, player: str, card: Card) -> bool:
    if card == WILD_DRAW_FOUR:
        return dealt.chance(500)
    return fits(dealt, card)


def _end_turn(dealt: DealtRound, player: str, drawn: list[Card]) -> None:
    """A drawn card is played, or none."""
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

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
from scorekeeper.simulation.choices import choose, fits, playable
from scorekeeper.simulation.dealt_round import DealtRound
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
    card = choose(dealt, player)
    if card is not None:
        lay(dealt, player, card)
    elif not dealt.available:
        dealt.tell(TurnPassed(player=player))
        dealt.give_turn(dealt.after(player))
    elif dealt.chance(habits.breaks_other_rules):
        dealt.tell(TurnPassed(player=player, as_played=True))
        dealt.give_turn(dealt.after(player))
    else:
        _draw(dealt, player)


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
    return _lay_wrongly(
        dealt, player, [card for card in dealt.hand(player) if not fits(dealt, card)]
    )


def _lay_wrongly(dealt: DealtRound, player: str, cards: list[Card]) -> bool:
    if not cards or len(dealt.hand(player)) < 2:
        return False
    called = dealt.chance(dealt.given.habits.misplay_called)
    lay(dealt, player, dealt.rng.choice(cards), as_played=True, called=called)
    return True


def _draw(dealt: DealtRound, player: str) -> None:
    habits = dealt.given.habits
    allowed = dealt.edition.draws_without_match.value
    wrong = dealt.chance(habits.breaks_other_rules) and dealt.available > allowed
    drawn = dealt.draw(player, allowed + 1 if wrong else allowed, as_played=wrong)
    if dealt.edition.accusation_draws and dealt.chance(habits.accuses):
        accuser = dealt.rng.choice(dealt.others(player))
        dealt.tell(AccusationMade(by=accuser, player=player))
        _fine(dealt, accuser, dealt.edition.accusation_draws)
    hand = dealt.hand(player)
    able = playable(dealt, hand)
    kept = [card for card in able if card not in drawn]
    fitting = [card for card in able if card in drawn]
    if WILD_DRAW_FOUR in drawn and WILD_DRAW_FOUR not in able and dealt.chance(habits.bluffs):
        fitting.append(WILD_DRAW_FOUR)
    if kept and dealt.chance(habits.breaks_other_rules):
        lay(dealt, player, dealt.rng.choice(kept), as_played=True)
    elif fitting and dealt.chance(habits.plays_drawn):
        lay(dealt, player, dealt.rng.choice(fitting))
    else:
        dealt.tell(TurnPassed(player=player), forced=True)
        dealt.give_turn(dealt.after(player))

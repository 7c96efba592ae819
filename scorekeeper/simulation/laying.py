"""Laying a card, and everything that follows before the next turn."""

from scorekeeper.match.events.card_events import CardPlayed, ColorNamed, MisplayCalled, UnoCalled
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.rules.parameters import ColorNaming, Effect, TurnAfter
from scorekeeper.simulation.choices import color_for, honest
from scorekeeper.simulation.dealt_round import DealtRound, Layout, Owed
from scorekeeper.simulation.penalties import Laid, react
from scorekeeper.simulation.specials import carry_out
from scorekeeper.simulation.uno_calls import calls, catch, fallen, settle_calls


def lay(
    dealt: DealtRound,
    player: str,
    card: Card,
    *,
    as_played: bool = False,
    called: bool = False,
    reflected: Owed | None = None,
) -> None:
    """`called`: somebody says that the card may not be laid, and it is taken back.

    `reflected`: the penalty that the card sends back, and to whom.
    """
    before = dealt.on.copy()
    called_before = not as_played and _call_beforehand(dealt, player, card)
    laid = _put_down(dealt, player, card)
    silent = _tell(dealt, laid, before.hands, as_played=as_played, called_before=called_before)
    if called:
        _take_back(dealt, laid, before)
        return
    if reflected is not None:
        dealt.owe(reflected.player, reflected.count)
    emptied = tuple(one for one in dealt.seats if not dealt.hand(one))
    if emptied:
        _go_out(dealt, laid, emptied)
    else:
        _go_on(dealt, laid, silent)


def _call_beforehand(dealt: DealtRound, player: str, card: Card) -> bool:
    plain = face(card).color is not None
    if not plain or len(dealt.hand(player)) != 2 or not dealt.chance(100):
        return False
    dealt.tell(UnoCalled(player=player))
    return True


def _put_down(dealt: DealtRound, player: str, card: Card) -> Laid:
    hand = dealt.hand(player)
    hand.remove(card)
    bluff = card == WILD_DRAW_FOUR and bool(hand) and not honest(dealt, hand)
    laid = Laid(player, card, tuple(hand), bluff, dealt.on.color)
    dealt.on.discards.append(card)
    return laid


def _tell(
    dealt: DealtRound,
    laid: Laid,
    hands: dict[str, list[Card]],
    *,
    as_played: bool,
    called_before: bool,
) -> list[str]:
    """Write the play down; who should have called UNO and did not."""
    before = {one: len(hand) for one, hand in hands.items()}
    effect = dealt.effect(laid.card)
    effects = carry_out(dealt, laid.player, laid.card)
    out = any(not dealt.hand(one) for one in dealt.seats)
    exchanged = effect.hands_from is not None and bool(laid.rest)
    owing = [] if out else fallen(dealt, before, exchanged=exchanged)
    silent = [one for one in owing if not calls(dealt)]
    if called_before and laid.player in silent:
        silent.remove(laid.player)
    uno = None
    if laid.player in owing and not called_before:
        uno = dealt.rng.choice((None, False)) if laid.player in silent else True
    color, later = _color(dealt, laid, effect, out=out)
    play = CardPlayed(
        player=laid.player,
        card=laid.card,
        color=None if later else color,
        uno=uno,
        effects=effects or None,
        as_played=as_played,
    )
    dealt.tell(play)
    if later and color is not None:
        dealt.tell(ColorNamed(player=laid.player, color=color))
    for one in owing:
        if one not in silent and one != laid.player:
            dealt.tell(UnoCalled(player=one))
    dealt.on.forgot = []
    return silent


def _color(
    dealt: DealtRound, laid: Laid, effect: Effect, *, out: bool
) -> tuple[Color | None, bool]:
    """The colour that is named, if one is, and whether it is told by itself."""
    top = face(dealt.top)
    if effect.color is ColorNaming.NEVER or (
        effect.color is ColorNaming.IF_WILD_ON_TOP and top.color is not None
    ):
        dealt.on.color = top.color
        return None, False
    color = color_for(dealt, laid.player)
    dealt.on.color = color
    if out:
        return (color if dealt.chance(500) else None), False
    return color, dealt.chance(dealt.given.habits.names_color_later)


def _take_back(dealt: DealtRound, laid: Laid, before: Layout) -> None:
    dealt.on = before
    player = laid.player
    by = dealt.rng.choice(dealt.others(player))
    dealt.tell(MisplayCalled(by=by))
    costs = dealt.edition.misplay.value
    if costs.loses_turn and dealt.on.turn == player:
        dealt.give_turn(dealt.after(player))
    if costs.draws:
        dealt.draw(player, costs.draws, forced=True)


def _go_out(dealt: DealtRound, laid: Laid, winners: tuple[str, ...]) -> None:
    """The round is over, but for the draw that the last card forces."""
    dealt.over = True
    dealt.winners = winners
    if dealt.given.ends_at_once:
        return
    count = dealt.edition.last_card_draws.value.get(face(laid.card).symbol, 0)
    if count and laid.player in winners:
        victim = dealt.after(laid.player)
        dealt.owe(victim, count, hit=True)
        react(dealt, laid, victim, count, lay=None)
    dealt.pay()


def _go_on(dealt: DealtRound, laid: Laid, silent: list[str]) -> None:
    player = laid.player
    effect = dealt.effect(laid.card)
    if effect.turn is TurnAfter.NEXT_REVERSED:
        dealt.on.clockwise = not dealt.on.clockwise
    victim = dealt.after(player)
    dealt.owe(victim, effect.next_draws, hit=True)
    if effect.turn is TurnAfter.SAME_PLAYER:
        dealt.give_turn(player)
    elif effect.turn is TurnAfter.NEXT_IS_SKIPPED:
        dealt.give_turn(dealt.after(player, 2))
    else:
        dealt.give_turn(victim)
    caught = settle_calls(dealt, silent)
    late = [one for one in caught if dealt.chance(300)]
    for one in caught:
        if one not in late:
            catch(dealt, one)
    if dealt.over:
        return
    if effect.next_draws:
        react(dealt, laid, victim, effect.next_draws, lay=lay)
    if not dealt.over:
        dealt.pay()
        for one in late:
            catch(dealt, one)
        dealt.pay()

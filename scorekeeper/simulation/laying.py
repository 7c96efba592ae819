"""Laying a card, in turn or out of it, and everything that follows before the next turn."""

from msgspec import Struct

from scorekeeper.match.events.card_events import CardPlayed, ColorNamed, MisplayCalled, UnoCalled
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.rules.parameters import ColorNaming, JumpIn, TurnAfter
from scorekeeper.simulation.choices import color_for, honest, may_lay, tries_bluff
from scorekeeper.simulation.dealt_round import DealtRound, Layout, Owed
from scorekeeper.simulation.penalties import (
    Laid,
    calls,
    catch,
    fallen,
    react,
    settle_calls,
    stacks_on,
)
from scorekeeper.simulation.specials import carry_out


def jump_in(dealt: DealtRound, *, waiting: Owed | None = None) -> bool:
    """Let somebody jump in, by chance. Return whether anybody did.

    `waiting`: a penalty of which nothing is drawn yet. It lapses, or is added to that of the card
    laid on it. All other debts are drawn first.
    """
    cited = dealt.edition.house.jump_in
    if cited is None or not dealt.on.laid:
        return False
    card = dealt.top
    if cited.value is JumpIn.COLORED and face(card).color is None:
        return False
    able = [one for one in dealt.seats if card in dealt.hand(one) and _may_jump(dealt, one)]
    if not able or not dealt.chance(dealt.given.habits.jumps_in):
        return False
    stacked = 0
    if waiting is not None and waiting in dealt.on.owed:
        dealt.on.owed.remove(waiting)
        if stacks_on(dealt, card, card):
            stacked = waiting.count
    dealt.pay()
    lay(dealt, dealt.rng.choice(able), card, jumping=True, stacked=stacked)
    return True


def _may_jump(dealt: DealtRound, player: str) -> bool:
    hand, card = dealt.hand(player), dealt.top
    if card == WILD_DRAW_FOUR and any(debt.player == player for debt in dealt.on.owed):
        # The cards that the player draws first may forbid laying it.
        return False
    return may_lay(dealt, hand, card) or (card == WILD_DRAW_FOUR and tries_bluff(dealt, hand))


def lay(
    dealt: DealtRound,
    player: str,
    card: Card,
    *,
    as_played: bool = False,
    called: bool = False,
    reflected: Owed | None = None,
    count: int = 1,
    stacked: int = 0,
    jumping: bool = False,
) -> None:
    """Lay a card, and do all that follows before the next turn.

    `as_played`: the card is laid against the rules. `called`: somebody says so, and the card is
    taken back. `reflected`: the penalty that the card sends back, and to whom. `count`: how many
    identical cards are laid. `stacked`: the number of cards to be drawn for the cards below.
    `jumping`: the card is laid out of turn.
    """
    before = dealt.on.copy()
    called_before = not as_played and _call_beforehand(dealt, player, card)
    if not jumping:
        dealt.on.skipped += dealt.on.skipping
    dealt.on.skipping = []
    laid = _put_down(dealt, player, card, count, stacked)
    silent = _tell(
        dealt,
        laid,
        before.hands,
        as_played=as_played,
        called_before=called_before,
        jumping=jumping,
    )
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


def _put_down(dealt: DealtRound, player: str, card: Card, count: int, stacked: int) -> Laid:
    hand = dealt.hand(player)
    for _ in range(count):
        hand.remove(card)
    bluff = card == WILD_DRAW_FOUR and bool(hand) and not honest(dealt, hand)
    at_once = dealt.edition.house.at_once
    together = at_once is not None and face(card).symbol in at_once.value
    laid = Laid(
        player,
        card,
        tuple(hand),
        bluff,
        dealt.on.color,
        count=count,
        effective=count if together else 1,
        stacked=stacked,
    )
    dealt.on.discards.extend((card,) * count)
    dealt.on.laid = True
    return laid


def _tell(
    dealt: DealtRound,
    laid: Laid,
    hands: dict[str, list[Card]],
    *,
    as_played: bool,
    called_before: bool,
    jumping: bool,
) -> list[str]:
    """Carry out the card's effect, and tell the play.

    Return the players who should have called UNO and did not.
    """
    moved = carry_out(dealt, laid.player, laid.card)
    out = any(not dealt.hand(one) for one in dealt.seats)
    owing = [] if out else fallen(dealt, hands, exchanged=moved.exchanged)
    # A call before the exchange was for another hand.
    called_before = called_before and laid.player not in moved.exchanged
    uno = _uno_calls(dealt, laid.player, owing, called_before=called_before)
    color, later = _color(dealt, laid, out=out)
    play = CardPlayed(
        player=laid.player,
        card=laid.card,
        color=None if later else color,
        uno=uno.with_card,
        effects=moved.effects or None,
        as_played=as_played,
        swap_with=moved.swap_with,
        count=laid.count if laid.count > 1 else None,
        jump_in=jumping or None,
    )
    dealt.tell(play)
    if later and color is not None:
        dealt.tell(ColorNamed(player=laid.player, color=color))
    for one in uno.others:
        dealt.tell(UnoCalled(player=one))
    dealt.on.forgot = []
    return uno.silent


class _UnoCalls(Struct, frozen=True):
    """Who calls UNO after a card is laid, and who should call but does not.

    `with_card`: what the play tells about the call of its player, None if nothing. `others`: the
    other players who call. `silent`: the players who don't.
    """

    with_card: bool | None
    others: list[str]
    silent: list[str]


def _uno_calls(
    dealt: DealtRound, player: str, owing: list[str], *, called_before: bool
) -> _UnoCalls:
    """Decide at random who calls UNO.

    `owing`: the players who have to call. `called_before`: `player` did so before laying the card.
    """
    silent = [one for one in owing if not calls(dealt)]
    if called_before and player in silent:
        silent.remove(player)
    with_card = None
    if player in owing and not called_before:
        with_card = dealt.rng.choice((None, False)) if player in silent else True
    others = [one for one in owing if one not in silent and one != player]
    return _UnoCalls(with_card, others, silent)


def _color(dealt: DealtRound, laid: Laid, *, out: bool) -> tuple[Color | None, bool]:
    """Set the colour in force. Return the colour that is told, None if none is.

    The second value is whether it is told by an event of its own.
    """
    top = face(dealt.top)
    naming = dealt.effect(laid.card).color
    if naming is ColorNaming.NEVER or (
        naming is ColorNaming.IF_WILD_ON_TOP and top.color is not None
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
    dealt.on.laid = False
    player = laid.player
    by = dealt.rng.choice(dealt.others(player))
    dealt.tell(MisplayCalled(by=by))
    costs = dealt.edition.misplay.value
    if costs.loses_turn and dealt.on.turn == player:
        dealt.give_turn(dealt.after(player))
    if costs.draws:
        dealt.draw(player, costs.draws, forced=True)


def _go_out(dealt: DealtRound, laid: Laid, winners: tuple[str, ...]) -> None:
    """End the round. The draw that the last card forces is still made."""
    dealt.over = True
    dealt.winners = winners
    if dealt.given.ends_at_once:
        return
    draws = dealt.edition.last_card_draws.value.get(face(laid.card).symbol, 0)
    count = draws * laid.effective + laid.stacked
    if count and laid.player in winners:
        victim = dealt.after(laid.player)
        dealt.owe(victim, count, hit=True)
        react(dealt, laid, victim, count, lay=None)
    dealt.pay()


def _go_on(dealt: DealtRound, laid: Laid, silent: list[str]) -> None:
    waiting = _pass_turn(dealt, laid)
    caught = settle_calls(dealt, silent)
    late = [one for one in caught if dealt.chance(300)]
    for one in caught:
        if one not in late:
            catch(dealt, one)
    if dealt.over:
        return
    if laid.player in dealt.seats and jump_in(dealt, waiting=waiting):
        return
    if waiting is not None:
        react(dealt, laid, waiting.player, waiting.count, lay=lay)
    if not dealt.over:
        dealt.pay()
        for one in late:
            catch(dealt, one)
        dealt.pay()


def _pass_turn(dealt: DealtRound, laid: Laid) -> Owed | None:
    """Put the next player on turn. Return the penalty that the card inflicts, None if none."""
    player = laid.player
    effect = dealt.effect(laid.card)
    if effect.turn is TurnAfter.NEXT_REVERSED and laid.effective % 2:
        dealt.on.clockwise = not dealt.on.clockwise
    victim = dealt.after(player)
    draws = effect.next_draws * laid.effective + laid.stacked
    dealt.owe(victim, draws, hit=True)
    if effect.turn is TurnAfter.SAME_PLAYER:
        dealt.give_turn(player)
    elif effect.turn is TurnAfter.NEXT_IS_SKIPPED:
        # All penalty cards hit the same player. Each further skip card skips one more player.
        skips = 1 if draws else min(laid.effective, len(dealt.seats) - 1)
        dealt.give_turn(dealt.after(player, 1 + skips))
    else:
        dealt.give_turn(victim)
    return Owed(victim, draws, hit=True) if draws else None

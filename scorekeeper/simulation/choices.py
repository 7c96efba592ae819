"""Which cards a player could lay, and what is named with each."""

from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.rules.parameters import Bluff, LastCard, MatchBy, WildDrawFourLegal
from scorekeeper.simulation.dealt_round import DealtRound


def fits(dealt: DealtRound, card: Card) -> bool:
    """Return whether the card shares with the top card what the booklet asks for, or is a wild.

    If no colour is in force, every card fits.
    """
    printed = face(card)
    if printed.color is None or dealt.on.color is None:
        return True
    by = dealt.edition.match_by.value
    same = MatchBy.NUMBER if printed.is_number else MatchBy.SYMBOL
    return (printed.color == dealt.on.color and MatchBy.COLOR in by) or (
        printed.symbol == face(dealt.top).symbol and same in by
    )


def honest(dealt: DealtRound, hand: list[Card]) -> bool:
    """Return whether a wild-draw-four may be laid beside the rest of the hand."""
    legal = dealt.edition.wild_draw_four_legal.value
    for card in hand:
        color = face(card).color
        if card == WILD_DRAW_FOUR:
            continue
        if legal is WildDrawFourLegal.PLAYABLE and fits(dealt, card):
            return False
        if legal is WildDrawFourLegal.COLOR_OR_WILD and color is None:
            return False
        if color is not None and color == dealt.on.color:
            return False
    return True


def playable(dealt: DealtRound, hand: list[Card]) -> list[Card]:
    """Return the cards of the hand that may be laid."""
    return [card for card in hand if fits(dealt, card) and may_lay(dealt, hand, card)]


def may_lay(dealt: DealtRound, hand: list[Card], card: Card) -> bool:
    """Return whether the rest of the hand allows the card, which need not fit the top card."""
    if len(hand) == 1 and forbidden_last(dealt, card):
        return False
    bluff = dealt.edition.house.bluff
    free = bluff is not None and bluff.value is Bluff.LEGAL
    return card != WILD_DRAW_FOUR or free or honest(dealt, hand)


def tries_bluff(dealt: DealtRound, hand: list[Card]) -> bool:
    """Return whether a player dares to lay a wild-draw-four that the rest of the hand forbids."""
    possible = dealt.edition.house.bluff is None and len(hand) > 1
    return possible and dealt.chance(dealt.given.habits.bluffs)


def forbidden_last(dealt: DealtRound, card: Card) -> bool:
    """Return whether a house rule forbids going out with the card."""
    cited = dealt.edition.house.last_card
    if cited is None:
        return False
    printed = face(card)
    return printed.color is None if cited.value is LastCard.NO_WILD else not printed.is_number


def number_laid(dealt: DealtRound, hand: list[Card], card: Card, most: int) -> int:
    """Return how many identical cards a player lays with one play, at most `most`."""
    cited = dealt.edition.house.at_once
    if cited is None or face(card).symbol not in cited.value:
        return 1
    most -= most == len(hand) and forbidden_last(dealt, card)
    several = most > 1 and dealt.chance(dealt.given.habits.lays_several)
    return dealt.rng.randint(2, most) if several else 1


def choose(dealt: DealtRound, player: str) -> Card | None:
    """Return the card that a player lays without drawing before, None if the player draws."""
    hand = dealt.hand(player)
    habits = dealt.given.habits
    able = playable(dealt, hand)
    if WILD_DRAW_FOUR in hand and WILD_DRAW_FOUR not in able and tries_bluff(dealt, hand):
        return WILD_DRAW_FOUR
    if not able or (dealt.chance(habits.keeps_back) and dealt.available):
        return None
    plain = [card for card in able if face(card).color is not None]
    return dealt.rng.choice(plain if plain and dealt.chance(500) else able)


def color_for(dealt: DealtRound, player: str) -> Color:
    """Return the colour that a player names: mostly the one that most cards of the hand have."""
    colors = dealt.edition.colors.value
    held = [face(card).color for card in dealt.hand(player)]
    best = max(colors, key=held.count)
    return best if dealt.chance(800) else dealt.rng.choice(colors)

"""What the pages of a match need of its booklet and house rules: cards, words, and calls."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from scorekeeper.match.state import State
from scorekeeper.match.table import Direction
from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.rules.cards import Card, Symbol
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Effect, HandsFrom, JumpIn
from scorekeeper.service.booklets import edition_view
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of

_ALL_EFFECTS: Final = ("discard", "give", "draw", "swap", "skip", "reverse")


def box_of(board: Scoreboard, language: Language) -> dict[str, Any]:
    """Return the names of the edition's cards and colours.

    `cards`: by card, what is known of it. Each card is there only once, since every byte of a page
    counts.
    """
    booklet = edition_view(board.edition, language, board.revision)
    names = booklet.names
    return {
        "cards": {card: {"name": names.cards[card]} for card in booklet.deck},
        "colors": names.colors,
    }


def counted_box_of(board: Scoreboard, language: Language) -> dict[str, Any]:
    """Return the edition's box with the count and the points of each card, for adding up hands."""
    booklet, box = edition_view(board.edition, language, board.revision), box_of(board, language)
    return box | {
        "cards": {
            card: {"count": count, "points": booklet.points[card], **box["cards"][card]}
            for card, count in booklet.deck.items()
        }
    }


def directions_of(board: Scoreboard, language: Language) -> Mapping[Direction, str]:
    """Return the booklet's words for the two directions of play, which explanations use, too."""
    words = words_of(board.edition)
    return {direction: words.term(direction, language) for direction in get_args(Direction)}


def swapping(state: State) -> list[Card]:
    """Return the cards whose player exchanges hands with another player of their choice."""
    return [card for card in state.box.counts if _swaps(state.edition, card)]


def card_calls(state: State) -> dict[str, Any]:
    """Return what the rules of this match let people tell, besides what every match has.

    `effects`: by card, the effects that a play of it may tell. `hits`: by card that makes the next
    player draw, the clauses of that penalty. `answers`: by the same cards, the cards that may be
    laid on the penalty. `swaps`: the cards of `swapping`. `alone`: the cards on which nobody jumps
    in, which are few; None without that house rule. `several`: how many equal cards may be laid at
    once. `size`: the number of cards in the box, extra cards included. `draws_on`: whether a player
    draws until a card can be played. `lacks`: types of events that can't be told.
    """
    edition, counts = state.edition, state.box.counts
    house = edition.house
    effects = {card: _effects(edition, card) for card in counts}
    hitting = [card for card in counts if edition.card_rule(card).played.value.next_draws]
    at_once = house.at_once.value if house.at_once else ()
    calls = {
        "advice_called": edition.advice_draws is not None,
        "accusation_made": edition.accusation_draws is not None,
        "wild_draw_four_challenged": house.bluff is None,
    }
    return {
        "effects": {card: told for card, told in effects.items() if told["many"]},
        "hits": {card: _penalty_clauses(edition, card) for card in hitting},
        "answers": {card: _answers(edition, card, counts) for card in hitting},
        "swaps": swapping(state),
        "alone": house.jump_in and _alone(edition, counts, house.jump_in.value),
        "several": max(
            (n for card, n in counts.items() if edition.face(card).symbol in at_once), default=1
        ),
        "size": state.box.size,
        "draws_on": house.draws_until_playable is not None,
        "lacks": [call for call, there in calls.items() if not there],
    }


def _penalty_clauses(edition: Edition, card: Card) -> list[str]:
    """Return the clauses of a card's penalty: its own, and the one for stacking, if in force."""
    stacks = edition.house.stacks
    alone = edition.card_rule(card).played.clause
    return [alone] if stacks is None else [alone, stacks.clause]


def _answers(edition: Edition, hits: Card, counts: Mapping[Card, int]) -> list[Card]:
    stacks = edition.house.stacks
    laid = edition.lays_on_penalty.value
    if stacks is not None:
        laid |= stacks.value.get(edition.face(hits).symbol, frozenset[Symbol]())
    return [card for card in counts if edition.face(card).symbol in laid]


def _swaps(edition: Edition, card: Card) -> bool:
    return edition.card_rule(card).played.value.hands_from is HandsFrom.CHOSEN


def _alone(edition: Edition, counts: Mapping[Card, int], jump_in: JumpIn) -> list[Card]:
    colored = jump_in is JumpIn.COLORED
    return [
        card for card, n in counts.items() if n == 1 or (colored and edition.face(card).is_wild)
    ]


def _effects(edition: Edition, card: Card) -> dict[str, Any]:
    """Return the kinds of effects that a play of the card may tell.

    `many`: among three or more players; `two`: among two. `agreed`: the card does what the table
    agreed on. `last`: the card has its effect as the last card, too.
    """
    rule = edition.card_rule(card)
    played = rule.played.value
    return {
        "many": _kinds(played),
        "two": _kinds(rule.played_two_players.value),
        "agreed": played.as_agreed,
        "last": bool(played.own_discards or played.other_discards),
    }


def _kinds(effect: Effect) -> list[str]:
    if effect.as_agreed:
        return list(_ALL_EFFECTS)
    found = {
        "discard": effect.own_discards or effect.other_discards or effect.lays_off is not None,
        "give": effect.gift,
        # Other exchanges follow from the rules alone, or from the player whom the play names.
        "swap": effect.hands_from is HandsFrom.LEFT_NEIGHBOR,
    }
    return [kind for kind, there in found.items() if there]

"""An edition: one revision of a rule booklet as data, each value with the clause it rests on.

The house rules of a table are part of the edition that it plays. `HouseRuleValues` has the values
that no booklet has. A `HouseRule` describes what a table can choose, and what the choice changes.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.rules.cards import Box, Card, Color, ExtraCard, Face, Symbol, face
from scorekeeper.rules.clauses import Cited, Clause, Text
from scorekeeper.rules.parameters import (
    Bluff,
    Challenge,
    DealerDraw,
    Effect,
    HandsFrom,
    JumpIn,
    Keep,
    LastCard,
    MatchBy,
    Misplay,
    NextDealer,
    Rotation,
    TurnedUp,
    Uno,
    WildDrawFourLegal,
)

Variant: TypeAlias = str | int
"""What a table chose for a house rule: the name of a choice, or a number."""

ChosenVariants: TypeAlias = Mapping[str, Variant]
"""The variant of each house rule, by the name of the house rule."""

TeamScoring: TypeAlias = Literal["own-hands", "opponents-hands"]


class HouseRuleValues(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The house rules for which a booklet has no value.

    A house rule that changes a value of the booklet replaces that value in the edition itself.
    Every field is None, or empty, if no such house rule is in force.

    `revision`: the revision of the house rules, None if the opening has none. `chosen`: the house
    rules that depart from the booklet. `at_odds`: the names of two chosen house rules that exclude
    each other; an opening with such a pair is refused.

    `stacks`: for each penalty card that can lie on top, by symbol, the symbols that the player whom
    it hits may lay on it. `jump_in`: which cards may be laid out of turn. `draws_until_playable`:
    the clause by which a player draws until a card can be played. `plays_drawn`: the clause by
    which a playable drawn card has to be played. `only_drawn`: the booklet's clause that only the
    drawn card may be played after a draw, if a house rule has replaced the rest of that clause.
    `bluff`: how a wild-draw-four that the hand forbids is treated. Nobody can challenge one then.
    `last_card`: the condition for a last card. `at_once`: the symbols of which several identical
    cards may be laid in one play. `caught_draws`: how many cards a player draws who is caught
    without UNO.
    """

    revision: int | None = None
    chosen: ChosenVariants = {}
    at_odds: tuple[str, str] | None = None
    stacks: Cited[Mapping[Symbol, frozenset[Symbol]]] | None = None
    jump_in: Cited[JumpIn] | None = None
    draws_until_playable: str | None = None
    plays_drawn: str | None = None
    only_drawn: str | None = None
    bluff: Cited[Bluff] | None = None
    last_card: Cited[LastCard] | None = None
    at_once: Cited[frozenset[Symbol]] | None = None
    caught_draws: Cited[int] | None = None


BY_THE_BOOKLET: Final = HouseRuleValues()


class CardRule(msgspec.Struct, frozen=True, kw_only=True):
    """What the cards with one symbol do when they are turned up before play, or played.

    The fields that end in `two_players` hold while only two players are in play.
    """

    turned_up: Cited[TurnedUp]
    turned_up_two_players: Cited[TurnedUp]
    played: Cited[Effect]
    played_two_players: Cited[Effect]


class SharedRules(msgspec.Struct, frozen=True, kw_only=True):
    """The clauses of the rules that are the same in all editions.

    `dealer_tie`: players who drew the same highest card draw again. `first_player`: the player on
    the dealer's left begins. `reshuffle`: the discards under the top card become the draw pile.
    `short_pile`: if both piles run dry, a draw gets what is left. `bluff_stands`: a wild-draw-four
    that is not legal has its effect unless it is challenged. `last_challenge`: a wild-draw-four
    laid as the last card is innocent. `misplay_window`: a misplay can be called until the next
    action. `round_end`: an empty hand ends the round. `tie`: players with equally good totals share
    the win.
    """

    dealer_tie: str
    first_player: str
    reshuffle: str
    short_pile: str
    bluff_stands: str
    last_challenge: str
    misplay_window: str
    round_end: str
    tie: str


class ModeDefault(msgspec.Struct, frozen=True, kw_only=True):
    """How an edition plays a scoring mode if the opening does not say otherwise.

    `target`, `rounds`: the total, and the number of rounds, that end the match. None: a match has
    no such end (an opening in `plus-minus` has to give its `rounds`). `borrowed`: whether the
    clause comes from another booklet, because this one does not have the mode.
    """

    clause: str
    target: int | None
    rounds: int | None
    team_scoring: TeamScoring | None
    borrowed: bool


T = TypeVar("T")


class _ByCard(dict[Card, T]):
    """What every play looks up of its card, made once for all cards that the deck names.

    `other`: returns the same of any other card.
    """

    def __init__(self, named: Mapping[Card, T], other: Callable[[Card], T]) -> None:
        super().__init__(named)
        self._other = other

    def __missing__(self, card: Card) -> T:
        return self._other(card)


_OF_EXTRA_CARDS: Final[Symbol] = "extra"
"""The symbol of cards that the booklet does not name. No card of a booklet has it."""


class Edition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """One revision of a booklet, with the house rules of a table if it plays any.

    A revision that a match has used never changes. A new field has a default.
    """

    id: str
    letter: str
    revision: int
    name: Text
    source: str
    """The number of the booklet among the sources."""
    clauses: tuple[Clause, ...]
    """The booklet's own clauses in its order, then the readings, then the borrowed clauses.

    The clauses of the house rules come last, in an edition that is played by house rules.
    """

    colors: Cited[tuple[Color, ...]]
    deck: Cited[Mapping[Card, int]]
    points: Cited[Mapping[Card, int]]
    box_size: Cited[int]
    """The number of cards printed on the box, which may be more than `deck` names."""
    option_clauses: Mapping[str, str]
    """The options of an opening that only some editions take, each with its clause."""

    shared: SharedRules
    hand_size: Cited[int]
    dealer_draw: Cited[DealerDraw]
    next_dealer: Cited[NextDealer]

    cards: Mapping[str, CardRule]
    """The rules of the cards, by symbol.

    `number` has the rule of the digits without a rule of their own, `extra` that of the cards that
    the booklet does not name.
    """
    match_by: Cited[frozenset[MatchBy]]
    draws_without_match: Cited[int]
    keep: Cited[Keep]
    """Its clause also says that only the drawn card may be played after a draw, in every edition.

    See `only_drawn` for the exception.
    """
    lays_on_penalty: Cited[frozenset[str]]
    """Symbols that may be laid by a player whom a draw-two or wild-draw-four hits."""

    wild_draw_four_legal: Cited[WildDrawFourLegal]
    challenge: Cited[Challenge]

    uno: Cited[Uno]
    misplay: Cited[Misplay]
    advice_draws: Cited[int] | None = None
    accusation_draws: Cited[int] | None = None

    last_card_draws: Cited[Mapping[str, int]]
    """How many cards the next player still draws, and counts, after a last card, by its symbol."""
    joint_winner_cards: Cited[frozenset[Card]]
    """The cards that can empty several hands at once. Extra cards can too, and are not listed."""
    default_mode: Cited[str]
    modes: Mapping[str, ModeDefault]
    team_clauses: Mapping[TeamScoring, str]
    rotations: tuple[Cited[Rotation], ...]
    house: HouseRuleValues = BY_THE_BOOKLET
    """The house rules of a table. The edition of a booklet itself has none."""

    @property
    def caught_draws(self) -> Cited[int]:
        """How many cards a player draws who is caught without UNO."""
        return self.house.caught_draws or Cited(self.uno.value.draws, self.uno.clause)

    @property
    def only_drawn(self) -> str:
        """The clause by which only the drawn card may be played after a draw."""
        return self.house.only_drawn or self.keep.clause

    @cached_property
    def hands_chosen(self) -> bool:
        """Whether the player of some card chooses with whom to exchange hands."""
        rules = self.cards.values()
        return any(rule.played.value.hands_from is HandsFrom.CHOSEN for rule in rules)

    @property
    def options(self) -> frozenset[str]:
        """Names of the options that an opening in this edition may set."""
        return frozenset(self.option_clauses)

    def clause(self, clause_id: str) -> Clause:
        """Return a clause by its id.

        Raises KeyError if this edition does not have the clause.
        """
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        raise KeyError(clause_id)

    @cached_property
    def card_rule(self) -> Callable[[Card], CardRule]:
        """Return the rule of a card. A card that the deck does not name has the rule `extra`.

        Raises KeyError if the deck does not name the card and the edition allows no extra cards.
        """
        by_symbol = self.cards
        rules = {
            card: by_symbol.get(face(card).symbol) or by_symbol["number"]
            for card in self.deck.value
        }
        return _ByCard(rules, lambda _: by_symbol["extra"]).__getitem__

    @cached_property
    def face(self) -> Callable[[Card], Face]:
        """Return the face of a card of this edition.

        Any card that the deck does not name is a wild, even if another booklet names it.
        """
        faces = {card: face(card) for card in self.deck.value}
        return _ByCard(faces, lambda card: Face(card, None, _OF_EXTRA_CARDS)).__getitem__

    def box(self, extra_cards: Mapping[Card, ExtraCard]) -> Box:
        """Return the box that holds the deck and the table's extra cards.

        Raises ValueError if the deck already names one of the extra cards.
        """
        if not extra_cards:
            return self._deck_alone
        named = sorted(extra_cards.keys() & self.deck.value.keys())
        if named:
            raise ValueError(f"{named[0]} is no extra card: the deck names it")
        return Box(
            counts={**self.deck.value, **{card: e.count for card, e in extra_cards.items()}},
            points={**self.points.value, **{card: e.points for card, e in extra_cards.items()}},
        )

    @cached_property
    def _deck_alone(self) -> Box:
        """The box without extra cards, which nearly every match has. It is never changed."""
        return Box(counts=self.deck.value, points=self.points.value)


class Choice(Struct, frozen=True):
    """A variant as it is offered to people; `clauses`: the clauses that it brings into force."""

    name: Text
    clauses: tuple[str, ...]


class HouseRule(Struct, frozen=True, kw_only=True):
    """A house rule that a table can choose, its variants, and what they change.

    `name`: the name of the field in an opening. `label`: what people call the house rule.

    `booklet`: the variant that every booklet plays. If the variants are numbers, a function that
    returns the number that an edition has in its booklet. `choices`: the variants that depart from
    the booklet. `numbers`: the range of the variants if they are numbers; `choices` is empty then.
    `clauses`: the clauses that any of the variants brings into force. `excludes`: the names of
    house rules that can't be in force together with this one. They come earlier in the registry.
    `applied`: a function that returns the edition as it is played by a variant that departs from
    the booklet.
    """

    name: str
    label: Text
    booklet: str | Callable[[Edition], int]
    choices: Mapping[str, Choice] = {}
    numbers: range | None = None
    clauses: Mapping[str, Text]
    excludes: frozenset[str] = frozenset()
    applied: Callable[[Edition, Variant], Edition]

    def by_booklet(self, edition: Edition) -> Variant:
        """Return the variant that changes nothing in this edition."""
        return self.booklet if isinstance(self.booklet, str) else self.booklet(edition)


def with_house(edition: Edition, **changed: object) -> Edition:
    """Return the edition with some fields of its `house` replaced."""
    return replace(edition, house=replace(edition.house, **changed))

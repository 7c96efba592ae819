"""An edition: one revision of a rule booklet as data, each value with the clause it rests on.

What tables play beside a booklet stands in the edition that they play: `HouseRules` has the values
that no booklet has, and a `HouseRule` is what a table can choose and what that changes.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

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
"""The value of a house rule."""

Chosen: TypeAlias = Mapping[str, Variant]
"""House rules by name, each with its variant."""

TeamScoring: TypeAlias = Literal["own-hands", "opponents-hands"]


class HouseRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What tables play that no booklet has a value for; what replaces one is in the edition itself.

    `revision`: of the house rules, None where the opening has none. `chosen`: those that depart
    from the booklet. `at_odds`: two of them that exclude each other; nothing is opened with such.

    `stacks`: by the symbol of a penalty card that lies there, the symbols that the player whom it
    hits may lay on it. `jump_in`: which cards may be laid out of turn. `draws_until_playable`: the
    clause by which a draw goes on. `plays_drawn`: the clause by which a drawn card has to be
    played. `only_drawn`: the booklet's clause on what is played after a draw, where a house rule
    has taken the place of what else it says. `bluff`: what a wild-draw-four is that would not be
    honest; nobody challenges one then. `last_card`: what the last card must not be. `at_once`:
    symbols of which several identical cards may be laid in one play. `caught_draws`: cards for a
    player who is caught without UNO.
    """

    revision: int | None = None
    chosen: Chosen = {}
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


BY_THE_BOOKLET: Final = HouseRules()


class CardRule(msgspec.Struct, frozen=True, kw_only=True):
    """What the cards with one symbol do: turned up before play, or played.

    The fields that end in `two_players` hold while only two are in play.
    """

    turned_up: Cited[TurnedUp]
    turned_up_two_players: Cited[TurnedUp]
    played: Cited[Effect]
    played_two_players: Cited[Effect]


class SharedRules(msgspec.Struct, frozen=True, kw_only=True):
    """Rules that are the same in all editions: for each the clause that says so.

    `dealer_tie`: who drew the same highest card draw again. `first_player`: the one on the dealer's
    left. `reshuffle`: the discards under the top card. `short_pile`: a draw gets what is left.
    `bluff_stands`: a wild-draw-four that is not legal has its effect unless it is challenged.
    `last_challenge`: a challenge to one that was laid last counts as innocent. `misplay_window`:
    until the next action. `round_end`: an empty hand. `tie`: who stand equally best share the win.
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
    """How a scoring mode is played where the opening does not say.

    `target` and `rounds` None: no such end (plus-minus has to be given its rounds). `borrowed`:
    the clause is another booklet's, which this one does not have.
    """

    clause: str
    target: int | None
    rounds: int | None
    team_scoring: TeamScoring | None
    borrowed: bool


_OF_EXTRA_CARDS: Final[Symbol] = "extra"
"""No booklet's rule is about this symbol."""


class Edition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """A revision that a match has used never changes; what it lacks is added with a default."""

    id: str
    letter: str
    revision: int
    name: Text
    source: str
    """The number of the booklet among the sources."""
    clauses: tuple[Clause, ...]
    """The booklet's own in its order, then the readings, then what is borrowed."""

    colors: Cited[tuple[Color, ...]]
    deck: Cited[Mapping[Card, int]]
    points: Cited[Mapping[Card, int]]
    box_size: Cited[int]
    """As printed on the box, which may be more than `deck` names."""
    option_clauses: Mapping[str, str]
    """The options of an opening that only some editions take, each with its clause."""

    shared: SharedRules
    hand_size: Cited[int]
    dealer_draw: Cited[DealerDraw]
    next_dealer: Cited[NextDealer]

    cards: Mapping[str, CardRule]
    """By symbol; `number` for the digits that have no rule of their own, `extra` for cards that the
    booklet does not name."""
    match_by: Cited[frozenset[MatchBy]]
    draws_without_match: Cited[int]
    keep: Cited[Keep]
    """In every edition only the drawn card may be played after a draw; the clause says so too."""
    lays_on_penalty: Cited[frozenset[str]]
    """Symbols that may be laid by a player whom a draw-two or wild-draw-four hits."""

    wild_draw_four_legal: Cited[WildDrawFourLegal]
    challenge: Cited[Challenge]

    uno: Cited[Uno]
    misplay: Cited[Misplay]
    advice_draws: Cited[int] | None = None
    accusation_draws: Cited[int] | None = None

    last_card_draws: Cited[Mapping[str, int]]
    """By symbol: what the next player still draws, and counts, when it is laid last."""
    joint_winner_cards: Cited[frozenset[Card]]
    """Cards that can empty several hands at once; extra cards can too."""
    default_mode: Cited[str]
    modes: Mapping[str, ModeDefault]
    team_clauses: Mapping[TeamScoring, str]
    rotations: tuple[Cited[Rotation], ...]
    house: HouseRules = BY_THE_BOOKLET
    """What a table plays beside the booklet; no booklet says anything here."""

    @property
    def caught_draws(self) -> Cited[int]:
        """What a player draws who is caught without UNO."""
        return self.house.caught_draws or Cited(self.uno.value.draws, self.uno.clause)

    @property
    def only_drawn(self) -> str:
        """The clause by which only the drawn card may be played after a draw."""
        return self.house.only_drawn or self.keep.clause

    @cached_property
    def hands_chosen(self) -> bool:
        """Whether some card has its player name somebody whose hand it is exchanged with."""
        rules = self.cards.values()
        return any(rule.played.value.hands_from is HandsFrom.CHOSEN for rule in rules)

    @property
    def options(self) -> frozenset[str]:
        """Names of the options that an opening in this edition may set."""
        return frozenset(self.option_clauses)

    def clause(self, clause_id: str) -> Clause:
        """KeyError where no match in this edition can cite it."""
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        raise KeyError(clause_id)

    def card_rule(self, card: Card) -> CardRule:
        """KeyError where the box can't hold the card."""
        return self._rules.get(card) or self.cards["extra"]

    @cached_property
    def _rules(self) -> Mapping[Card, CardRule]:
        """By card, for those that the deck names: every card that is laid asks for its rule."""
        faces = self._faces.values()
        return {one.card: self.cards.get(one.symbol) or self.cards["number"] for one in faces}

    def face(self, card: Card) -> Face:
        """A wild for each card that the deck does not name, whatever a booklet calls so."""
        return self._faces.get(card) or Face(card, None, _OF_EXTRA_CARDS)

    @cached_property
    def _faces(self) -> Mapping[Card, Face]:
        return {card: face(card) for card in self.deck.value}

    def box(self, extra_cards: Mapping[Card, ExtraCard]) -> Box:
        """The named deck and the table's extra cards; ValueError for one that the deck names."""
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
        """The box of nearly every match, which is never changed."""
        return Box(counts=self.deck.value, points=self.points.value)


class Choice(Struct, frozen=True):
    """A variant as people choose it; `clauses`: those that it brings into force."""

    name: Text
    clauses: tuple[str, ...]


class HouseRule(Struct, frozen=True, kw_only=True):
    """`name`: the field of an opening. `label`: what people call it.

    `booklet`: the variant that every edition plays by itself, or which one a given edition does,
    where it is a number. `choices`: the variants that depart from that. `numbers`: the variants,
    where any number of a range is one; there are no `choices` then. `clauses`: all that the
    variants bring into force. `excludes`: the names of those, earlier in the registry, that can't
    be in force beside it. `applied`: the edition as it is played by a variant that departs from it.
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
        """The variant that changes nothing in this edition."""
        return self.booklet if isinstance(self.booklet, str) else self.booklet(edition)


def with_house(edition: Edition, **changed: object) -> Edition:
    """The edition with some of the values that no booklet has."""
    return replace(edition, house=replace(edition.house, **changed))

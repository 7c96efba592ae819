"""UNO, the basic game of 108 cards: the lowest total wins; partners, and rotating partners."""

from typing import Final

from scorekeeper.editions.clauses.assembly import assemble
from scorekeeper.editions.clauses.basic import BASIC
from scorekeeper.editions.decks import colored, worth
from scorekeeper.editions.modes import ROTATIONS, TEAM_CLAUSES, modes
from scorekeeper.editions.plays import (
    DRAWS_FOUR,
    DRAWS_FOUR_AND_GOES_AGAIN,
    DRAWS_TWO,
    DRAWS_TWO_AND_GOES_AGAIN,
    GOES_AGAIN,
    NAMES_COLOR,
    PLAIN,
    REVERSES,
    SKIPS,
    card_rule,
)
from scorekeeper.rules.cited import Cited
from scorekeeper.rules.edition import Edition, SharedRules
from scorekeeper.rules.parameters import (
    Challenge,
    DealerDraw,
    Keep,
    MatchBy,
    Misplay,
    NextDealer,
    ShownTo,
    TurnedUp,
    Uno,
    UnoWindow,
    WildDrawFourLegal,
)
from scorekeeper.rules.text import Text

_COLORS: Final = ("red", "yellow", "green", "blue")
_DECK: Final = {
    **colored(_COLORS),
    "wild": 4,
    "wild-draw-four": 4,
}
_MODES: Final = {"lowest-total": "B-SCORE"}

BASIC_1: Final = Edition(
    id="basic",
    letter="B",
    revision=1,
    name=Text("UNO, the basic game", "UNO 基本規則"),
    source="001",
    clauses=assemble(
        "basic",
        BASIC,
        modes=_MODES,
        without=frozenset({"X-MISPLAY", "X-TWO"}),
    ),
    colors=Cited(_COLORS, "B-DECK"),
    deck=Cited(_DECK, "B-DECK"),
    points=Cited(worth(_DECK), "B-POINTS"),
    box_size=Cited(108, "B-DECK"),
    option_clauses={},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="B-FIRST",
        reshuffle="B-RESHUFFLE",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="B-WILD4-BLUFF",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="B-OUT",
        tie="X-TIE",
    ),
    hand_size=Cited(7, "B-DEAL"),
    dealer_draw=Cited(DealerDraw.LETTERED_CANNOT_DEAL, "B-DEALER"),
    next_dealer=Cited(NextDealer.LEFT, "X-NEXT-DEALER"),
    cards={
        "number": card_rule(
            Cited(TurnedUp.PLAY_STARTS, "B-UP-NUMBER"),
            Cited(PLAIN, "B-MATCH"),
        ),
        "draw-two": card_rule(
            Cited(TurnedUp.FIRST_DRAWS_TWO, "B-UP-DRAW-TWO"),
            Cited(DRAWS_TWO, "B-DRAW-TWO"),
            played_two_players=Cited(DRAWS_TWO_AND_GOES_AGAIN, "B-TWO"),
        ),
        "reverse": card_rule(
            Cited(TurnedUp.LEFT_BEGINS_REVERSED, "B-UP-REVERSE"),
            Cited(REVERSES, "B-REVERSE"),
            turned_up_two_players=TurnedUp.PLAY_STARTS,
            played_two_players=Cited(GOES_AGAIN, "B-TWO"),
        ),
        "skip": card_rule(
            Cited(TurnedUp.FIRST_IS_SKIPPED, "B-UP-SKIP"),
            Cited(SKIPS, "B-SKIP"),
            played_two_players=Cited(GOES_AGAIN, "B-TWO"),
        ),
        "wild": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT, "B-UP-WILD"),
            Cited(NAMES_COLOR, "B-WILD"),
        ),
        "wild-draw-four": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "B-UP-WILD4"),
            Cited(DRAWS_FOUR, "B-WILD4"),
            played_two_players=Cited(DRAWS_FOUR_AND_GOES_AGAIN, "B-TWO"),
        ),
    },
    match_by=Cited(frozenset({MatchBy.COLOR, MatchBy.NUMBER, MatchBy.SYMBOL}), "B-MATCH"),
    draws_without_match=Cited(1, "B-DRAW"),
    keep=Cited(Keep.ONLY_WILD_DRAW_FOUR, "B-KEEP"),
    lays_on_penalty=Cited(frozenset(), "B-NO-STACK"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.COLOR, "B-WILD4-LEGAL"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=False, shown_to=ShownTo.CHALLENGER),
        "B-CHALLENGE",
    ),
    uno=Cited(Uno(draws=2, window=UnoWindow.NEXT_CARD_LAID), "B-UNO"),
    misplay=Cited(Misplay(draws=1, loses_turn=True), "B-MISPLAY"),
    advice_draws=Cited(4, "B-ADVICE"),
    last_card_draws=Cited({"draw-two": 2, "wild-draw-four": 4}, "B-LAST"),
    joint_winner_cards=Cited(frozenset(), "X-JOINT"),
    default_mode=Cited("lowest-total", "B-SCORE"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

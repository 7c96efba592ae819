"""UNO as sold from 2025: four cards of the box have no names, and points are optional."""

from typing import Final

from scorekeeper.editions.clauses.assembly import assemble
from scorekeeper.editions.clauses.classic_2025 import CLASSIC_2025
from scorekeeper.editions.decks import colored, worth
from scorekeeper.editions.modes import ROTATIONS, TEAM_CLAUSES, modes
from scorekeeper.editions.plays import (
    AS_AGREED,
    DRAWS_FOUR,
    DRAWS_TWO,
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
_MODES: Final = {"winner-collects": "C-SCORE", "first-out": "C-FIRST-OUT"}

CLASSIC_2025_1: Final = Edition(
    id="classic-2025",
    letter="C",
    revision=1,
    name=Text("UNO, 2025", "UNO 經典版（2025 年）"),
    source="004",
    clauses=assemble(
        "classic-2025",
        CLASSIC_2025,
        modes=_MODES,
        without=frozenset(),
    ),
    colors=Cited(_COLORS, "C-DECK"),
    deck=Cited(_DECK, "C-DECK"),
    points=Cited(worth(_DECK), "C-POINTS"),
    box_size=Cited(112, "C-DECK"),
    option_clauses={"extra_cards": "C-DECK"},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="C-FIRST",
        reshuffle="C-RESHUFFLE",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="C-WILD4-BLUFF",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="C-OUT",
        tie="X-TIE",
    ),
    hand_size=Cited(7, "C-DEAL"),
    dealer_draw=Cited(DealerDraw.CHOSEN_FREELY, "C-DEALER"),
    next_dealer=Cited(NextDealer.LEFT, "X-NEXT-DEALER"),
    cards={
        "number": card_rule(
            Cited(TurnedUp.PLAY_STARTS, "C-UP"),
            Cited(PLAIN, "C-MATCH"),
        ),
        "draw-two": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "C-UP"),
            Cited(DRAWS_TWO, "C-DRAW-TWO"),
        ),
        "reverse": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "C-UP"),
            Cited(REVERSES, "C-REVERSE"),
            played_two_players=Cited(SKIPS, "X-TWO"),
        ),
        "skip": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "C-UP"),
            Cited(SKIPS, "C-SKIP"),
        ),
        "wild": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "C-UP"),
            Cited(NAMES_COLOR, "C-WILD"),
        ),
        "wild-draw-four": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "C-UP"),
            Cited(DRAWS_FOUR, "C-WILD4"),
        ),
        "extra": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "C-UP"),
            Cited(AS_AGREED, "C-DECK"),
        ),
    },
    match_by=Cited(frozenset({MatchBy.COLOR, MatchBy.NUMBER, MatchBy.SYMBOL}), "C-MATCH"),
    draws_without_match=Cited(1, "C-DRAW"),
    keep=Cited(Keep.ANYTHING, "C-KEEP"),
    lays_on_penalty=Cited(frozenset(), "C-NO-STACK"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.COLOR_OR_WILD, "C-WILD4-LEGAL"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=False, shown_to=ShownTo.TABLE),
        "C-CHALLENGE",
    ),
    uno=Cited(Uno(draws=2, window=UnoWindow.NEXT_TURN_BEGUN), "C-UNO"),
    misplay=Cited(Misplay(draws=0, loses_turn=False), "X-MISPLAY"),
    last_card_draws=Cited({"draw-two": 2, "wild-draw-four": 4}, "C-LAST"),
    joint_winner_cards=Cited(frozenset(), "X-JOINT"),
    default_mode=Cited("first-out", "C-FIRST-OUT"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

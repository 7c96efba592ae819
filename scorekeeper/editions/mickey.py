"""UNO Disney Mickey and Friends: other colours, and a friendship card that all discard with."""

from typing import Final

from scorekeeper.editions.clauses.assembly import assemble
from scorekeeper.editions.clauses.mario_and_mickey import SHARED
from scorekeeper.editions.clauses.mickey import MICKEY
from scorekeeper.editions.decks import colored, worth
from scorekeeper.editions.modes import ROTATIONS, TEAM_CLAUSES, modes
from scorekeeper.editions.plays import (
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
    ColorNaming,
    DealerDraw,
    Effect,
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

_COLORS: Final = ("red", "green", "pink", "orange")
_DECK: Final = {
    **colored(_COLORS),
    "wild": 4,
    "wild-draw-four": 4,
    "wild-friendship": 4,
}
_MODES: Final = {"winner-collects": "D-SCORE", "lowest-total": "D-ALT"}

MICKEY_1: Final = Edition(
    id="mickey",
    letter="D",
    revision=1,
    name=Text("UNO Disney Mickey and Friends", "UNO 迪士尼米奇與朋友"),
    source="002",
    clauses=assemble(
        "mickey",
        {**MICKEY, **{f"D-{name}": text for name, text in SHARED.items()}},
        modes=_MODES,
        without=frozenset(),
    ),
    colors=Cited(_COLORS, "D-DECK"),
    deck=Cited(_DECK, "D-DECK"),
    points=Cited(worth(_DECK), "D-POINTS"),
    box_size=Cited(112, "D-DECK"),
    option_clauses={},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="D-FIRST",
        reshuffle="D-RESHUFFLE",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="D-WILD4-BLUFF",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="D-OUT",
        tie="X-TIE",
    ),
    hand_size=Cited(7, "D-DEAL"),
    dealer_draw=Cited(DealerDraw.LETTERED_COUNT_ZERO, "D-DEALER"),
    next_dealer=Cited(NextDealer.LEFT, "X-NEXT-DEALER"),
    cards={
        "number": card_rule(
            Cited(TurnedUp.PLAY_STARTS, "D-UP-NUMBER"),
            Cited(PLAIN, "D-MATCH"),
        ),
        "draw-two": card_rule(
            Cited(TurnedUp.FIRST_DRAWS_TWO, "D-UP-DRAW-TWO"),
            Cited(DRAWS_TWO, "D-DRAW-TWO"),
        ),
        "reverse": card_rule(
            Cited(TurnedUp.DEALER_BEGINS_REVERSED, "D-UP-REVERSE"),
            Cited(REVERSES, "D-REVERSE"),
            turned_up_two_players=TurnedUp.DEALER_BEGINS,
            played_two_players=Cited(SKIPS, "X-TWO"),
        ),
        "skip": card_rule(
            Cited(TurnedUp.FIRST_IS_SKIPPED, "D-UP-SKIP"),
            Cited(SKIPS, "D-SKIP"),
        ),
        "wild": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, "D-UP-WILD"),
            Cited(NAMES_COLOR, "D-WILD"),
        ),
        "wild-draw-four": card_rule(
            Cited(TurnedUp.TO_BOTTOM_OF_DRAW_PILE, "D-UP-WILD4"),
            Cited(DRAWS_FOUR, "D-WILD4"),
        ),
        "wild-friendship": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, "D-UP-FRIENDSHIP"),
            Cited(
                Effect(color=ColorNaming.IF_WILD_ON_TOP, own_discards=2, other_discards=1),
                "D-FRIENDSHIP",
            ),
        ),
    },
    match_by=Cited(frozenset({MatchBy.COLOR, MatchBy.NUMBER, MatchBy.SYMBOL}), "D-MATCH"),
    draws_without_match=Cited(1, "D-DRAW"),
    keep=Cited(Keep.ANYTHING, "D-KEEP"),
    lays_on_penalty=Cited(frozenset(), "D-NO-STACK"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.COLOR, "D-WILD4-LEGAL"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=False, shown_to=ShownTo.TABLE),
        "D-CHALLENGE",
    ),
    uno=Cited(Uno(draws=2, window=UnoWindow.NEXT_CARD_LAID), "D-UNO"),
    misplay=Cited(Misplay(draws=0, loses_turn=False), "X-MISPLAY"),
    last_card_draws=Cited({"draw-two": 2, "wild-draw-four": 4}, "D-LAST"),
    joint_winner_cards=Cited(frozenset({"wild-friendship"}), "D-FRIENDSHIP"),
    default_mode=Cited("winner-collects", "D-SCORE"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

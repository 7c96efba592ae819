"""UNO Super Mario: a star that reflects, and a block whose effect the table agrees on."""

from typing import Final

from scorekeeper.editions.clauses.assembly import assemble
from scorekeeper.editions.clauses.mario import MARIO
from scorekeeper.editions.clauses.mario_and_mickey import SHARED
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

_COLORS: Final = ("red", "yellow", "green", "blue")
_DECK: Final = {
    **colored(_COLORS),
    "wild": 4,
    "wild-draw-four": 4,
    "super-star": 2,
    "question-block": 2,
}
_MODES: Final = {"winner-collects": "M-SCORE", "lowest-total": "M-ALT"}

MARIO_1: Final = Edition(
    id="mario",
    letter="M",
    revision=1,
    name=Text("UNO Super Mario", "UNO 瑪莉歐"),
    source="000",
    clauses=assemble(
        "mario",
        {**MARIO, **{f"M-{name}": text for name, text in SHARED.items()}},
        modes=_MODES,
        without=frozenset(),
    ),
    colors=Cited(_COLORS, "M-DECK"),
    deck=Cited(_DECK, "M-DECK"),
    points=Cited(worth(_DECK), "M-POINTS"),
    box_size=Cited(112, "M-DECK"),
    option_clauses={"question_block": "M-BLOCK"},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="M-FIRST",
        reshuffle="M-RESHUFFLE",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="M-WILD4-BLUFF",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="M-OUT",
        tie="X-TIE",
    ),
    hand_size=Cited(7, "M-DEAL"),
    dealer_draw=Cited(DealerDraw.LETTERED_COUNT_ZERO, "M-DEALER"),
    next_dealer=Cited(NextDealer.LEFT, "X-NEXT-DEALER"),
    cards={
        "number": card_rule(
            Cited(TurnedUp.PLAY_STARTS, "M-UP-NUMBER"),
            Cited(PLAIN, "M-MATCH"),
        ),
        "draw-two": card_rule(
            Cited(TurnedUp.FIRST_DRAWS_TWO, "M-UP-DRAW-TWO"),
            Cited(DRAWS_TWO, "M-DRAW-TWO"),
        ),
        "reverse": card_rule(
            Cited(TurnedUp.DEALER_BEGINS_REVERSED, "M-UP-REVERSE"),
            Cited(REVERSES, "M-REVERSE"),
            turned_up_two_players=TurnedUp.DEALER_BEGINS,
            played_two_players=Cited(SKIPS, "X-TWO"),
        ),
        "skip": card_rule(
            Cited(TurnedUp.FIRST_IS_SKIPPED, "M-UP-SKIP"),
            Cited(SKIPS, "M-SKIP"),
        ),
        "wild": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, "M-UP-WILD"),
            Cited(NAMES_COLOR, "M-WILD"),
        ),
        "wild-draw-four": card_rule(
            Cited(TurnedUp.TO_BOTTOM_OF_DRAW_PILE, "M-UP-WILD4"),
            Cited(DRAWS_FOUR, "M-WILD4"),
        ),
        "super-star": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, "M-UP-STAR"),
            Cited(Effect(color=ColorNaming.ALWAYS, reflects=True), "M-STAR"),
        ),
        "question-block": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, "M-UP-BLOCK"),
            Cited(AS_AGREED, "M-BLOCK"),
        ),
    },
    match_by=Cited(frozenset({MatchBy.COLOR, MatchBy.NUMBER, MatchBy.SYMBOL}), "M-MATCH"),
    draws_without_match=Cited(1, "M-DRAW"),
    keep=Cited(Keep.ANYTHING, "M-KEEP"),
    lays_on_penalty=Cited(frozenset({"super-star"}), "M-NO-STACK"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.COLOR, "M-WILD4-LEGAL"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=False, shown_to=ShownTo.TABLE),
        "M-CHALLENGE",
    ),
    uno=Cited(Uno(draws=2, window=UnoWindow.NEXT_CARD_LAID), "M-UNO"),
    misplay=Cited(Misplay(draws=0, loses_turn=False), "X-MISPLAY"),
    last_card_draws=Cited({"draw-two": 2, "wild-draw-four": 4}, "M-LAST"),
    joint_winner_cards=Cited(frozenset({"question-block"}), "M-BLOCK"),
    default_mode=Cited("winner-collects", "M-SCORE"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

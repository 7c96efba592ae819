"""UNO Hello Kitty: the King is taken back, ribbons discard red cards, hands are exchanged."""

from typing import Final

from scorekeeper.editions.clauses.assembly import assemble
from scorekeeper.editions.clauses.hello_kitty import HELLO_KITTY
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
    ColorNaming,
    DealerDraw,
    Effect,
    HandsFrom,
    Keep,
    MatchBy,
    Misplay,
    NextDealer,
    ShownTo,
    TurnAfter,
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
    "red-ribbon": 2,
    "swap-hands": 2,
}
_MODES: Final = {
    "winner-collects": "H-SCORE-500",
    "plus-minus": "H-PLUSMINUS",
    "elimination": "H-ELIMINATION",
}

HELLO_KITTY_1: Final = Edition(
    id="hello-kitty",
    letter="H",
    revision=1,
    name=Text("UNO Hello Kitty W4144", "UNO Hello Kitty（W4144）"),
    source="003",
    clauses=assemble(
        "hello-kitty",
        HELLO_KITTY,
        modes=_MODES,
        without=frozenset({"X-MISPLAY", "X-TWO"}),
    ),
    colors=Cited(_COLORS, "H-DECK"),
    deck=Cited(_DECK, "H-DECK"),
    points=Cited(worth(_DECK), "H-POINTS"),
    box_size=Cited(112, "H-DECK"),
    option_clauses={},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="H-FIRST",
        reshuffle="H-RESHUFFLE",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="H-WILD4-BLUFF",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="H-OUT",
        tie="X-TIE",
    ),
    hand_size=Cited(7, "H-DEAL"),
    dealer_draw=Cited(DealerDraw.LETTERED_COUNT_ZERO, "H-DEALER"),
    next_dealer=Cited(NextDealer.WINNER, "H-NEXT-DEALER"),
    cards={
        "number": card_rule(
            Cited(TurnedUp.PLAY_STARTS, "H-UP-NUMBER"),
            Cited(PLAIN, "H-MATCH"),
        ),
        "draw-two": card_rule(
            Cited(TurnedUp.FIRST_DRAWS_TWO, "H-UP-DRAW-TWO"),
            Cited(DRAWS_TWO, "H-DRAW-TWO"),
            played_two_players=Cited(DRAWS_TWO_AND_GOES_AGAIN, "H-TWO"),
        ),
        "reverse": card_rule(
            Cited(TurnedUp.DEALER_BEGINS_REVERSED, "H-UP-REVERSE"),
            Cited(REVERSES, "H-REVERSE"),
            turned_up_two_players=TurnedUp.DEALER_BEGINS,
            played_two_players=Cited(GOES_AGAIN, "H-TWO"),
        ),
        "skip": card_rule(
            Cited(TurnedUp.FIRST_IS_SKIPPED, "H-UP-SKIP"),
            Cited(SKIPS, "H-SKIP"),
            played_two_players=Cited(GOES_AGAIN, "H-TWO"),
        ),
        "wild": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, "H-UP-WILD"),
            Cited(NAMES_COLOR, "H-WILD"),
        ),
        "wild-draw-four": card_rule(
            Cited(TurnedUp.TO_BOTTOM_OF_DRAW_PILE, "H-UP-WILD4"),
            Cited(DRAWS_FOUR, "H-WILD4"),
            played_two_players=Cited(DRAWS_FOUR_AND_GOES_AGAIN, "H-TWO"),
        ),
        "red-ribbon": card_rule(
            Cited(TurnedUp.TO_BOTTOM_OF_DRAW_PILE, "H-UP-RIBBON"),
            Cited(Effect(color=ColorNaming.ALWAYS, lays_off="red"), "H-RIBBON"),
            played_two_players=Cited(
                Effect(color=ColorNaming.ALWAYS, lays_off="red", gift=1), "H-TWO"
            ),
        ),
        "swap-hands": card_rule(
            Cited(TurnedUp.TO_BOTTOM_OF_DRAW_PILE, "H-UP-SWAP"),
            Cited(Effect(color=ColorNaming.ALWAYS, hands_from=HandsFrom.LEFT_NEIGHBOR), "H-SWAP"),
            played_two_players=Cited(
                Effect(
                    color=ColorNaming.ALWAYS,
                    hands_from=HandsFrom.LEFT_NEIGHBOR,
                    turn=TurnAfter.SAME_PLAYER,
                ),
                "H-TWO",
            ),
        ),
    },
    match_by=Cited(frozenset({MatchBy.COLOR, MatchBy.NUMBER, MatchBy.SYMBOL}), "H-MATCH"),
    draws_without_match=Cited(1, "H-DRAW"),
    keep=Cited(Keep.NOTHING, "H-KEEP"),
    lays_on_penalty=Cited(frozenset(), "H-NO-STACK"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.PLAYABLE, "H-WILD4-LEGAL"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=True, shown_to=ShownTo.CHALLENGER),
        "H-CHALLENGE",
    ),
    uno=Cited(Uno(draws=2, window=UnoWindow.NEXT_CARD_LAID), "H-UNO"),
    misplay=Cited(Misplay(draws=2, loses_turn=True), "H-MISPLAY"),
    accusation_draws=Cited(2, "H-ACCUSE"),
    last_card_draws=Cited({"draw-two": 2, "wild-draw-four": 4}, "H-LAST"),
    joint_winner_cards=Cited(frozenset(), "X-JOINT"),
    default_mode=Cited("winner-collects", "H-SCORE-500"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

"""An invented sixth edition. It consists of data alone."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scorekeeper.editions.beside_booklets import ROTATIONS, TEAM_CLAUSES, assemble, modes
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.editions.shared_cards import (
    DRAWS_TWO,
    NAMES_COLOR,
    PLAIN,
    card_rule,
    colored,
    worth,
)
from scorekeeper.rules.clauses import Cited, Text
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

_COLORS: Final = ("red", "green", "blue", "orange")
_DECK: Final = {
    **{card: n for card, n in colored(_COLORS).items() if "skip" not in card},
    "wild": 12,
    "super-star": 12,
}
_MODES: Final = {"lowest-total": "T-SCORE"}
_CLAUSES: Final = {
    "T-BOX": Text(
        "116 cards, with twelve wilds, twelve stars and no skips.",
        "共 116 張，十二張萬用牌，十二張星星牌，沒有跳過。",
    ),
    "T-DEAL": Text("Five cards each; the left one begins.", "每人五張，左邊的人先。"),
    "T-PLAY": Text(
        "As everywhere, but a reverse draws two, and a star gives a card to the next player.",
        "與一般相同，但迴轉要抽兩張，星星牌要送一張牌給下一位。",
    ),
    "T-SCORE": Text("The lowest total wins.", "總分最低的人獲勝。"),
}

INVENTED: Final = Edition(
    id="travel",
    letter="T",
    revision=1,
    name=Text("Travel edition", "旅行版"),
    source="005",
    clauses=assemble("travel", _CLAUSES, modes=_MODES, without=frozenset()),
    colors=Cited(_COLORS, "T-BOX"),
    deck=Cited(_DECK, "T-BOX"),
    points=Cited(worth(_DECK), "T-SCORE"),
    box_size=Cited(sum(_DECK.values()), "T-BOX"),
    option_clauses={},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="T-DEAL",
        reshuffle="T-PLAY",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="T-PLAY",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="T-PLAY",
        tie="X-TIE",
    ),
    hand_size=Cited(5, "T-DEAL"),
    dealer_draw=Cited(DealerDraw.CHOSEN_FREELY, "T-DEAL"),
    next_dealer=Cited(NextDealer.LEFT, "X-NEXT-DEALER"),
    cards={
        symbol: card_rule(Cited(TurnedUp.PLAY_STARTS, "T-DEAL"), Cited(effect, "T-PLAY"))
        for symbol, effect in {
            "number": PLAIN,
            "draw-two": DRAWS_TWO,
            "reverse": DRAWS_TWO,
            "wild": NAMES_COLOR,
            "super-star": Effect(color=ColorNaming.ALWAYS, gift=1),
        }.items()
    },
    match_by=Cited(frozenset({MatchBy.COLOR}), "T-PLAY"),
    draws_without_match=Cited(2, "T-PLAY"),
    keep=Cited(Keep.ANYTHING, "T-PLAY"),
    lays_on_penalty=Cited(frozenset({"draw-two"}), "T-PLAY"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.COLOR, "T-PLAY"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=False, shown_to=ShownTo.TABLE),
        "T-PLAY",
    ),
    uno=Cited(Uno(draws=3, window=UnoWindow.NEXT_TURN_BEGUN), "T-PLAY"),
    misplay=Cited(Misplay(draws=0, loses_turn=False), "X-MISPLAY"),
    last_card_draws=Cited({"draw-two": 2}, "T-PLAY"),
    joint_winner_cards=Cited(frozenset(), "X-JOINT"),
    default_mode=Cited("lowest-total", "T-SCORE"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

WITH_ONE_LINE_MORE: Final[Mapping[tuple[str, int], Edition]] = MappingProxyType(
    {**EDITIONS, ("travel", 1): INVENTED}
)
"""The registry with the invented edition as one more line."""

"""UNO Disney Mickey and Friends: other colours, and a friendship card that all discard with.

The clauses that the booklet has in common with that of mario are in `mario_and_mickey`.
"""

from typing import Final

from scorekeeper.editions.beside_booklets import ROTATIONS, TEAM_CLAUSES, assemble, modes
from scorekeeper.editions.mario_and_mickey import SHARED
from scorekeeper.editions.shared_cards import (
    DRAWS_FOUR,
    DRAWS_TWO,
    NAMES_COLOR,
    PLAIN,
    REVERSES,
    SKIPS,
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

MICKEY_CLAUSES: Final = {
    "D-DECK": Text(
        "112 cards: in red, green, pink and orange each 19 numbers, two draw-twos, two reverses "
        "and two skips; four wilds, four wild draw fours and four wild friendships. Our "
        "reading: each colour's numbers are one 0 and two each of 1 to 9.",
        "共 112 張：紅、綠、粉、橘四色各有 19 張數字牌、兩張罰抽兩張牌、兩張迴轉牌、兩張禁止牌；"
        "另有四張萬用牌、四張萬用罰抽四張牌、四張萬用友情牌。我們的解讀：每色的數字牌是一張 0，1"
        " 到 9 各兩張。",
    ),
    "D-UP-FRIENDSHIP": Text(
        "For a wild friendship turned up first, the player to the dealer's left names the "
        "colour. Our reading: nobody discards for it, and that player takes the first turn.",
        "第一張翻到萬用友情牌時，由發牌者左手邊的玩家指定顏色。我們的解讀：大家不因此棄牌，並由"
        "該玩家先出牌。",
    ),
    "D-NO-STACK": Text(
        "A player whom a draw-two or wild draw four hits lays no card on it: the cards are "
        "drawn and the turn is over.",
        "被罰抽兩張牌或萬用罰抽四張牌罰到的人，不能再出牌疊上去，只能抽牌並結束回合。",
    ),
    "D-CHALLENGE": Text(
        "Only the next player may doubt a wild draw four, and then the hand is shown. Not "
        "allowed: its player draws the four instead. Allowed: the challenger draws six and has "
        "no turn. Our reading: a challenger who is right takes a normal turn, the named colour "
        "stays, and the doubt must come before the first penalty card is drawn or another card "
        "is laid.",
        "只有下一位玩家可以質疑萬用罰抽四張牌，並要求看手牌。若不符合條件，由出牌的人改抽四張；"
        "若符合條件，質疑的人抽六張並失去回合。我們的解讀：質疑成功的人照常進行自己的回合，指定"
        "的顏色不變；必須在抽第一張罰牌或下一張牌打出之前提出。",
    ),
    "D-FRIENDSHIP": Text(
        "Everybody may discard one card, and its player two. Hands emptied by that end the "
        "round, and their holders share the win, each with the full score. Otherwise the top "
        "discard says what matches. Our reading: discarding is optional, starts with its player "
        "and goes in direction of play unless recorded otherwise; discarded cards have no "
        "effect; all discards are made before the round ends, even if this was its player's "
        "last card; if nobody discards, or a wild ends on top, its player names the colour.",
        "每個人都可以棄一張牌，出牌的人可以棄兩張。若有人因此出完手牌，這一輪結束，由他們共同獲"
        "勝，各得全部分數；否則依棄牌堆最上面的牌繼續。我們的解讀：棄不棄都可以，從出牌的人開始"
        "依出牌方向進行，另有記錄時以記錄為準；棄掉的牌沒有效果；即使這是出牌者的最後一張，也要"
        "等大家棄完才結束；沒有人棄牌，或最上面是萬用類的牌時，由出牌的人指定顏色。",
    ),
    "D-POINTS": Text(
        "Numbers are worth what they show; draw-two, reverse and skip 20 each; wild, wild draw "
        "four and wild friendship 50 each.",
        "數字牌依牌面計分；罰抽兩張牌、迴轉牌、禁止牌各 20 分；萬用牌、萬用罰抽四張牌、萬用友情"
        "牌各 50 分。",
    ),
}


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
        {**MICKEY_CLAUSES, **{f"D-{name}": text for name, text in SHARED.items()}},
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

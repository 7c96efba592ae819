"""UNO Super Mario: a star that reflects, and a block whose effect the table agrees on.

The clauses that the booklet has in common with that of mickey are in `mario_and_mickey`.
"""

from typing import Final

from scorekeeper.editions.beside_booklets import ROTATIONS, TEAM_CLAUSES, assemble, modes
from scorekeeper.editions.mario_and_mickey import SHARED
from scorekeeper.editions.shared_cards import (
    AS_AGREED,
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

MARIO_CLAUSES: Final = {
    "M-DECK": Text(
        "112 cards: in red, yellow, green and blue each 19 numbers, two draw-twos, two reverses "
        "and two skips; four wilds, four wild draw fours, two super stars and two question "
        "blocks. Our reading: each colour's numbers are one 0 and two each of 1 to 9.",
        "共 112 張：紅、黃、綠、藍四色各有 19 張數字牌、兩張罰抽兩張牌、兩張迴轉牌、兩張禁止牌；"
        "另有四張萬用牌、四張萬用罰抽四張牌、兩張無敵星星牌、兩張問號方塊牌。我們的解讀：每色的"
        "數字牌是一張 0，1 到 9 各兩張。",
    ),
    "M-UP-STAR": Text(
        "For a super star turned up first, the player to the dealer's left names the colour. "
        "Our reading: and then takes the first turn.",
        "第一張翻到無敵星星牌時，由發牌者左手邊的玩家指定顏色。我們的解讀：指定後也由他先出牌。",
    ),
    "M-UP-BLOCK": Text(
        "For a question block turned up first, the player to the dealer's left names the "
        "colour. Our reading: the agreed effect is left out, and that player takes the first "
        "turn.",
        "第一張翻到問號方塊牌時，由發牌者左手邊的玩家指定顏色。我們的解讀：事先約定的效果不執行，"
        "並由該玩家先出牌。",
    ),
    "M-NO-STACK": Text(
        "A player whom a draw-two or wild draw four hits can't pass it on with another such "
        "card; only a super star answers it.",
        "被罰抽兩張牌或萬用罰抽四張牌罰到的人，不能再疊同類的牌推給別人；只能用無敵星星牌回應。",
    ),
    "M-CHALLENGE": Text(
        "Only the next player may doubt a wild draw four, and then the hand is shown. Not "
        "allowed: its player draws the four instead. Allowed: the challenger draws six and has "
        "no turn. Our reading: a challenger who is right takes a normal turn, the named colour "
        "stays, and the doubt must come before the first penalty card is drawn, a star answers "
        "the penalty or another card is laid.",
        "只有下一位玩家可以質疑萬用罰抽四張牌，並要求看手牌。若不符合條件，由出牌的人改抽四張；"
        "若符合條件，質疑的人抽六張並失去回合。我們的解讀：質疑成功的人照常進行自己的回合，指定"
        "的顏色不變；必須在抽第一張罰牌、用星星牌回應罰抽或下一張牌打出之前提出。",
    ),
    "M-STAR": Text(
        "A wild that names a colour. Played in answer to a draw-two or wild draw four just "
        "aimed at its holder, it makes the one who aimed it draw the cards. Our reading: "
        "answering is the holder's turn and play goes on from there; the other draws but misses "
        "no turn, and can't send it back again; answering gives up the challenge, and a lost "
        "challenge gives up the answer. It also works against a partner, but not once a round "
        "is out; as the answerer's last card it ends the round, and the cards sent back are "
        "drawn and count.",
        "屬於萬用牌，可以指定顏色。對手剛對你使用罰抽兩張牌或萬用罰抽四張牌時，可以用它回應，改"
        "由對方抽那些牌。我們的解讀：回應就算是你的回合，從你繼續往下輪；對方只抽牌、不失去回合，"
        "也不能再反彈一次；回應了就不能質疑，質疑失敗後也不能再回應。對隊友也適用，但一輪結束後"
        "不能再用；若是回應者的最後一張牌，這一輪結束，對方仍要抽那些牌並計分。",
    ),
    "M-BLOCK": Text(
        "A wild that names a colour and does what the table agreed on before the match; without "
        "an agreement it is a plain wild. What it did is written down. Our reading: as "
        "somebody's last card its effect is left out, and if it empties hands, those players "
        "win the round together.",
        "屬於萬用牌，可以指定顏色，並執行賽前大家約定的效果；沒有約定時就是普通萬用牌，實際發生"
        "的效果要記錄下來。我們的解讀：作為最後一張打出時不執行效果；若效果使某些人的手牌出完，"
        "這些人共同獲勝。",
    ),
    "M-POINTS": Text(
        "Numbers are worth what they show; draw-two, reverse and skip 20 each; wild, wild draw "
        "four, super star and question block 50 each.",
        "數字牌依牌面計分；罰抽兩張牌、迴轉牌、禁止牌各 20 分；萬用牌、萬用罰抽四張牌、無敵星星"
        "牌、問號方塊牌各 50 分。",
    ),
}


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
        {**MARIO_CLAUSES, **{f"M-{name}": text for name, text in SHARED.items()}},
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

"""UNO as sold from 2025: four cards of the box have no names, and points are optional."""

from typing import Final

from scorekeeper.editions.beside_booklets import (
    LENT_TEXTS,
    ROTATIONS,
    TEAM_CLAUSES,
    assemble,
    modes,
)
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

CLASSIC_2025_CLAUSES: Final = {
    "C-DECK": Text(
        "The leaflet speaks of 112 cards without listing them. Our reading: 108 cards as in the "
        "basic game, with one 0, two each of 1 to 9 and two of each action in red, yellow, "
        "green and blue, four wilds and four wild draw fours. The other four differ from box to "
        "box: a match may name them with their points, and each is treated as a wild that does "
        "what the table writes down.",
        "說明書寫 112 張，但沒有列出張數。我們的解讀：採用基本的 108 張，即紅、黃、綠、藍各有一"
        "張 0、1 到 9 各兩張、每種行動卡各兩張，另有四張萬用卡、四張萬用抽四張卡。其餘四張各盒不"
        "同，可在開賽時寫明名稱與分數；它們視同萬用卡，效果由現場記錄。",
    ),
    "C-DEALER": Text(
        "The players choose any dealer they like.",
        "由玩家自行選出發牌者，沒有限定方法。",
    ),
    "C-DEAL": Text(
        "Seven cards go to each player. What is left lies face down as the draw pile, and its "
        "top card is turned up to begin the discard pile.",
        "每人發七張，其餘面朝下作為牌庫，再翻開最上面一張作為棄牌堆的第一張。",
    ),
    "C-FIRST": Text(
        "The player to the dealer's left has the first turn and play runs clockwise.",
        "由發牌者左手邊的玩家先出牌，順時針進行。",
    ),
    "C-UP": Text(
        "Only a number can be the first card; anything else that is turned up is ignored and "
        "the next card is turned up. Our reading: the ignored cards stay underneath in the "
        "discard pile.",
        "第一張牌只能是數字卡；翻到其他卡一律不理會，繼續翻下一張。我們的解讀：被略過的卡留在棄"
        "牌堆裡，壓在下面。",
    ),
    "C-MATCH": Text(
        "A card can be played if it shares colour, number or symbol with the top of the discard "
        "pile; after a wild, the colour that was named counts. A wild of any kind can always be "
        "played, apart from the condition on the wild draw four.",
        "出的卡要與棄牌堆最上面的卡同顏色、同數字或同符號；上面是萬用類的卡時，看的是指定的顏色。"
        "任何萬用類的卡都可以出，但萬用抽四張卡另有條件。",
    ),
    "C-DRAW": Text(
        "A player who has no card to play draws exactly one. If it fits it may be played "
        "straight away; otherwise the turn is over. Passing needs a draw first.",
        "沒有卡可出時抽一張，而且只抽一張；抽到的卡能出就可以馬上打出，否則輪到下一位。沒抽牌不"
        "能直接過。",
    ),
    "C-KEEP": Text(
        "Drawing is allowed even with a playable card in hand. After a draw, the drawn card is "
        "the only one that may be played in that turn.",
        "手上有卡可出時，也可以改為抽一張。抽牌之後，該回合只能出剛抽到的那張。",
    ),
    "C-NO-STACK": Text(
        "A player whom a draw two or wild draw four hits lays no card on it: the cards are "
        "drawn and the turn is over.",
        "被抽兩張卡或萬用抽四張卡罰到的人，不能再出牌疊上去，只能抽牌並結束回合。",
    ),
    "C-RESHUFFLE": Text(
        "When the draw pile runs out, the discard pile is shuffled to make a new one. Our "
        "reading: its top card stays where it is.",
        "牌庫用完時，把棄牌堆洗勻成為新的牌庫。我們的解讀：棄牌堆最上面那張留在原處。",
    ),
    "C-DRAW-TWO": Text(
        "The next player draws two cards and has no turn.",
        "下一位玩家抽兩張卡，並失去這個回合。",
    ),
    "C-REVERSE": Text(
        "Play runs the other way round from here.",
        "從此刻起，進行的方向反過來。",
    ),
    "C-SKIP": Text(
        "The next player's turn is left out.",
        "下一位玩家少掉一個回合，輪到再下一位。",
    ),
    "C-WILD": Text(
        "It may be laid on anything, also by a player who could match, and its player says "
        "which colour goes on; the present colour may be named again.",
        "可以出在任何卡上，即使手上還有能對應的卡；出牌的人指定接下來的顏色，也可以指定原來的顏"
        "色。",
    ),
    "C-WILD4": Text(
        "Its player says which colour goes on, and the next player draws four cards and has no "
        "turn.",
        "出牌的人指定接下來的顏色；下一位玩家抽四張卡，並失去這個回合。",
    ),
    "C-WILD4-LEGAL": Text(
        "It is honest only if its player holds no card of the current colour, and a wild in "
        "hand counts as one. Our reading: so does an extra card that plays as a wild, but "
        "another wild draw four does not.",
        "手上沒有與當前顏色相同的卡時，才能正當地出這張卡，而手上的萬用卡也算相同。我們的解讀："
        "視同萬用卡的額外卡也算，另一張萬用抽四張卡則不算。",
    ),
    "C-WILD4-BLUFF": Text(
        "It can be played even when it is not allowed: it then works in full unless the next "
        "player challenges it.",
        "不符合條件時也可以冒險打出；只要下一位玩家沒有質疑，效果就完全成立。",
    ),
    "C-CHALLENGE": Text(
        "Only the next player may challenge, and then the whole hand is shown. Not allowed: its "
        "player draws four and the challenger none. Allowed: the challenger draws six and is "
        "skipped. The named colour stays either way. Our reading: a challenger who is right "
        "takes a normal turn, and the challenge must come before the first penalty card is "
        "drawn or another card is laid.",
        "只有下一位玩家可以挑戰，出牌的人要展示全部手牌。若不符合條件，出牌的人抽四張，挑戰者不"
        "必抽；若符合條件，挑戰者抽六張並被跳過。無論結果如何，指定的顏色都不變。我們的解讀：挑"
        "戰成功的人照常進行自己的回合；必須在抽第一張罰牌或下一張卡打出之前提出。",
    ),
    "C-UNO": Text(
        "Whoever is down to one card shouts UNO. If somebody notices that it was forgotten and "
        "shouts before the next player's turn begins, two cards are drawn. Our reading: that "
        "turn begins when its player lays a card or draws one of choice, not with penalty "
        "cards, a skip or a challenge.",
        "手上剩一張卡時要喊 UNO。若忘了喊，而有人在下一位玩家的回合開始之前發現並喊出，就要抽兩"
        "張。我們的解讀：下一位出牌或為自己抽牌才算回合開始；罰抽、被跳過或挑戰都不算。",
    ),
    "C-OUT": Text(
        "As soon as a player has no cards left, the round is over.",
        "只要有玩家手上沒有卡了，這一局就結束。",
    ),
    "C-LAST": Text(
        "The leaflet is silent about a draw two or wild draw four as the last card. Our "
        "reading: its own text makes no exception, so the next player draws, and the cards "
        "count wherever points are kept.",
        "說明書沒有提到最後一張是抽兩張卡或萬用抽四張卡的情形。我們的解讀：卡片本身的說明沒有例"
        "外，所以下一位玩家照抽；有計分時一併計入。",
    ),
    "C-POINTS": Text(
        "Numbers are worth what they show; draw two, reverse and skip 20 each; wild and wild "
        "draw four 50 each. Our reading: an extra card is worth what the match says.",
        "數字卡依牌面計分；抽兩張卡、反轉卡、跳過卡各 20 分；萬用卡、萬用抽四張卡各 50 分。我們"
        "的解讀：額外卡的分數以開賽時寫明的為準。",
    ),
    "C-SCORE": Text(
        "If the table wants to keep points: the winner of a round scores what all other hands "
        "are worth, and the first to stand at 500 or more wins.",
        "若要計分：每局的贏家得到其他所有人手牌的總分，最先累積到 500 分的人獲勝。",
    ),
    "C-FIRST-OUT": LENT_TEXTS["C-FIRST-OUT"],
}


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
        CLASSIC_2025_CLAUSES,
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

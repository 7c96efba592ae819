"""The clauses that only the booklet of mickey has."""

from typing import Final

from scorekeeper.rules.text import Text

MICKEY: Final = {
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

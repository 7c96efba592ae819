"""Our own readings, where the booklets are silent or ambiguous."""

from typing import Final

from scorekeeper.rules.text import Text

READINGS: Final = {
    "X-DEALER-TIE": Text(
        "Our reading for all editions: those who share the highest number in the draw for the "
        "dealer draw again among themselves.",
        "我們的解讀，適用所有版本：抽牌決定發牌者時，並列最大的人之間再抽一次。",
    ),
    "X-NEXT-DEALER": Text(
        "Our reading where a booklet, or a round without a winner, leaves it open: the deal "
        "passes to the left. A dealer whom the table records always prevails, and the player to "
        "that dealer's left begins.",
        "我們的解讀，適用說明書沒有規定或該輪沒有贏家的情形：由左邊的人接著發牌。現場記錄的發牌"
        "者一律優先，並由其左手邊的玩家開始。",
    ),
    "X-RESHUFFLE-WHEN": Text(
        "Our reading for all editions: the piles are renewed at the moment a card is needed, "
        "even halfway through a penalty or for a last card's draw, and the named colour stays. "
        "If nothing is left to renew, a forced draw gets what there is and an ordinary draw "
        "becomes a pass.",
        "我們的解讀，適用所有版本：需要抽牌而牌不夠時就立刻洗牌補充，罰抽到一半或最後一張牌造成"
        "的罰抽也一樣，指定的顏色不變。若連棄牌也用完，罰抽有幾張抽幾張，一般抽牌則視為過。",
    ),
    "X-LAST-CHALLENGE": Text(
        "Our reading for all editions: a wild draw four laid as the last card can't be guilty, "
        "so whoever challenges it loses the challenge.",
        "我們的解讀，適用所有版本：作為最後一張打出的萬用抽四張一律算合法，質疑它的人必定失敗。",
    ),
    "X-UNO": Text(
        "Our reading for all editions: a player owes UNO each time the hand shrinks to a single "
        "card, in whatever way, but not when it shrinks to none at once. A late call counts "
        "until somebody catches it, a hand that grew to two owes a new call, a wrong catch "
        "costs nothing, and the end of the round settles everything. Unless the booklet lets "
        "the next turn's beginning close the time for a catch, only the next card that anybody "
        "lays does, no draw and no skip.",
        "我們的解讀，適用所有版本：手牌不論以何種方式減到剛好一張，就要喊 UNO；直接出完則不必。"
        "被抓到之前補喊都算數，手牌回到兩張後要重新喊，抓錯人不罰，一輪結束後全部不再追究。除非"
        "說明書以下一位玩家開始回合為準，否則只有下一張打出的牌會讓抓人的時機結束，抽牌或跳過都"
        "不會。",
    ),
    "X-MISPLAY": Text(
        "The booklet does not say what a card that does not match costs. Our reading: it is "
        "taken back together with all it caused, without a penalty, and its player has the turn "
        "again, to match or to draw.",
        "說明書沒有說明出錯牌的罰則。我們的解讀：把牌收回，它造成的一切效果都取消，不另處罰；該"
        "玩家仍要出一張對應的牌或抽牌。",
    ),
    "X-MISPLAY-WHEN": Text(
        "Our reading for all editions: once the next player has acted it is too late to call a "
        "misplay. A wild draw four that is not allowed is no misplay; only a challenge deals "
        "with it.",
        "我們的解讀，適用所有版本：下一位玩家行動之前都可以指出出錯牌。不符合條件的萬用抽四張不"
        "算出錯牌，只能用質疑處理。",
    ),
    "X-TWO": Text(
        "The booklet has nothing about two players. Our reading: a reverse then works like a "
        "skip, so that its player goes again.",
        "說明書沒有兩人對戰的規定。我們的解讀：此時迴轉的效果與跳過相同，由同一人再出。",
    ),
    "X-LAST": Text(
        "Our reading for all editions: a wild laid as the last card needs no colour, and a "
        "reverse or skip laid last does nothing. After it nothing can be called or caught any "
        "more; only the draw that a last card forces still counts.",
        "我們的解讀，適用所有版本：最後一張是萬用類的牌時不必指定顏色，是迴轉或跳過時沒有效果。"
        "此後不能再喊牌或抓人，只有最後一張牌造成的罰抽仍然算數。",
    ),
    "X-TURN": Text(
        "A rule of this scorekeeper, of no booklet: only the player on turn may move.",
        "本記分系統的規定，並非出自說明書：只有輪到的玩家才能行動。",
    ),
    "X-COUNT": Text(
        "A rule of this scorekeeper, of no booklet: the number of cards told for a hand must "
        "agree with what the book has recorded.",
        "本記分系統的規定，並非出自說明書：回報的手牌張數必須與先前的記錄相符。",
    ),
    "X-TIE": Text(
        "Our reading for all editions: if several players pass the target in one round, the "
        "best total of them wins, and equal totals share the win.",
        "我們的解讀，適用所有版本：同一輪有多人達到目標時，成績最好的人獲勝；成績相同則共同獲勝。",
    ),
    "X-JOINT": Text(
        "Our reading for all editions: a round has several winners only through a wild "
        "friendship, a question block or an extra card. Winners of opposing teams each score "
        "the other's hands, winners of one team score once, and where the winner deals next, it "
        "is whichever of them comes first as play runs.",
        "我們的解讀，適用所有版本：只有萬用友情牌、問號方塊牌或額外卡能讓一輪出現多位贏家。分屬"
        "敵對隊伍時各得對方的手牌分數，同隊時只計一次；由贏家發牌的版本，下一輪由出牌方向上的第"
        "一位發牌。",
    ),
    "X-TEAM": Text(
        "Our reading where the basic game's way is not chosen: when the winner of a round "
        "collects, only the other team's hands go to the team, and the partner's cards count "
        "for nobody. Either way of team scoring can be chosen in any edition; partners sit half "
        "a table apart, so the number of players is even.",
        "我們的解讀，適用不採基本版組隊計分的情形：由贏家收分時，隊伍只得敵隊的手牌分數，隊友的"
        "牌不計。任何版本都可以選擇兩種組隊計分之一；隊友相隔半張桌子對坐，因此人數必須是偶數。",
    ),
    "X-ROTATE": Text(
        "Our reading of the rotation: in a cycle every two players are partners once and "
        "opponents twice. For each four rounds the schedule names seats and dealers: one pair "
        "deals the first two, then the other pair trade seats and deal the last two, so "
        "everybody deals once.",
        "我們對輪換隊友的解讀：一個循環中，任兩人當一次隊友、兩次對手。每四局由賽程排定座位與發"
        "牌者：一隊先發前兩局，接著另一隊互換座位並發後兩局，所以每人各發一次。",
    ),
}

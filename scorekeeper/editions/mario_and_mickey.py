"""The texts of the clauses that mario and mickey share, by clause id without the edition's letter.

For example, `DEALER` stands for M-DEALER and D-DEALER.
"""

from typing import Final

from scorekeeper.rules.clauses import Text

SHARED: Final = {
    "DEALER": Text(
        "Everybody draws a card and the highest number deals; a card without a number counts "
        'zero, like a 0. The "starting player" of the booklet\'s setup is this dealer.',
        "每人抽一張，數字最大的人發牌；沒有數字的牌算 0，與數字 0 相同。說明書在準備階段寫的「起"
        "始玩家」就是發牌者。",
    ),
    "DEAL": Text(
        "Seven cards go to each player. What is left lies face down as the draw pile, and its "
        "top card is turned up to begin the discard pile.",
        "每人發七張，其餘面朝下作為抽牌堆，再翻開最上面一張作為棄牌堆的第一張。",
    ),
    "FIRST": Text(
        "The player to the dealer's left has the first turn and play runs clockwise, unless the "
        "turned-up card changes that.",
        "由發牌者左手邊的玩家先出牌，順時針進行；翻開的第一張牌另有效果時除外。",
    ),
    "UP-NUMBER": Text(
        "A number turned up first has no effect: the player to the dealer's left plays on it.",
        "第一張翻到數字牌時沒有特殊效果，由發牌者左手邊的玩家接著出牌。",
    ),
    "UP-DRAW-TWO": Text(
        "The booklet does not say what a draw-two turned up first does. Our reading: the player "
        "to the dealer's left draws two and loses the turn; with two players the dealer then "
        "begins. Nothing can be laid on it to send the two cards back.",
        "說明書沒有說明第一張翻到罰抽兩張牌時如何處理。我們的解讀：發牌者左手邊的玩家抽兩張並失"
        "去這個回合；兩人對戰時改由發牌者先出牌。這兩張罰抽不能用任何牌擋回去。",
    ),
    "UP-REVERSE": Text(
        "The booklet does not say what a reverse turned up first does. Our reading: the dealer "
        "has the first turn and play runs to the right; with two players the dealer simply "
        "begins.",
        "說明書沒有說明第一張翻到迴轉牌時如何處理。我們的解讀：由發牌者先出牌，然後往右手邊輪；"
        "兩人對戰時就是發牌者先出牌。",
    ),
    "UP-SKIP": Text(
        "The booklet does not say what a skip turned up first does. Our reading: the player to "
        "the dealer's left is passed over and the next one begins; with two players that is the "
        "dealer.",
        "說明書沒有說明第一張翻到禁止牌時如何處理。我們的解讀：跳過發牌者左手邊的玩家，由再下一"
        "位開始；兩人對戰時就是發牌者。",
    ),
    "UP-WILD": Text(
        "For a wild turned up first, the player to the dealer's left names the colour. Our "
        "reading: and then takes the first turn.",
        "第一張翻到萬用牌時，由發牌者左手邊的玩家指定顏色。我們的解讀：指定後也由他先出牌。",
    ),
    "UP-WILD4": Text(
        "A wild draw four turned up first is put under the draw pile, and another card is "
        "turned up in its place.",
        "第一張翻到萬用罰抽四張牌時，把它放到抽牌堆最底下，另翻一張代替。",
    ),
    "MATCH": Text(
        "A card can be played if it shares colour, number or action symbol with the top of the "
        "discard pile; after a wild, the colour that was named counts. A wild of any kind can "
        "always be played, apart from the condition on the wild draw four.",
        "出的牌要與棄牌堆最上面的牌同顏色、同數字或同功能；上面是萬用類的牌時，看的是指定的顏色。"
        "任何萬用類的牌都可以出，但萬用罰抽四張牌另有條件。",
    ),
    "DRAW": Text(
        "A player who has no card to play draws exactly one. If it fits it may be played "
        "straight away; otherwise the turn is over. Passing needs a draw first.",
        "沒有牌可出時抽一張，而且只抽一張；抽到的牌能出就可以馬上出，否則回合結束。沒抽牌不能直"
        "接過。",
    ),
    "KEEP": Text(
        "Drawing is allowed even with a playable card in hand. After a draw, the drawn card is "
        "the only one that may be played in that turn.",
        "手上有牌可出時，也可以選擇抽牌。抽牌之後，該回合只能出剛抽到的那張，不能改出原本的手牌。",
    ),
    "RESHUFFLE": Text(
        "When the draw pile runs out, the discard pile is shuffled to make a new one. Our "
        "reading: its top card stays where it is.",
        "抽牌堆用完時，把棄牌堆洗勻成為新的抽牌堆。我們的解讀：棄牌堆最上面那張留在原處。",
    ),
    "DRAW-TWO": Text(
        "The next player draws two cards and has no turn.",
        "下一位玩家抽兩張牌，而且這個回合不能出牌。",
    ),
    "REVERSE": Text(
        "Play runs the other way round from here.",
        "從此刻起，出牌的方向反過來。",
    ),
    "SKIP": Text(
        "The next player's turn is left out.",
        "下一位玩家少掉一個回合，輪到再下一位。",
    ),
    "WILD": Text(
        "It may be laid on anything, also by a player who could match, and its player says "
        "which colour goes on; the present colour may be named again.",
        "可以出在任何牌上，即使手上還有能對應的牌；出牌的人指定接下來的顏色，也可以指定原來的顏"
        "色。",
    ),
    "WILD4": Text(
        "Its player says which colour goes on, and the next player draws four cards and has no "
        "turn.",
        "出牌的人指定接下來的顏色；下一位玩家抽四張牌，而且這個回合不能出牌。",
    ),
    "WILD4-LEGAL": Text(
        "It is honest only if its player holds no other card of the current colour. Our "
        "reading: matching numbers or symbols in other colours, and wilds of any kind, do not "
        "count against it, although the note on challenges speaks of other playable cards.",
        "手上沒有其他與當前顏色相同的牌時，才能正當地出這張牌。我們的解讀：雖然質疑的附註寫的是"
        "其他可出的牌，但別種顏色的同數字、同功能牌，以及任何萬用類的牌，都不算違規。",
    ),
    "WILD4-BLUFF": Text(
        "It can be played even when it is not allowed: it then works in full unless the next "
        "player challenges it.",
        "不符合條件時也可以冒險打出；只要下一位玩家沒有質疑，效果就完全成立。",
    ),
    "UNO": Text(
        "Playing the second-to-last card calls for a shout of UNO. Whoever forgets it and is "
        "caught before the next player lays a card draws two.",
        "打出倒數第二張牌時要喊 UNO。忘記喊，而且在下一位玩家出牌之前被抓到的人，抽兩張。",
    ),
    "OUT": Text(
        "As soon as a player has no cards left, the round is over.",
        "只要有玩家手上沒有牌了，這一輪就結束。",
    ),
    "LAST": Text(
        "A draw-two or wild draw four laid as the last card still makes the next player draw "
        "its two or four, and those cards count when the hands are added up.",
        "最後一張出的是罰抽兩張牌或萬用罰抽四張牌時，下一位玩家仍要抽兩張或四張，結算時一併計入。",
    ),
    "SCORE": Text(
        "The winner of a round scores what all other hands are worth, and the first to stand at "
        "500 or more wins the match.",
        "每輪的贏家得到其他所有人手牌的總分，最先累積到 500 分的人贏得比賽。",
    ),
    "ALT": Text(
        "The other way to keep score: after every round each player writes down what the own "
        "hand is worth. Once somebody has reached 500, the lowest total wins.",
        "另一種計分：每輪結束後，各人記下自己剩餘手牌的分數；一旦有人累積到 500 分，總分最低的人"
        "獲勝。",
    ),
}

"""What every edition has beside its booklet: our own readings, and clauses of other booklets.

The readings hold where the booklets are silent or ambiguous. An edition borrows the clauses of the
scoring modes that its booklet does not have, because every edition can be played in each of the
five. It borrows those of team play and of rotating partners as well.
"""

from collections.abc import Mapping
from typing import Final

from scorekeeper.editions.mario_and_mickey import SHARED
from scorekeeper.rules.clauses import READING, Cited, Clause, Text
from scorekeeper.rules.edition import ModeDefault, TeamScoring
from scorekeeper.rules.parameters import Rotation

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


LENT_MODES: Final[Mapping[str, str]] = {
    "winner-collects": "M-SCORE",
    "lowest-total": "B-SCORE",
    "plus-minus": "H-PLUSMINUS",
    "elimination": "H-ELIMINATION",
    "first-out": "C-FIRST-OUT",
}
"""The clause that an edition borrows for a scoring mode that its booklet does not have."""

LENT_TEXTS: Final[Mapping[str, Text]] = {
    "B-SCORE": Text(
        "After every round each player adds up what is left in the own hand. Once somebody has "
        "reached 500, the match is over and the lowest total wins.",
        "每局結束後，各人把自己剩下的手牌分數累加；一旦有人累積到 500 分，比賽結束，總分最低的人"
        "是冠軍。",
    ),
    "H-PLUSMINUS": Text(
        "The winner of a round scores what the other hands are worth, and everybody else loses "
        "the worth of the own hand. After the agreed number of rounds, five in the booklet's "
        "example, the highest total wins.",
        "每回合的贏家加上其他人手牌的總分，其他人各扣自己手牌的分數。打完約定的回合數（說明書的"
        "例子是五回合）後，總分最高的人獲勝。",
    ),
    "H-ELIMINATION": Text(
        "A player caught over a forgotten UNO or a false King can have the hand of that moment "
        "counted as minus points; beyond 500 in all they leave, and of the last two the first "
        "to reach 500 loses. Our reading: what is left in hand after each round counts too; a "
        "catch is counted before its penalty cards and without the King, or not at all if the "
        "table says so; whoever leaves stays out of the match; entering the duel at exactly 500 "
        "has lost; a last player left wins at once; it is not played in teams.",
        "漏喊 UNO 被抓到，或違規出王牌被識破時，可以把當下手牌的分數記為扣分；累計超過 500 分就"
        "退出，最後兩人對決時先到 500 分的人輸。我們的解讀：回合結束時的剩餘手牌也記入；被抓時的"
        "手牌在罰抽之前計算，不含那張王牌，也可以約定不計；退出的人整場比賽不再加入；進入對決時"
        "剛好 500 分就算輸；只剩一人時立即獲勝；不適用於組隊。",
    ),
    "C-FIRST-OUT": Text(
        "Without points, whoever plays the last card wins. Our reading: a match is one round "
        "unless the opening says more, and then the most rounds won decide.",
        "不計分時，先打完手牌的人獲勝。我們的解讀：除非開賽時另外指定，一場比賽就是一局；指定多"
        "局時，贏得最多局的人獲勝。",
    ),
    "B-TEAM": Text(
        "Two partners face each other across the table. When a hand is empty, the cards left "
        "with both partners add up to their team's score, those of the winner's partner too. "
        "Our reading: the target is the team's, and the lowest total wins.",
        "兩人一隊，隊友相對而坐。有人出完手牌時，把同隊兩人剩下的牌加起來作為該隊分數，贏家隊友"
        "的牌也算在內。我們的解讀：目標分數以隊計算，總分最低的隊伍獲勝。",
    ),
    "B-ROTATE-4": Text(
        "Four players: each of the other three sits opposite in turn, for four rounds, so a "
        "cycle has 12 rounds, and several cycles may be played. Each player's own column adds "
        "the team's score of every round. Our reading: the lowest column wins.",
        "四位玩家時，其他三人輪流坐到對面，每位隊友打四局，一個循環共 12 局，可以打好幾個循環。"
        "每人的分數欄累加自己所屬隊伍每局的分數。我們的解讀：總分最低的人是冠軍。",
    ),
    "B-ROTATE-8": Text(
        "Eight players at two tables: each of the other seven is the partner in turn, for four "
        "rounds, so a cycle has 28 rounds, and the totals decide.",
        "八位玩家分成兩桌，每人輪流與其他七人各搭檔四局，一個循環共 28 局，以總分決定冠軍。",
    ),
}
"""The texts of the clauses that only one booklet has and that the other editions borrow.

The edition of that booklet uses the same texts. The text of M-SCORE is in `mario_and_mickey`.
"""

_LENT: Final = (
    Clause("M-SCORE", SHARED["SCORE"], "mario"),
    Clause("B-SCORE", LENT_TEXTS["B-SCORE"], "basic"),
    Clause("H-PLUSMINUS", LENT_TEXTS["H-PLUSMINUS"], "hello-kitty"),
    Clause("H-ELIMINATION", LENT_TEXTS["H-ELIMINATION"], "hello-kitty"),
    Clause("C-FIRST-OUT", LENT_TEXTS["C-FIRST-OUT"], "classic-2025"),
    Clause("B-TEAM", LENT_TEXTS["B-TEAM"], "basic"),
    Clause("B-ROTATE-4", LENT_TEXTS["B-ROTATE-4"], "basic"),
    Clause("B-ROTATE-8", LENT_TEXTS["B-ROTATE-8"], "basic"),
)
"""The clauses that an edition borrows if its own booklet does not have them."""

_ENDS: Final[Mapping[str, tuple[int | None, int | None, TeamScoring | None]]] = {
    "winner-collects": (500, None, "opponents-hands"),
    "lowest-total": (500, None, "own-hands"),
    "plus-minus": (None, None, None),
    "elimination": (500, None, None),
    "first-out": (None, 1, None),
}
"""The default target, number of rounds, and team scoring of each scoring mode."""

TEAM_CLAUSES: Final[Mapping[TeamScoring, str]] = {
    "own-hands": "B-TEAM",
    "opponents-hands": "X-TEAM",
}

ROTATIONS: Final = (
    Cited(Rotation(players=4, tables=1, rounds_with_each=4, rounds=12), "B-ROTATE-4"),
    Cited(Rotation(players=8, tables=2, rounds_with_each=4, rounds=28), "B-ROTATE-8"),
)


def assemble(
    source: str, own: Mapping[str, Text], *, modes: Mapping[str, str], without: frozenset[str]
) -> tuple[Clause, ...]:
    """Return the clauses of an edition: the booklet's own, the readings, and the borrowed ones.

    `own`: the texts of the booklet's own clauses, by id. `modes`: the scoring modes that the
    booklet has itself, with their clauses. The edition borrows no other clause for these modes.
    `without`: the readings that the edition does not need, because its booklet has a rule.
    """
    replaced = {LENT_MODES[mode] for mode in modes}
    return (
        *(Clause(clause_id, text, source) for clause_id, text in own.items()),
        *(Clause(i, text, READING) for i, text in READINGS.items() if i not in without),
        *(c for c in _LENT if c.id not in replaced and c.id not in own),
    )


def modes(own: Mapping[str, str]) -> Mapping[str, ModeDefault]:
    """Return how an edition plays each scoring mode.

    `own`: the modes that the booklet has itself, with their clauses. The others are borrowed.
    """
    return {
        mode: ModeDefault(
            clause=own.get(mode, LENT_MODES[mode]),
            target=target,
            rounds=rounds,
            team_scoring=team_scoring,
            borrowed=mode not in own,
        )
        for mode, (target, rounds, team_scoring) in _ENDS.items()
    }

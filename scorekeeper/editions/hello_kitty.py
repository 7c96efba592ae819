"""UNO Hello Kitty: the King is taken back, ribbons discard red cards, hands are exchanged."""

from typing import Final

from scorekeeper.editions.beside_booklets import (
    LENT_TEXTS,
    ROTATIONS,
    TEAM_CLAUSES,
    assemble,
    modes,
)
from scorekeeper.editions.shared_cards import (
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

HELLO_KITTY_CLAUSES: Final = {
    "H-DECK": Text(
        "112 cards: in red, yellow, green and blue each 19 numbers, two draw-twos, two reverses "
        "and two skips; four wilds, four Kings, two red ribbons and two swap cards. Our "
        "reading: each colour's numbers are one 0 and two each of 1 to 9. The King is the wild "
        "draw four of the other boxes.",
        "共 112 張：紅、黃、綠、藍四色各有 19 張數字牌、兩張罰抽兩張牌、兩張反轉牌、兩張阻擋牌；"
        "另有四張萬用牌、四張王牌、兩張紅色緞帶牌、兩張交換牌。我們的解讀：每色的數字牌是一張 0，"
        "1 到 9 各兩張。王牌就是其他版本的萬用抽四張。",
    ),
    "H-DEALER": Text(
        "Everybody draws a card and the highest number deals; action cards count zero. Our "
        "reading: so do wilds and special cards.",
        "每人抽一張，數字最大的人發牌；動作牌算 0。我們的解讀：萬用牌與特殊牌也算 0。",
    ),
    "H-DEAL": Text(
        "Seven cards go to each player. What is left lies face down as the draw pile, and its "
        "top card is turned up as the first card.",
        "每人發七張，其餘面朝下作為抽牌堆，再翻開最上面一張作為第一張牌。",
    ),
    "H-FIRST": Text(
        "The player to the dealer's left has the first turn and play runs clockwise, unless the "
        "turned-up card changes that.",
        "由發牌人左手邊的玩家先出牌，順時針進行；翻開的第一張牌另有效果時除外。",
    ),
    "H-NEXT-DEALER": Text(
        "Whoever wins a round deals the next one.",
        "贏得這一回合的人擔任下一回合的發牌人。",
    ),
    "H-UP-NUMBER": Text(
        "A number turned up first has no effect: the player to the dealer's left plays on it.",
        "第一張翻到數字牌時沒有特殊效果，由發牌人左手邊的玩家接著出牌。",
    ),
    "H-UP-DRAW-TWO": Text(
        "For a draw-two turned up first, the player to the dealer's left draws two and the turn "
        "passes on; with two players that is to the dealer.",
        "第一張翻到罰抽兩張牌時，發牌人左手邊的玩家抽兩張，隨即換下一位；兩人同樂時就是發牌人。",
    ),
    "H-UP-REVERSE": Text(
        "For a reverse turned up first, the dealer has the first turn and play runs to the "
        "right; with two players the dealer simply begins.",
        "第一張翻到反轉牌時，由發牌人先出牌，然後往右手邊輪；兩人同樂時就是發牌人先出牌。",
    ),
    "H-UP-SKIP": Text(
        "For a skip turned up first, the player to the dealer's left is passed over and the "
        "second to the left begins; with two players that is the dealer.",
        "第一張翻到阻擋牌時，跳過發牌人左手邊的玩家，由左邊第二位開始；兩人同樂時就是發牌人。",
    ),
    "H-UP-WILD": Text(
        "For a wild turned up first, the player to the dealer's left names a colour and takes "
        "the first turn.",
        "第一張翻到萬用牌時，由發牌人左手邊的玩家指定顏色並先出牌。",
    ),
    "H-UP-WILD4": Text(
        "A King turned up first goes back into the draw pile and the next card is the first. "
        "Our reading: it goes to the bottom.",
        "第一張翻到王牌時要放回抽牌堆，改用下一張作為第一張牌。我們的解讀：放到最底下。",
    ),
    "H-UP-RIBBON": Text(
        "A red ribbon turned up first goes back into the draw pile and another card is turned "
        "up. Our reading: it goes to the bottom.",
        "第一張翻到紅色緞帶牌時要放回抽牌堆，另翻一張。我們的解讀：放到最底下。",
    ),
    "H-UP-SWAP": Text(
        "A swap card turned up first goes back into the draw pile and another card is turned "
        "up. Our reading: it goes to the bottom.",
        "第一張翻到交換牌時要放回抽牌堆，另翻一張。我們的解讀：放到最底下。",
    ),
    "H-MATCH": Text(
        "A card can be played if it shares colour, number or kind of action with the top of the "
        "pile; after a card that names a colour, that colour counts. Wild, red ribbon and swap "
        "can be laid on anything, and so can a King that its condition allows.",
        "出的牌要與牌堆最上面的牌同顏色、同數字或同種動作；上面是能指定顏色的牌時，看的是指定的"
        "顏色。萬用牌、紅色緞帶牌、交換牌可以出在任何牌上；王牌也可以，但另有條件。",
    ),
    "H-DRAW": Text(
        "A player who has no card to play draws exactly one. If it fits it may be played "
        "straight away; otherwise the next player is on turn. Passing needs a draw first.",
        "沒有牌可出時抽一張，而且只抽一張；抽到的牌能出就可以馬上出，否則換下一位。沒抽牌不能直"
        "接過。",
    ),
    "H-KEEP": Text(
        "Drawing with a playable card in hand breaks the rule but may be done in silence: it is "
        "noted and costs nothing. The drawn card may be played or kept; what was in the hand "
        "before has to wait for another turn. Our reading: wilds, special cards and an allowed "
        "King count as playable.",
        "手上有牌可出卻抽牌是違規，但可以不動聲色地做，只會被註記而不處罰。抽到的牌可以出也可以"
        "留，但該回合不能改出原本的手牌。我們的解讀：萬用牌、特殊牌與符合條件的王牌都算可以出的"
        "牌。",
    ),
    "H-NO-STACK": Text(
        "A player whom a draw-two or a King hits lays no card on it: the cards are drawn and "
        "the turn is over.",
        "被罰抽兩張牌或王牌罰到的人，不能再出牌疊上去，只能抽牌並結束回合。",
    ),
    "H-RESHUFFLE": Text(
        "When the draw pile runs out, the used cards become the new one. Our reading: they are "
        "shuffled, and the top card stays where it is.",
        "抽牌堆用完時，用過的牌成為新的抽牌堆。我們的解讀：先洗勻，最上面那張留在原處。",
    ),
    "H-DRAW-TWO": Text(
        "The next player draws two cards and can't play.",
        "下一位玩家抽兩張牌，而且不能出牌。",
    ),
    "H-REVERSE": Text(
        "Play runs the other way round from here.",
        "從此刻起，出牌的順序反過來。",
    ),
    "H-SKIP": Text(
        "The next player's turn is left out.",
        "下一位玩家少掉一個回合，輪到再下一位。",
    ),
    "H-WILD": Text(
        "It may be laid on anything, also by a player who could match, and its player says "
        "which colour goes on; the present colour may be named again.",
        "可以出在任何牌上，即使手上還有能對應的牌；出牌的人指定接下來的顏色，也可以指定原來的顏"
        "色。",
    ),
    "H-WILD4": Text(
        "The King: its player says which colour goes on, and the next player draws four cards "
        "and is passed over.",
        "王牌：出牌的人指定接下來的顏色；下一位玩家抽四張牌，並被跳過。",
    ),
    "H-WILD4-LEGAL": Text(
        "A King is honest only if its player holds nothing else to play: no fitting colour, "
        "number or action, no wild, no red ribbon, no swap. Our reading: another King does not "
        "count.",
        "手上完全沒有其他牌可出時，才能正當地出王牌：沒有合適的顏色、數字或動作，也沒有萬用牌、"
        "紅色緞帶牌、交換牌。我們的解讀：另一張王牌不算。",
    ),
    "H-WILD4-BLUFF": Text(
        "A King can be played even when it is not allowed: it then works in full unless the "
        "next player challenges it.",
        "不符合條件時也可以冒險打出王牌；只要下一位玩家沒有挑戰，效果就完全成立。",
    ),
    "H-CHALLENGE": Text(
        "Only the next player may challenge a King. Not allowed: it goes back to the hand and "
        "its player draws four. Allowed: the challenger draws six and has no turn. Our reading: "
        "the hand is shown to the challenger alone; after a King is taken back, the earlier top "
        "card and colour hold again, the challenger plays, and an UNO owed for that play "
        "lapses. The challenge must come before the first penalty card is drawn or another card "
        "is laid.",
        "只有下一位玩家可以挑戰王牌。若不符合條件，王牌收回手中，出牌的人抽四張；若符合條件，挑"
        "戰者抽六張並失去回合。我們的解讀：手牌只給挑戰者看；收回王牌後，恢復先前最上面的牌與顏"
        "色，由挑戰者出牌，那次出牌的 UNO 也不再追究。必須在抽第一張罰牌或下一張牌打出之前提出。",
    ),
    "H-RIBBON": Text(
        "A wild that names a colour; with it its player may put off every red card of the hand, "
        "the ribbon on top. Our reading: any number of them, also none; they have no effect of "
        "their own, and another ribbon is not red.",
        "屬於萬用牌，可以指定顏色；出牌的人可以把手上的紅色牌一起丟掉，緞帶牌放在最上面。我們的"
        "解讀：要丟幾張都可以，不丟也行；丟掉的牌沒有效果，另一張緞帶牌不算紅色。",
    ),
    "H-SWAP": Text(
        "A wild that names a colour; all hands are exchanged with the neighbours to the left, "
        "and a one-card hand has to be called UNO at once or costs two cards. Our reading: each "
        "takes over the left neighbour's hand by seating, whatever the direction of play, "
        "unless another exchange is recorded; earlier UNO debts lapse, and if it is laid last "
        "the round is over and nothing is exchanged.",
        "屬於萬用牌，可以指定顏色；每個人都和左邊的人交換全部手牌，拿到只剩一張的手牌要立刻喊 UN"
        "O，否則抽兩張。我們的解讀：依座位接收左邊鄰座的手牌，與出牌方向無關，另有記錄時以記錄為"
        "準；之前漏喊的 UNO 不再追究；作為最後一張打出時，回合先結束、不交換。",
    ),
    "H-UNO": Text(
        "UNO is called before the second-to-last card is laid, and whenever one card is left. "
        "Whoever forgets it and is pointed out before the next player lays a card draws two; "
        "unnoticed, it costs nothing.",
        "要出倒數第二張牌之前，以及手上剩一張牌的任何時候，都要喊 UNO。忘記喊，而且在下一位玩家"
        "出牌之前被指出的人抽兩張；沒被發現就不罰。",
    ),
    "H-MISPLAY": Text(
        "Once another player points out a card that does not fit, it goes back to the hand; its "
        "player draws two cards and the turn passes.",
        "出錯牌被其他玩家指出時，要把牌收回手中，抽兩張牌，直接換下一位。",
    ),
    "H-ACCUSE": Text(
        "Whoever remarks that a drawing player holds a playable card draws two, whether it is "
        "true or not. Our reading: it costs no turn.",
        "指稱抽牌的人其實有牌可出，不管說得對不對，開口的人都要抽兩張。我們的解讀：不會因此失去"
        "回合。",
    ),
    "H-TWO": Text(
        "With two players a reverse works like a skip, and after skip, draw-two, King or swap "
        "its player goes again once the effect is done. Our reading: the special card of the "
        "booklet's third point is the red ribbon: after laying off, its player gives the other "
        "one card, if any is left, and the other is on turn; giving away the last card wins.",
        "兩人同樂時，反轉牌與阻擋牌效果相同；出了阻擋牌、罰抽兩張牌、王牌或交換牌，效果結束後由"
        "同一人再出。我們的解讀：說明書第三點的特殊牌是指紅色緞帶牌：丟完紅色牌後，手上還有牌就"
        "給對方一張，然後輪到對方；送出最後一張牌就獲勝。",
    ),
    "H-OUT": Text(
        "The round is over once somebody has played all cards. Our reading: the one sentence "
        "that ends it already at the call of UNO is a slip, since others say played out.",
        "有人把牌全部出完，這一回合就結束。我們的解讀：說明書有一句寫喊 UNO 時就結束，應是筆誤，"
        "因為其他地方都寫出完牌。",
    ),
    "H-LAST": Text(
        "A draw-two or a King laid as the last card still makes the next player draw its two or "
        "four. Our reading: those cards count when the hands are added up.",
        "最後一張出的是罰抽兩張牌或王牌時，下一位玩家仍要抽兩張或四張。我們的解讀：結算時一併計"
        "入。",
    ),
    "H-POINTS": Text(
        "Numbers are worth what they show; draw-two, reverse and skip 20 each; wild, King, red "
        "ribbon and swap 50 each.",
        "數字牌依牌面計分；罰抽兩張牌、反轉牌、阻擋牌各 20 分；萬用牌、王牌、紅色緞帶牌、交換牌"
        "各 50 分。",
    ),
    "H-SCORE-500": Text(
        "By the international rule of the booklet: the winner of a round scores what all other "
        "hands are worth, and the first to stand at 500 or more wins, after however many rounds.",
        "依說明書所說的國際規則：每回合的贏家得到其他所有人手牌的總分，不論打幾回合，最先累積到 "
        "500 分的人獲勝。",
    ),
    "H-PLUSMINUS": LENT_TEXTS["H-PLUSMINUS"],
    "H-ELIMINATION": LENT_TEXTS["H-ELIMINATION"],
}


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
        HELLO_KITTY_CLAUSES,
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

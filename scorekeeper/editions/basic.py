"""UNO, the basic game of 108 cards: the lowest total wins; partners, and rotating partners."""

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

BASIC_CLAUSES: Final = {
    "B-DECK": Text(
        "108 cards: in red, yellow, green and blue each one 0, two each of 1 to 9, two draw "
        "twos, two reverses and two skips; four wilds and four wild draw fours.",
        "共 108 張：紅、黃、綠、藍四色各有一張 0、1 到 9 各兩張，以及抽兩張、反轉、跳過各兩張；"
        "另有四張顏色指定、四張抽四張。",
    ),
    "B-DEALER": Text(
        "Everybody draws a card and the highest number deals. A lettered card has no number at "
        "all, so whoever draws one can't deal, and even a 0 beats it. Our reading: if all draw "
        "lettered cards, all draw again.",
        "每人抽一張，點數最高的人當莊家。字面牌沒有點數，抽到的人不能當莊家，連 0 都比它大。我們"
        "的解讀：若全部都抽到字面牌，就全部重抽。",
    ),
    "B-DEAL": Text(
        "Seven cards go to each player. What is left lies face down as the draw pile, and its "
        "top card is turned up as the lead card.",
        "每人發七張，其餘面朝下作為牌堆，再翻開最上面一張當引牌。",
    ),
    "B-FIRST": Text(
        "The player to the dealer's left has the first turn and play runs clockwise, unless the "
        "turned-up card changes that.",
        "由莊家左手邊的玩家先出牌，順時鐘進行；引牌另有效果時除外。",
    ),
    "B-UP-NUMBER": Text(
        "A number turned up first has no effect: the player to the dealer's left plays on it.",
        "引牌是數字牌時沒有特殊效果，由莊家左手邊的玩家接著出牌。",
    ),
    "B-UP-DRAW-TWO": Text(
        "For a draw two turned up first, the player to the dealer's left draws two and the turn "
        "passes on; with two players that is to the dealer.",
        "引牌是抽兩張時，莊家左手邊的玩家抽兩張牌，出牌權轉給再下一位；兩人對玩時就是莊家。",
    ),
    "B-UP-REVERSE": Text(
        "For a reverse turned up first, the player to the dealer's left still has the first "
        "turn, and play then runs counter-clockwise; with two players the other begins and the "
        "dealer follows.",
        "引牌是反轉時，仍由莊家左手邊的玩家先出牌，之後改為逆時鐘；兩人對玩時由對手先出，再輪到"
        "莊家。",
    ),
    "B-UP-SKIP": Text(
        "For a skip turned up first, the player to the dealer's left is passed over and the "
        "next one to the left begins; with two players that is the dealer.",
        "引牌是跳過時，莊家左手邊的玩家不能出牌，由他左邊的下一位開始；兩人對玩時就是莊家。",
    ),
    "B-UP-WILD": Text(
        "For a wild turned up first, the player to the dealer's left names the colour that the "
        "following player has to play, and the turn goes to that player; with two players the "
        "other names and the dealer plays.",
        "引牌是顏色指定時，莊家左手邊的玩家替下一位指定顏色，出牌權就轉給那一位；兩人對玩時由對"
        "手指定、莊家出牌。",
    ),
    "B-UP-WILD4": Text(
        "A wild draw four turned up first is void and another card is turned up. Our reading: "
        "the void card stays underneath in the discard pile.",
        "引牌是抽四張時無效，另翻一張當引牌。我們的解讀：無效的那張留在棄牌堆裡，壓在下面。",
    ),
    "B-MATCH": Text(
        "A card can be played if it shares colour, number or lettering with the top of the "
        "discard pile; after a wild, the colour that was named counts. A wild can always be "
        "played, apart from the condition on the wild draw four.",
        "出的牌要與棄牌區最上面的牌同顏色、同數字或同文字；上面是強制牌時，看的是指定的顏色。顏"
        "色指定隨時可出，抽四張則另有條件。",
    ),
    "B-DRAW": Text(
        "A player who has no card to play draws exactly one. If it fits it may be played "
        "straight away; otherwise the turn is over. Passing needs a draw first.",
        "沒有牌可出時抽一張，而且只抽一張；抽到的牌合用就可以馬上打出，否則出牌權轉給下一位。沒"
        "抽牌不能直接過。",
    ),
    "B-KEEP": Text(
        "A player who can match has to play; only a wild draw four may be held back for a draw. "
        "Our reading: whoever draws although another card could be played is noted but pays "
        "nothing, and the drawn card is then the only one to play.",
        "有牌可出就要出，只有抽四張可以留著不用、改為抽牌。我們的解讀：手上還有其他能出的牌卻抽"
        "牌，會被註記但不處罰；抽牌之後，該回合只能出剛抽到的那張。",
    ),
    "B-NO-STACK": Text(
        "A player whom a draw two or wild draw four hits lays no card on it: the cards are "
        "drawn and the turn is over.",
        "被抽兩張或抽四張罰到的人，不能再出牌疊上去，只能抽牌並失去出牌權。",
    ),
    "B-RESHUFFLE": Text(
        "The text does not say what happens when the draw pile runs out. Our reading: the "
        "discard pile without its top card is shuffled to make a new one.",
        "文中沒有說明牌堆用完時怎麼辦。我們的解讀：棄牌區除了最上面那張，其餘洗勻成為新的牌堆。",
    ),
    "B-DRAW-TWO": Text(
        "The next player draws two cards and has no turn.",
        "下一位玩家抽兩張牌，而且這次不能出牌。",
    ),
    "B-REVERSE": Text(
        "Play runs the other way round from here.",
        "從此刻起，輪流的方向反過來。",
    ),
    "B-SKIP": Text(
        "The next player's turn is left out.",
        "下一位玩家的出牌權被取消，輪到再下一位。",
    ),
    "B-WILD": Text(
        "It may be laid on anything, also by a player who could match, and its player says "
        "which colour the next one has to play; the present colour may be named again.",
        "可以出在任何牌上，即使手上還有別的牌可出；出牌的人指定下一位要出的顏色，也可以指定原來"
        "的顏色。",
    ),
    "B-WILD4": Text(
        "Its player says which colour goes on, and the next player draws four cards and has no "
        "turn.",
        "出牌的人指定接下來的顏色；下一位玩家抽四張牌，而且失去出牌權。",
    ),
    "B-WILD4-LEGAL": Text(
        "It is honest only if its player holds no other card of the current colour; the same "
        "number or lettering in another colour does not count against it. Our reading: nor do "
        "wilds, although the text on the wild speaks of any other playable card.",
        "手上沒有其他與當前顏色相同的牌時，才能正當地出抽四張；別種顏色的同數字、同文字牌不算違"
        "規。我們的解讀：雖然顏色指定那一段說要沒有其他牌可出，但強制牌也不算違規。",
    ),
    "B-WILD4-BLUFF": Text(
        "It can be played even when it is not allowed: it then works in full unless the next "
        "player challenges it.",
        "不符合條件時也可以冒險打出；只要下一位玩家沒有質疑，效果就完全成立。",
    ),
    "B-CHALLENGE": Text(
        "Only the player who would draw the four may doubt it, and is shown the hand. Not "
        "allowed: its player draws four, and the challenger draws none and plays on. Allowed: "
        "the challenger draws six and has no turn. Our reading: the named colour stays, and the "
        "doubt must come before the first penalty card is drawn or another card is laid.",
        "只有要抽這四張的玩家可以質疑，並由他查看對方手牌。若不符合條件，出牌的人抽四張，質疑的"
        "人不必抽、可以繼續出牌；若符合條件，質疑的人共抽六張並失去出牌權。我們的解讀：指定的顏"
        "色不變；必須在抽第一張罰牌或下一張牌打出之前提出。",
    ),
    "B-UNO": Text(
        "UNO is called around the playing of the second-to-last card; a late call is good as "
        "long as nobody has pointed it out. Whoever is pointed out first draws two, but not "
        "once the next player has laid a card.",
        "打出倒數第二張牌前後要喊 UNO，只要還沒被人指出，晚一點喊也算數。先被別人指出的要抽兩張；"
        "下一位玩家的牌已經打出，就不必再罰。",
    ),
    "B-MISPLAY": Text(
        "A card that does not match goes back to the hand; its player draws one card and loses "
        "the turn.",
        "打出不合規定的牌要收回手中，另抽一張，並失去這次的出牌權。",
    ),
    "B-ADVICE": Text(
        "Telling another player what to play costs four cards. Our reading: it costs no turn.",
        "建議別人怎麼出牌的人要抽四張。我們的解讀：不會因此失去出牌權。",
    ),
    "B-TWO": Text(
        "With two players a reverse works like a skip, and after a skip its player goes again. "
        "After a draw two or wild draw four the other draws, and its player goes again.",
        "兩人對玩時，反轉的效果與跳過相同，打出跳過的人可以再出一次；打出抽兩張或抽四張時，對手"
        "照抽，然後再輪回原來的人。",
    ),
    "B-OUT": Text(
        "As soon as a player has no cards left, the round is over.",
        "只要有玩家手上沒有牌了，這一局就結束。",
    ),
    "B-LAST": Text(
        "A draw two or wild draw four laid as the last card still makes the next player draw "
        "its two or four, and those cards count when the hands are added up.",
        "最後一張出的是抽兩張或抽四張時，下一家仍要抽兩張或四張，並列入計分。",
    ),
    "B-POINTS": Text(
        "Numbers are worth what they show, a 0 nothing; draw two, reverse and skip 20 each; "
        "wild and wild draw four 50 each.",
        "數字牌依牌面計分，0 不計分；抽兩張、反轉、跳過各 20 分；顏色指定、抽四張各 50 分。",
    ),
    "B-SCORE": LENT_TEXTS["B-SCORE"],
    "B-TEAM": LENT_TEXTS["B-TEAM"],
    "B-ROTATE-4": LENT_TEXTS["B-ROTATE-4"],
    "B-ROTATE-8": LENT_TEXTS["B-ROTATE-8"],
}


_COLORS: Final = ("red", "yellow", "green", "blue")
_DECK: Final = {
    **colored(_COLORS),
    "wild": 4,
    "wild-draw-four": 4,
}
_MODES: Final = {"lowest-total": "B-SCORE"}

BASIC_1: Final = Edition(
    id="basic",
    letter="B",
    revision=1,
    name=Text("UNO, the basic game", "UNO 基本規則"),
    source="001",
    clauses=assemble(
        "basic",
        BASIC_CLAUSES,
        modes=_MODES,
        without=frozenset({"X-MISPLAY", "X-TWO"}),
    ),
    colors=Cited(_COLORS, "B-DECK"),
    deck=Cited(_DECK, "B-DECK"),
    points=Cited(worth(_DECK), "B-POINTS"),
    box_size=Cited(108, "B-DECK"),
    option_clauses={},
    shared=SharedRules(
        dealer_tie="X-DEALER-TIE",
        first_player="B-FIRST",
        reshuffle="B-RESHUFFLE",
        short_pile="X-RESHUFFLE-WHEN",
        bluff_stands="B-WILD4-BLUFF",
        last_challenge="X-LAST-CHALLENGE",
        misplay_window="X-MISPLAY-WHEN",
        round_end="B-OUT",
        tie="X-TIE",
    ),
    hand_size=Cited(7, "B-DEAL"),
    dealer_draw=Cited(DealerDraw.LETTERED_CANNOT_DEAL, "B-DEALER"),
    next_dealer=Cited(NextDealer.LEFT, "X-NEXT-DEALER"),
    cards={
        "number": card_rule(
            Cited(TurnedUp.PLAY_STARTS, "B-UP-NUMBER"),
            Cited(PLAIN, "B-MATCH"),
        ),
        "draw-two": card_rule(
            Cited(TurnedUp.FIRST_DRAWS_TWO, "B-UP-DRAW-TWO"),
            Cited(DRAWS_TWO, "B-DRAW-TWO"),
            played_two_players=Cited(DRAWS_TWO_AND_GOES_AGAIN, "B-TWO"),
        ),
        "reverse": card_rule(
            Cited(TurnedUp.LEFT_BEGINS_REVERSED, "B-UP-REVERSE"),
            Cited(REVERSES, "B-REVERSE"),
            turned_up_two_players=TurnedUp.PLAY_STARTS,
            played_two_players=Cited(GOES_AGAIN, "B-TWO"),
        ),
        "skip": card_rule(
            Cited(TurnedUp.FIRST_IS_SKIPPED, "B-UP-SKIP"),
            Cited(SKIPS, "B-SKIP"),
            played_two_players=Cited(GOES_AGAIN, "B-TWO"),
        ),
        "wild": card_rule(
            Cited(TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT, "B-UP-WILD"),
            Cited(NAMES_COLOR, "B-WILD"),
        ),
        "wild-draw-four": card_rule(
            Cited(TurnedUp.STAYS_UNDER_NEXT, "B-UP-WILD4"),
            Cited(DRAWS_FOUR, "B-WILD4"),
            played_two_players=Cited(DRAWS_FOUR_AND_GOES_AGAIN, "B-TWO"),
        ),
    },
    match_by=Cited(frozenset({MatchBy.COLOR, MatchBy.NUMBER, MatchBy.SYMBOL}), "B-MATCH"),
    draws_without_match=Cited(1, "B-DRAW"),
    keep=Cited(Keep.ONLY_WILD_DRAW_FOUR, "B-KEEP"),
    lays_on_penalty=Cited(frozenset(), "B-NO-STACK"),
    wild_draw_four_legal=Cited(WildDrawFourLegal.COLOR, "B-WILD4-LEGAL"),
    challenge=Cited(
        Challenge(guilty_draws=4, innocent_draws=6, taken_back=False, shown_to=ShownTo.CHALLENGER),
        "B-CHALLENGE",
    ),
    uno=Cited(Uno(draws=2, window=UnoWindow.NEXT_CARD_LAID), "B-UNO"),
    misplay=Cited(Misplay(draws=1, loses_turn=True), "B-MISPLAY"),
    advice_draws=Cited(4, "B-ADVICE"),
    last_card_draws=Cited({"draw-two": 2, "wild-draw-four": 4}, "B-LAST"),
    joint_winner_cards=Cited(frozenset(), "X-JOINT"),
    default_mode=Cited("lowest-total", "B-SCORE"),
    modes=modes(_MODES),
    team_clauses=TEAM_CLAUSES,
    rotations=ROTATIONS,
)

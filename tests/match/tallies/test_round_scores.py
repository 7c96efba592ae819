"""What a round is worth in each mode."""

import pytest

from scorekeeper.match.events.events import RoundEnded, TalliedHand
from scorekeeper.projections.scoreboard import scoreboard
from tests.match.story import TEAMS_OF_FOUR, given, out, sheet, tally
from tests.match.table import told

EDITIONS = ("mario", "basic", "mickey", "hello-kitty", "classic-2025")


@pytest.mark.clause("M-SCORE", "D-SCORE", "H-SCORE-500", "C-SCORE")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_winner_collects_all_other_hands(edition):
    match = given(edition, 4, "winner-collects").when(tally("bo", ann=10, cy=20, di=7))
    match.then_scores(ann=0, bo=37, cy=0, di=0).then_totals(ann=0, bo=37, cy=0, di=0)


@pytest.mark.clause("B-SCORE", "M-ALT", "D-ALT")
@pytest.mark.parametrize("edition", EDITIONS)
def test_each_hand_counts_against_its_own_player(edition):
    match = given(edition, 4, "lowest-total").when(tally("bo", ann=10, cy=20, di=7))
    match.then_scores(ann=10, bo=0, cy=20, di=7)


@pytest.mark.clause("H-PLUSMINUS")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_booklets_118_up_and_118_down(edition):
    match = given(edition, ["a", "b", "c", "d"], "plus-minus", rounds=5)
    match = match.when(tally("b", a=40, c=38, d=40)).then_scores(a=-40, b=118, c=-38, d=-40)
    assert sum(match.board.totals.values()) == 0


@pytest.mark.clause("H-PLUSMINUS", "X-JOINT")
def test_joint_winners_each_score_the_whole_sum_in_plus_minus():
    match = given("mickey", 4, "plus-minus", rounds=5).when(tally("ann", "bo", cy=30, di=12))
    match.then_scores(ann=42, bo=42, cy=-30, di=-12)


@pytest.mark.clause("D-FRIENDSHIP", "X-JOINT")
def test_friends_who_go_out_together_both_score_in_full():
    match = given("mickey", 4).when(tally("bo", "ann", cy=30, di=12))
    match.then_scores(ann=42, bo=42, cy=0, di=0).then(
        rounds_won={"ann": 1, "bo": 1, "cy": 0, "di": 0}
    )
    ended = match.added[-1].event
    assert isinstance(ended, RoundEnded)
    assert ended.winners == ("ann", "bo")
    assert ended.hand_points == {"ann": 0, "bo": 0, "cy": 30, "di": 12}


@pytest.mark.clause("C-FIRST-OUT")
@pytest.mark.parametrize("edition", EDITIONS)
def test_whoever_is_out_first_wins_and_there_are_no_points(edition):
    match = given(edition, 3, "first-out").when(out("cy"))
    match.then_scores(ann=0, bo=0, cy=0).then(status="won", winners=("cy",))


@pytest.mark.clause("B-TEAM")
def test_the_hands_of_both_partners_make_the_score_of_the_team():
    match = given("basic", 4, teams=TEAMS_OF_FOUR).when(tally("ann", bo=10, cy=20, di=7))
    match.then_scores(ann=20, bo=17, cy=20, di=17)
    assert [(team.players, team.total) for team in match.board.teams or ()] == [
        (("ann", "cy"), 20),
        (("bo", "di"), 17),
    ]


@pytest.mark.clause("X-TEAM")
@pytest.mark.parametrize("partner", [{"cy": 20}, {}], ids=["listed", "not listed"])
def test_the_winners_team_scores_the_opponents_hands_only(partner):
    match = given("basic", 4, "winner-collects", teams=TEAMS_OF_FOUR)
    match = match.when(tally("ann", bo=10, di=7, **partner)).then_scores(ann=17, bo=0, cy=17, di=0)
    assert match.added[-1].event.hand_points["cy"] == partner.get("cy")


@pytest.mark.clause("X-TEAM", "X-JOINT")
def test_winners_of_opposing_teams_each_score_the_others_hands():
    match = given("mickey", 4, teams=TEAMS_OF_FOUR)
    assert match.refuses(tally("ann", "bo", di=7)).facts == {"players": ("cy",)}
    match.when(tally("ann", "bo", cy=20, di=7)).then_scores(ann=7, bo=20, cy=7, di=20)


@pytest.mark.clause("X-JOINT")
def test_partners_who_go_out_together_score_once():
    match = given("mickey", 4, teams=TEAMS_OF_FOUR).when(tally("ann", "cy", bo=20, di=7))
    match.then_scores(ann=27, bo=0, cy=27, di=0)


@pytest.mark.clause("X-TEAM")
def test_three_teams_sit_three_seats_apart_and_the_winners_collect_from_four_hands():
    teams = [["ann", "di"], ["bo", "ed"], ["cy", "flo"]]
    match = given("mario", 6, teams=teams).when(tally("ed", ann=1, cy=2, di=3, flo=4))
    match.then_scores(ann=0, bo=10, cy=0, di=0, ed=10, flo=0)


@pytest.mark.clause("H-ELIMINATION")
def test_a_catch_counts_besides_the_hand_that_is_left():
    match = given("hello-kitty", 3, "elimination")
    match = match.when(tally("ann", bo=30, cy=5, charges={"ann": 50, "cy": 20}))
    match.then_scores(ann=50, bo=30, cy=25)


@pytest.mark.clause("H-ELIMINATION")
def test_an_old_sheets_scores_contain_what_was_counted_at_a_catch():
    match = given("hello-kitty", 3, "elimination", dealer="cy").when(
        told("round_started"),
        told("first_card_turned", card="red-3"),
        told("card_played", player="ann", card="wild-draw-four", color="blue"),
        told("wild_draw_four_challenged", by="bo", guilty=True, points=40),
    )
    assert scoreboard(match.state, match="m", position=1).totals["ann"] == 40
    scores = {"ann": 90, "bo": 0, "cy": 20}
    match.when(told("round_tallied", winners=["bo"], scores=scores)).then_scores(**scores)


@pytest.mark.clause("B-POINTS", "M-POINTS", "D-POINTS", "H-POINTS", "C-POINTS")
@pytest.mark.parametrize(
    ("edition", "cards", "points"),
    [
        ("mario", ["red-0", "green-9", "blue-draw-two", "super-star", "question-block"], 129),
        ("basic", ["red-0", "red-1", "yellow-reverse", "wild", "wild-draw-four"], 121),
        ("mickey", ["pink-0", "orange-7", "pink-skip", "wild-friendship"], 77),
        ("hello-kitty", ["red-ribbon", "swap-hands", "wild-draw-four", "red-3"], 153),
        ("classic-2025", ["green-8", "green-skip", "wild"], 78),
    ],
)
def test_cards_are_worth_what_the_booklet_says(edition, cards, points):
    given(edition, 2, "winner-collects").when(tally("ann", bo=cards)).then_scores(ann=points, bo=0)


@pytest.mark.clause("C-DECK")
def test_extra_cards_are_worth_what_the_table_agreed():
    options = {"extra_cards": {"shuffle-hands": {"count": 3, "points": 40}}}
    match = given("classic-2025", 2, "winner-collects", options=options)
    match.when(tally("ann", bo=["shuffle-hands", "shuffle-hands"])).then_scores(ann=80, bo=0)


@pytest.mark.parametrize("players", range(2, 11))
def test_two_to_ten_players(players):
    match = given("mario", players)
    names = match.board.players
    match = match.when(tally(names[0], **{name: [f"red-{n}"] for n, name in enumerate(names[1:])}))
    assert match.board.totals[names[0]] == sum(range(players - 1))


def test_a_winner_may_be_listed_with_no_cards():
    for nothing in (
        TalliedHand(cards=()),
        TalliedHand(points=0),
        TalliedHand(points=0, cards_left=0),
    ):
        told = tally("ann", bo=8)
        told = type(told)(winners=("ann",), hands={**told.hands, "ann": nothing})
        given("basic", 2).when(told).then_scores(ann=0, bo=8)


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("winner-collects", sheet("bo", ann=0, bo=37, cy=0)),
        ("lowest-total", sheet("bo", ann=17, bo=0, cy=20)),
        ("plus-minus", sheet("bo", ann=-17, bo=37, cy=-20)),
        ("elimination", sheet("bo", ann=17, bo=50, cy=20)),
        ("first-out", sheet("bo", ann=0, bo=0, cy=0)),
    ],
)
def test_an_old_sheet_that_kept_only_the_scores(mode, told):
    match = given("hello-kitty", 3, mode, rounds=9).when(told).then_scores(**told.scores)
    assert match.added[-1].event.hand_points == {"ann": None, "bo": 0, "cy": None}


def test_a_sheet_of_teams_names_both_partners_with_their_score():
    match = given("mickey", 4, teams=TEAMS_OF_FOUR)
    match.when(sheet("ann", "bo", ann=7, bo=20, cy=7, di=20)).then_totals(ann=7, bo=20, cy=7, di=20)

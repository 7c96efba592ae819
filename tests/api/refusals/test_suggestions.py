"""For an unknown card or player, the problem suggests the name that was probably meant."""

import pytest

from scorekeeper.api.problems import Code
from tests.api.serving import note, tally

PLAYERS = ("ann", "bo", "oma-ida", "di")
OPENING = {"edition": "basic", "players": ["ann", "bo", "oma-ida"]}


@pytest.fixture(scope="module")
def home(served):
    league = served.league(PLAYERS)
    match = league.match(match="friday-1", players=["ann", "bo", "oma-ida"], dealer="ann")
    match.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "blue-3"})
    cup = {"tournament": "cup-2026", "name": "Cup", "edition": "basic"}
    assert (
        league.owner.post(
            "/tournaments", cup | {"players": ["ann", "bo", "oma-ida", "di"]}
        ).status_code
        == 201
    )
    return league


def meant(answer, status, code):
    """Return the suggested names, after checking that the sentence has them."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, Code(code).value)
    facts = problem.get("facts", {})
    assert ("nearest" in facts) == ("Did you mean" in problem["detail"])
    if "nearest" in facts:
        assert problem["detail"].endswith(f"Did you mean {' or '.join(facts['nearest'])}?")
    assert {each["detail"] for each in problem.get("errors", ())} <= {problem["detail"]}
    return facts.get("nearest")


CARDS = {"Red-9": ["red-9"], "red 9": ["red-9"], "grren-skip": ["green-skip"], "dragon": None}


# Plain appends are answered before the framework, those with a query within it.
both_ways = pytest.mark.parametrize("query", ["", "?lang=en"])


@both_ways
@pytest.mark.parametrize(("card", "nearest"), CARDS.items())
@pytest.mark.parametrize(
    "told",
    [
        lambda card: {"type": "card_played", "player": "bo", "card": card},
        lambda card: {"type": "cards_drawn", "player": "bo", "cards": [card]},
        lambda card: {"type": "hand_shown", "player": "bo", "cards": [card]},
        lambda card: tally("ann", bo=[card], **{"oma-ida": 3}),
        lambda card: {
            "type": "log_amended",
            "reason": "mistold",
            "from": 3,
            "remove": 1,
            "insert": [{"type": "first_card_turned", "card": card}],
        },
    ],
)
def test_a_card_that_the_box_lacks(home, told, card, nearest, query):
    body = {"events": [told(card)]}
    answer = home.scorekeeper.post(f"/matches/friday-1/events{query}", body)
    assert meant(answer, 422, "impossible-event") == nearest
    assert answer.json()["reason"] == "card-not-in-box"


def test_a_colour_that_the_edition_lacks(home):
    told = {"type": "card_played", "player": "bo", "card": "wild", "color": "gren"}
    answer = home.scorekeeper.post("/matches/friday-1/events", {"events": [told]})
    assert meant(answer, 422, "impossible-event") == ["green"]


@both_ways
@pytest.mark.parametrize(
    ("name", "status", "code", "nearest"),
    [
        ("oma-id", 422, "impossible-event", ["oma-ida"]),
        ("zoe", 422, "impossible-event", None),
        ("Ann", 400, "malformed", ["ann"]),
        ("Oma Idda", 400, "malformed", ["oma-ida"]),
        ("Zoë", 400, "malformed", None),
    ],
)
@pytest.mark.parametrize(
    "told",
    [
        lambda name: {"type": "uno_called", "player": name},
        lambda name: tally(name, ann=1, bo=2),
        lambda name: {"type": "round_tallied", "winners": ["ann"], "scores": {name: 5}},
    ],
)
def test_a_player_who_is_not_in_the_match(home, told, name, status, code, nearest, query):
    body = {"events": [told(name)]}
    answer = home.scorekeeper.post(f"/matches/friday-1/events{query}", body)
    assert meant(answer, status, code) == nearest


@pytest.mark.parametrize(
    ("change", "status", "code", "nearest"),
    [
        ({"edition": "basik"}, 422, "edition-unknown", ["basic"]),
        ({"edition": "Hello Kitty"}, 400, "malformed", ["hello-kitty"]),
        ({"edition": "chess"}, 422, "edition-unknown", None),
        ({"players": ["ann", "oma-id"]}, 422, "player-not-registered", ["oma-ida"]),
        ({"players": ["ann", "Bo"]}, 400, "malformed", ["bo"]),
        ({"dealer": "oma"}, 422, "dealer-not-in-match", None),
        ({"dealer": "oma-eda"}, 422, "dealer-not-in-match", ["oma-ida"]),
        ({"scoring": {"mode": "lowest_total"}}, 400, "malformed", ["lowest-total"]),
        ({"dealr": "ann"}, 400, "malformed", ["dealer"]),
        ({"match": "Friday 2"}, 400, "malformed", ["friday-2"]),
        ({"events": [{"type": "card_plaid"}]}, 400, "malformed", ["card_played"]),
    ],
)
def test_a_word_of_an_opening_that_is_misspelled(home, change, status, code, nearest):
    assert meant(home.scorekeeper.post("/matches", OPENING | change), status, code) == nearest


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("/matches/Friday-1", ["friday-1"]),
        ("/matches/fridy-1/events", ["friday-1"]),
        ("/matches/fridy-1/rounds/1/replay", ["friday-1"]),
        ("/matches/monday", None),
        ("/players/oma-id", ["oma-ida"]),
        ("/tournaments/cup-2025", ["cup-2026"]),
        ("/tournaments/cup-2025/standings", ["cup-2026"]),
    ],
)
def test_an_address_where_nothing_lies(home, path, nearest):
    assert meant(home.viewer.get(path), 404, "not-found") == nearest


@both_ways
def test_a_match_that_is_not_there_to_be_told_of(home, query):
    answer = home.scorekeeper.post(f"/matches/fridy-1/events{query}", {"events": [note()]})
    assert meant(answer, 404, "not-found") == ["friday-1"]


def test_an_edition_that_is_misspelled_in_an_address(served):
    answer = served.ask("GET", "/v1/editions/hello_kity", token=None)
    assert meant(answer, 404, "not-found") == ["hello-kitty"]


def test_a_tournaments_player(home):
    told = {"events": [{"type": "player_withdrawn", "player": "oma-id"}]}
    answer = home.scorekeeper.post("/tournaments/cup-2026/events", told)
    assert meant(answer, 422, "impossible-event") == ["oma-ida"]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        # No player of that name is registered, or is in this match.
        ({"players": ["ann", "carla"], "dealer": "carl"}, 422, "dealer-not-in-match"),
        ({"dealer": "Di"}, 400, "malformed"),
        ({"teams": [["ann", "Di"], ["bo", "oma-ida"]]}, 400, "malformed"),
        ({"seating": [{"players": ["ann", "bo", "oma-ida"], "dealer": "Di"}]}, 400, "malformed"),
        ({"events": [{"type": "uno_called", "player": "Di"}]}, 400, "malformed"),
        # The nearest player is already at the table.
        ({"players": ["ann", "anne", "bo"]}, 422, "player-not-registered"),
        ({"players": ["ann", "bo", "Ann"]}, 400, "malformed"),
        (
            {"events": [{"type": "player_substituted", "player": "bo", "substitute": "anne"}]},
            422,
            "player-not-registered",
        ),
    ],
)
def test_nobody_is_proposed_for_an_opening_who_could_not_stand_there(home, change, status, code):
    assert meant(home.scorekeeper.post("/matches", OPENING | change), status, code) is None


def test_a_field_or_a_parameter_that_is_there_already_is_not_proposed(home):
    answer = home.scorekeeper.post("/matches", OPENING | {"playerss": []})
    assert meant(answer, 400, "malformed") is None
    for query, nearest in (("limt=1", ["limit"]), ("limit=1&limt=1", None)):
        assert meant(home.viewer.get(f"/matches?{query}"), 400, "malformed") == nearest


def test_a_dealer_who_is_to_play_is_proposed_for_an_opening(home):
    answer = home.scorekeeper.post("/matches", OPENING | {"dealer": "Oma Idda"})
    assert meant(answer, 400, "malformed") == ["oma-ida"]


@both_ways
@pytest.mark.parametrize(
    ("told", "status", "code", "nearest"),
    [
        ({"type": "uno_called", "player": "Di"}, 400, "malformed", None),
        ({"type": "uno_caught", "player": "ann", "by": "anne"}, 422, "impossible-event", None),
        ({"type": "round_tallied", "winners": ["ann", "anne"]}, 422, "impossible-event", None),
        (
            {"type": "player_substituted", "player": "bo", "substitute": "Di"},
            400,
            "malformed",
            ["di"],
        ),
        (
            {"type": "player_substituted", "player": "bo", "substitute": "Ann"},
            400,
            "malformed",
            None,
        ),
    ],
)
def test_only_who_could_stand_there_is_proposed(home, told, status, code, nearest, query):
    answer = home.scorekeeper.post(f"/matches/friday-1/events{query}", {"events": [told]})
    assert meant(answer, status, code) == nearest


def test_a_substitute_is_proposed_who_does_not_sit_at_the_table(home):
    match = home.match(players=["ann", "bo"])
    told = {"type": "player_substituted", "player": "bo"}
    for substitute, nearest in (("anne", None), ("oma-idda", ["oma-ida"])):
        answer = match.append(told | {"substitute": substitute})
        assert meant(answer, 422, "player-not-registered") == nearest


def test_who_sits_in_now_is_proposed_for_an_earlier_time_and_whose_seat_it_is_to_come_back(home):
    match = home.match(players=["ann", "bo"])
    told = {"type": "player_substituted", "player": "bo"}
    match.tell(told | {"substitute": "oma-ida"})
    amended = {"type": "log_amended", "reason": "From the first round on.", "from": 2, "remove": 1}
    for event, nearest in (
        (amended | {"insert": [told | {"substitute": "oma-idda"}]}, ["oma-ida"]),
        (told | {"substitute": "boo"}, ["bo"]),
        (told | {"player": "oma-ida", "substitute": "boo"}, ["bo"]),
        (told | {"substitute": "anne"}, None),
    ):
        assert meant(match.append(event), 422, "player-not-registered") == nearest


def test_who_is_out_is_not_proposed(home):
    scoring = {"mode": "elimination", "target": 20}
    match = home.match(players=["ann", "bo", "di"], scoring=scoring, edition="hello-kitty")
    match.tell(tally("ann", bo=21, di=1))
    answer = match.append({"type": "round_started", "dealer": "boo"})
    assert meant(answer, 422, "impossible-event") is None


@pytest.mark.parametrize(
    ("substitute", "status", "code"),
    [("anne", 422, "player-not-registered"), ("Ann", 400, "malformed")],
)
def test_a_tournaments_player_is_not_proposed_as_a_substitute(home, substitute, status, code):
    told = {"type": "player_substituted", "player": "bo", "substitute": substitute}
    answer = home.scorekeeper.post("/tournaments/cup-2026/events", {"events": [told]})
    assert meant(answer, status, code) is None


def test_nobody_learns_what_another_league_has(home, served):
    stranger = served.league()
    answer = served.ask("GET", f"{home.root}/matches/fridy-1", token=stranger.owner.token)
    assert meant(answer, 404, "not-found") is None


def test_a_new_name_is_proposed_as_a_slug(home):
    answer = home.owner.post("/players", {"player": "Oma Ida", "name": "Oma Ida"})
    assert meant(answer, 400, "malformed") == ["oma-ida"]


def test_it_is_asked_in_chinese(home):
    told = {"events": [{"type": "card_played", "player": "bo", "card": "Red-9"}]}
    answer = home.scorekeeper.post("/matches/friday-1/events?lang=zh-TW", told)
    assert answer.json()["detail"] == "這盒牌裡沒有「Red-9」這張牌。你是不是要寫 red-9？"

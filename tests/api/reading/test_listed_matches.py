"""The line of a match in the list agrees with its scoreboard."""

from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.integrity.verifying import verify_league
from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both
from tests.databases import in_database

BEGIN = {"type": "round_started"}
REMOVED = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "not ours"}


def line(league, match, caller=None):
    items = (caller or league.viewer).get("/matches").json()["items"]
    return next(item for item in items if item["match"] == match.slug)


def stands(league, match):
    """Return the match's line in the list, after checking it against the scoreboard and the log."""
    listed, board, log = line(league, match), match.board(), match.log()
    for name in ("status", "players", "winners", "round", "totals", "open_disputes"):
        assert listed[name] == board[name]
    assert listed["opened_at"] == log[0]["recorded_at"]
    assert listed["changed_at"] == log[-1]["recorded_at"]
    return listed


def flaws(league):
    """Return the flaws that `verify` finds in the league."""
    url, slug = league.served.url, league.slug
    said = in_database(url, lambda c: [*verify_league(c, slug, lambda _: None)])
    return [each for each in said if isinstance(each, Flaw)]


@on_both
def test_a_match_from_its_opening_to_its_end_and_back(league):
    scoring = {"mode": "lowest-total", "target": 50}
    match = league.match(players=["ann", "bo"], dealer="ann", scoring=scoring)
    other = league.match()
    assert stands(league, match)["totals"] == {"ann": 0, "bo": 0}
    match.tell(tally("ann", bo=10))
    assert stands(league, match)["totals"] == {"ann": 0, "bo": 10}
    match.tell(BEGIN, note())
    assert (stands(league, match)["round"], stands(league, other)["round"]) == (2, 0)
    match.tell(tally("ann", bo=45))
    assert stands(league, match)["status"] == "won"
    # After a correction it is still won; after the next it is open again; then it is abandoned.
    match.tell(REMOVED | {"insert": [tally("bo", ann=5), tally("ann", bo=7)]})
    assert stands(league, match)["totals"] == {"ann": 5, "bo": 52}
    match.tell(REMOVED | {"withdraws": [match.board()["version"]]})
    assert (stands(league, match)["status"], stands(league, match)["round"]) == ("open", 1)
    match.tell(BEGIN, {"type": "match_abandoned", "reason": "bedtime"})
    assert stands(league, match)["totals"] == {"ann": 0, "bo": 45}
    assert flaws(league) == []


@on_both
def test_what_was_erased_counts_in_no_line(league):
    over = league.match(events=[tally("ann", bo=9, cy=2, di=3)] * 2, scoring={"rounds": 2})
    open_ = league.match(events=[tally("ann", bo=9, cy=2, di=3)] * 2)
    for match in (over, open_):
        assert stands(league, match)["round"] == 2
        erased = {"positions": [match.log()[1]["position"]], "reason": "asked for"}
        assert league.owner.post("/erasures", erased).status_code == 201
        assert stands(league, match)["round"] == 1
    assert flaws(league) == []


@on_both
def test_a_page_of_matches_that_have_just_begun(league):
    matches = [league.match(events=[tally("ann", bo=at, cy=2, di=3)]) for at in range(20)]
    listed = league.viewer.get("/matches").json()["items"]
    assert [each["match"] for each in listed] == [each.slug for each in reversed(matches)]
    for match in (matches[0], matches[-1]):
        stands(league, match)


@on_both
def test_the_list_is_narrowed_down_to_the_days_on_which_matches_were_held(league):
    """As in the table, this is the day that the opening names, or else the day of the opening."""
    over = {"scoring": {"rounds": 1}, "events": [tally("bo", ann=9, cy=2, di=3)]}
    first = league.match(at="2025-12-31T23:59:59Z", **over)
    second = league.match(at="2026-01-01T00:00:00+01:00")
    third = league.match(at="2026-01-02T12:00:00Z")
    today = league.match()

    def held(**query):
        items = league.viewer.get("/matches", params=query).json()["items"]
        return [item["match"] for item in items]

    day = today.log()[0]["recorded_at"][:10]
    assert held(**{"from": "2025-12-31", "to": "2025-12-31"}) == [second.slug, first.slug]
    assert held(**{"from": "2026-01-01", "to": "2026-01-02"}) == [third.slug]
    assert held(**{"from": "2026-01-02"}) == [today.slug, third.slug]
    assert held(to="2026-01-01", status="open") == [second.slug]
    assert held(**{"from": day}) == [today.slug]
    assert held(**{"from": "2026-01-02", "to": "2025-12-31"}) == []
    for query in ({"from": "x"}, {"to": "2026-13-01"}, {"from": ""}):
        assert league.viewer.get("/matches", params=query).status_code == 400


def test_viewers_see_in_the_list_what_their_scoreboard_shows(league):
    """A catch scores at once, even if the hand whose points it counts is hidden from viewers."""
    match = league.match(
        players=["ann", "bo", "cy"],
        edition="mario",
        dealer="ann",
        scoring={"mode": "elimination", "target": 500},
    )
    match.tell(
        BEGIN,
        {"type": "first_card_turned", "card": "red-5"},
        {"type": "hand_shown", "player": "bo", "cards": ["red-6"], "as_played": True},
        {"type": "cards_drawn", "player": "bo", "cards": ["blue-9"]},
        {"type": "card_played", "player": "cy", "card": "red-8"},
        {"type": "card_played", "player": "ann", "card": "red-7"},
        {"type": "card_played", "player": "bo", "card": "red-6"},
        {"type": "uno_caught", "player": "bo", "by": "cy"},
    )
    board = league.viewer.get(f"/matches/{match.slug}").json()
    assert board["totals"] == {"ann": 0, "bo": 9, "cy": 0}
    assert line(league, match) == line(league, match, league.owner) == stands(league, match)


ED_SITS_IN = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
ANN_IS_BACK = ED_SITS_IN | {"substitute": "ann"}


def those_with(league, player):
    """The matches that are listed for a player."""
    listed = league.viewer.get("/matches", params={"player": player}).json()["items"]
    return [each["match"] for each in listed]


@on_both
def test_whoever_sat_in_finds_the_match_as_long_as_it_is_so(league):
    match, round_told = league.match(), tally("ann", bo=9, cy=2, di=3)
    assert those_with(league, "ed") == []
    match.tell(ED_SITS_IN)
    assert those_with(league, "ed") == [match.slug]
    match.tell(round_told, ANN_IS_BACK, round_told)
    assert those_with(league, "ed") == those_with(league, "ann") == [match.slug]
    # The substitution is removed from the log by an amendment, and then that amendment is
    # withdrawn.
    match.tell(REMOVED)
    assert those_with(league, "ed") == []
    match.tell({**REMOVED, "remove": 0, "withdraws": [match.board()["version"]]})
    assert those_with(league, "ed") == [match.slug]
    assert flaws(league) == []


@on_both
def test_who_sat_down_and_got_up_before_a_round_was_dealt_sat_in_no_match(league):
    match = league.match()
    match.tell(ED_SITS_IN, ANN_IS_BACK, tally("ann", bo=9, cy=2, di=3))
    assert those_with(league, "ed") == []
    late = {"from": 4, "remove": 0, "insert": [ED_SITS_IN], "reason": "forgotten"}
    match.tell({"type": "log_amended", **late})
    assert those_with(league, "ed") == [match.slug]
    assert flaws(league) == []


@on_both
def test_a_substitution_that_was_erased_is_none_in_any_list(league):
    sat_in = league.match(events=[ED_SITS_IN, tally("ann", bo=9, cy=2, di=3), ANN_IS_BACK])
    assert those_with(league, "ed") == [sat_in.slug]
    erased = {"positions": [sat_in.log()[1]["position"]], "reason": "asked for"}
    assert league.owner.post("/erasures", erased).status_code == 201
    assert those_with(league, "ed") == []
    assert flaws(league) == []


@on_both
def test_who_sits_in_at_a_tournaments_tables_finds_all_that_are_open(league):
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic"}
    cup["players"] = ["ann", "bo", "cy", "di"]
    assert league.owner.post("/tournaments", cup).status_code == 201
    told = league.owner.post("/tournaments/cup/events", {"events": [ED_SITS_IN]})
    assert told.status_code == 201, told.text
    assert those_with(league, "ed") == ["cup-s3-t1", "cup-s2-t1", "cup-s1-t1"]
    assert flaws(league) == []

"""A substitute named where the seat's player is expected, and in the reads that name winners."""

from uuid import uuid4

from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both

SITS_IN = {"type": "player_substituted", "player": "ann", "substitute": "ed"}


def named(*events):
    """The events with ids of their own."""
    return [event | {"id": str(uuid4())} for event in events]


def retold(events, name):
    """Return the same events again, with `name` as the winner of the rounds."""
    return [
        event | {"winners": [name]} if event["type"] == "round_tallied" else event
        for event in events
    ]


def amending(*inserted):
    return {"type": "log_amended", "from": 4, "remove": 1, "insert": list(inserted), "reason": "x"}


@on_both
def test_the_log_holds_the_columns_name_and_a_retry_may_use_either(league):
    match = league.match()
    told = named(SITS_IN, tally("ed", bo=20, cy=5, di=7), note(), tally("ed", bo=1, cy=1, di=1))
    first = match.append(*told)
    assert first.status_code == 201, first.text
    assert [entry["data"]["winners"] for entry in match.log() if "winners" in entry["data"]] == [
        ["ann"]
    ] * 4
    for name in ("ed", "ann"):
        again = match.append(*retold(told, name))
        assert (again.status_code, again.content) == (200, first.content)
        one = match.append(retold(told, name)[3])
        assert (one.status_code, one.json()["version"]) == (200, 7)
    reused = match.append(*retold(told, "bo"))
    assert (reused.status_code, reused.json()["code"]) == (409, "event-id-reused")
    assert reused.json()["event_index"] == 1


def test_a_retry_knows_who_sat_down_right_behind_another_name(league):
    league.owner.post("/players", {"player": "flo", "name": "Flo"})
    match = league.match()
    match.tell(SITS_IN)
    seats = {"type": "seats_changed", "players": ["ed", "cy", "bo", "di"]}
    other = {"type": "player_substituted", "player": "bo", "substitute": "flo"}
    told = named(seats, other, tally("flo", ed=20, cy=5, di=7))
    first = match.append(*told)
    assert first.status_code == 201, first.text
    again = match.append(*told)
    assert (again.status_code, again.content) == (200, first.content)


@on_both
def test_an_amendment_is_kept_by_column_and_may_be_sent_again_as_it_was(league):
    match = league.match()
    match.tell(SITS_IN, note(), tally("bo", ann=20, cy=5, di=7))
    (amendment,) = named(amending(tally("ed", bo=2, cy=2, di=2)))
    first = match.append(amendment)
    assert first.status_code == 201, first.text
    assert first.json()["entries"][0]["data"]["insert"][0]["winners"] == ["ann"]
    again = match.append(amendment)
    assert (again.status_code, again.content) == (200, first.content)
    assert match.board()["totals"] == {"ann": 0, "bo": 2, "cy": 2, "di": 2}


@on_both
def test_past_matches_name_the_substitute_and_come_in_once(league):
    events = named(SITS_IN, tally("ed", bo=20), {"type": "match_closed"})
    past = {"match": "past", "edition": "basic", "players": ["ann", "bo"], "events": events}
    answer = league.scorekeeper.post("/past-matches", {"matches": [past]})
    assert answer.status_code == 201, answer.text
    again = league.scorekeeper.post("/past-matches", {"matches": [past]})
    assert (again.status_code, again.json()["matches"][0]["appended"]) == (200, 0)
    table = league.viewer.get("/standings").json()["items"]
    assert [(line["player"], line["won"]) for line in table] == [("ed", 1), ("bo", 0)]


JOINT = {**tally("ann", "bo", cy=5, di=7), "as_played": True}


def told_of(violations):
    return [each["message"] for each in violations]


@on_both
def test_a_batch_names_who_sat_there_then_as_its_retry_does(league):
    match = league.match()
    told = named(JOINT, SITS_IN, JOINT)
    first = match.append(*told)
    assert first.status_code == 201, first.text
    before, after = told_of(first.json()["violations"])
    assert "ann" in before and "ed" not in before.split()
    assert after == before.replace("ann", "ed")
    again = match.append(*told)
    assert (again.status_code, again.content) == (200, first.content)


@on_both
def test_a_refusal_names_who_sits_there_by_then(league):
    match = league.match()
    refused = {**JOINT, "as_played": False}
    at_once = match.append(SITS_IN, refused)
    match.tell(SITS_IN)
    singly = match.append(refused)
    assert told_of(at_once.json()["violations"]) == told_of(singly.json()["violations"])


@on_both
def test_an_amendment_names_who_sat_there_where_it_amends(league):
    match = league.match()
    match.tell(
        {"type": "round_started", "dealer": "cy"},
        {"type": "first_card_turned", "card": "red-5"},
        {"type": "card_played", "player": "di", "card": "wild-draw-four", "color": "blue"},
        {"type": "wild_draw_four_challenged", "by": "ann", "guilty": True},
        {"type": "round_voided", "reason": "x", "redealt": True},
        SITS_IN,
    )
    plain = {"type": "card_played", "player": "di", "card": "red-6"}
    too_many = {"type": "cards_drawn", "player": "ann", "count": 2, "as_played": True}
    amendment = {"from": 4, "remove": 1, "insert": [plain, too_many]}
    would = match.post("/what-if", amendment).json()
    told = match.append({"type": "log_amended", "reason": "x", **amendment}).json()
    for answer in (would, told):
        (violation,), (voided,) = answer["violations"], answer["voided"]
        assert violation["message"].startswith("ann "), violation
        assert voided["message"].startswith("ann "), voided


@on_both
def test_an_amendment_is_refused_by_the_name_of_who_sat_there(league):
    match = league.match()
    match.tell(tally("bo", ann=20, cy=5, di=7))
    amendment = {"from": 2, "remove": 1, "insert": [{**JOINT, "as_played": False}]}
    before = match.post("/what-if", amendment).json()["violations"]
    match.tell(SITS_IN)
    assert match.post("/what-if", amendment).json()["violations"] == before


@on_both
def test_events_of_a_tournament_name_the_substitute_and_the_log_the_column(league):
    slug = f"cup-{uuid4().hex[:8]}"
    players = ["ann", "bo", "cy", "di"]
    cup = {"tournament": slug, "name": "The cup", "edition": "basic", "players": players}
    assert league.scorekeeper.post("/tournaments", cup).status_code == 201
    league.owner.post("/players", {"player": "flo", "name": "Flo"})

    def tell(*events):
        return league.scorekeeper.post(f"/tournaments/{slug}/events", {"events": list(events)})

    handed_over = SITS_IN | {"player": "ed", "substitute": "flo"}
    told = named(SITS_IN, handed_over, {"type": "player_withdrawn", "player": "flo"})
    first = tell(*told)
    assert first.status_code == 201, first.text
    assert [entry["data"]["player"] for entry in first.json()["entries"]] == ["ann"] * 3
    assert first.json()["state"]["withdrawn"] == ["ann"]
    assert tell(*told).json() == first.json()
    head = tell(*told[:2])
    assert (head.status_code, head.json()["version"]) == (200, 3)
    assert tell({**told[1], "player": "ann"}).status_code == 200
    other = tell({**told[1], "player": "bo"})
    assert (other.status_code, other.json()["code"]) == (409, "event-id-reused")

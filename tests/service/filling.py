"""A league with something of everything that a database can keep."""

from scorekeeper.ledger.merkle_tree import TILE_WIDTH
from tests.api.serving import PLAYERS, Caller, League, Served, note, tally

CLOSED = {"type": "match_closed"}


def fill(league: League) -> None:
    """Something of everything that a league can hold, and a full tile of the tree."""
    fill_matches(league)
    long = league.match(events=[note(f"{number}") for number in range(200)])
    size = long.tell(note())["position"]
    assert size > TILE_WIDTH
    # A request for a proof has the hashes of the tree stored.
    asked = {"position": 1, "size": size}
    assert league.owner.get("/log/proof/inclusion", params=asked).is_success


def fill_matches(league: League) -> None:
    """Something of everything that a league can hold."""
    cards = league.match(players=["ann", "bo", "cy"], dealer="ann")
    cards.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-draw-two"})
    cards.tell({"type": "card_played", "player": "cy", "card": "red-5"})
    cards.tell({"type": "card_played", "player": "ann", "card": "blue-skip", "as_played": True})
    won = league.match(players=["ann", "bo"], scoring={"mode": "first-out"})
    won.tell(tally("ann"), note("told in one breath"))
    erased = league.match(players=["ann", "bo"], scoring={"rounds": 2})
    told = erased.tell(tally("ann", bo=7), note())
    erased.tell(tally("bo", ann=3))
    positions = [told["entries"][0]["position"]]
    assert league.owner.post("/erasures", {"positions": positions, "reason": "x"}).is_success
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": PLAYERS[:4]}
    assert league.owner.post("/tournaments", cup).is_success
    table = Caller(league.served, league.owner.token, f"{league.root}/matches/cup-s1-t1")
    seats = table.get().json()["players"]
    played = {"events": [tally(seats[0], **dict.fromkeys(seats[1:], 7))]}
    assert table.post("/events", played).is_success
    assert league.owner.patch("/players/ed", {"name": None}).is_success
    revoked = league.owner.post("/tokens", {"role": "viewer", "name": "x"}).json()["token_id"]
    assert league.owner.delete(f"/tokens/{revoked}").is_success
    again = league.match(players=["ann", "bo"], scoring={"rounds": 1}, at="2026-11-20T19:00:00Z")
    again.tell(tally("ann", bo=7))
    amended = {"from": 2, "remove": 1, "insert": [tally("bo", ann=9)], "reason": "slip"}
    again.tell({"type": "log_amended"} | amended)
    again.tell({"type": "dispute_opened", "by": "ann", "round": 1, "claim": "no"})
    # An amendment inserts a forgotten substitution, after which the match ends again.
    sat_in = {"type": "player_substituted", "player": "ann", "substitute": "cy"}
    late = {"from": 2, "remove": 0, "insert": [sat_in], "reason": "forgotten"}
    again.tell({"type": "log_amended"} | late)
    # Ann and cy never met, which the results of the match do not tell.
    left = league.match(players=["ann", "bo"], scoring={"rounds": 2})
    left.tell(tally("ann", bo=7), sat_in, tally("ann", bo=2))
    closed = league.match(players=["ann", "bo"], events=[tally("bo", ann=3), CLOSED])
    reopened = {"from": 4, "remove": 1, "insert": [], "reason": "too early"}
    closed.tell({"type": "log_amended"} | reopened, tally("bo", ann=3), CLOSED, note())
    assert league.owner.get("/players/ann").json()["rating"] is not None


def rate_to_the_end(served: Served, league: str) -> None:
    """Have all results rated."""
    root = f"/v1/leagues/{league}"
    last = max(each["finished"] for each in served.ask("GET", f"{root}/results").json()["items"])
    assert served.ask("GET", f"{root}/players/ann").json()["rating"]["as_of"] >= last

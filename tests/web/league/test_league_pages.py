"""The pages of a league: what they show, and to whom."""

import itertools
import json
import re
from uuid import uuid4

import pytest

from tests.api.serving import tally

SHOWING = (
    "",
    "/players",
    "/players/ann",
    "/table",
    "/t",
    "/m/evening",
    "/m/evening/tv",
    "/m/evening/r/1",
)
CHANGING = ("/new",)
OWNING = ("/admin",)


@pytest.fixture(scope="module")
def played(served):
    league = served.league()
    match = league.match(match="evening", dealer="ann")
    match.tell(tally("ann", bo=10, cy=20, di=30), tally("bo", ann=1, cy=2, di=3))
    return league


def get(league, path, role, **query):
    token = league.callers[role].token if role in league.callers else None
    return league.served.ask("GET", f"/l/{league.slug}{path}", token=token, params=query)


@pytest.mark.parametrize(
    ("path", "role"),
    list(itertools.product([*SHOWING, *CHANGING, *OWNING], ["viewer", "scorekeeper", "owner"])),
)
def test_a_page_is_for_those_who_may_do_what_it_is_for(played, path, role):
    may = path in SHOWING or role == "owner" or (role == "scorekeeper" and path in CHANGING)
    answer = get(played, path, role)
    assert answer.status_code == (200 if may else 403)


@pytest.mark.parametrize("path", [*SHOWING, *CHANGING, *OWNING])
def test_a_stranger_finds_nothing(played, path):
    other = played.served.league()
    for token in (None, other.owner.token):
        answer = played.served.ask("GET", f"/l/{played.slug}{path}", token=token)
        assert answer.status_code == 404
        assert played.slug not in re.sub(r'href="[^"]*"', "", answer.text)


@pytest.mark.parametrize(
    "path", ["/players/nobody", "/m/nowhere", "/m/nowhere/tv", "/m/evening/r/9", "/t/nowhere"]
)
def test_what_is_not_there_is_404(played, path):
    assert get(played, path, "owner").status_code == 404


def test_a_match_shows_the_totals_of_the_api(played):
    text = get(played, "/m/evening", "viewer").text
    board = played.viewer.get("/matches/evening").json()
    shown = re.findall(r'<th scope="row">(\w+).*?</th><td class="number">(-?\d+)</td>', text)
    assert [(name, int(total)) for name, total in shown][:4] == list(board["totals"].items())
    assert "Round 2" in text


def test_names_are_text(served):
    league = served.league()
    league.owner.patch("/players/ann", {"name": "<b>Ann</b> \"&'"})
    league.match(match="evening", dealer="ann").tell(tally("ann", bo=10, cy=20, di=30))
    for path in (*SHOWING, *CHANGING):
        text = get(league, path, "owner").text
        assert "<b>" not in text


def test_an_invitation_is_shown_once_with_its_picture(served):
    league = served.league()
    answer = served.ask(
        "POST", f"/l/{league.slug}/admin", token=league.owner.token, data={"role": "viewer"}
    )
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    code = re.search(r'class="code">([0-9A-Z]{4}-[0-9A-Z]{4})<', answer.text)[1]
    assert f"http://test/join#{code}" in answer.text
    assert "<svg" in answer.text
    assert code not in get(league, "/admin", "owner").text
    entered = served.ask(
        "POST", "/v1/session", token=None, json={"code": code, "name": "Grandmother"}
    )
    assert entered.json()["role"] == "viewer"


@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_only_an_owner_invites(played, role):
    answer = played.served.ask(
        "POST",
        f"/l/{played.slug}/admin",
        token=played.callers[role].token,
        data={"role": "owner"},
    )
    assert answer.status_code == 403


def test_a_form_of_another_site_invites_nobody(played):
    cookie = f"sk-{played.slug}={played.owner.token}"
    headers = {"cookie": cookie, "sec-fetch-site": "cross-site"}
    answer = played.served.ask(
        "POST", f"/l/{played.slug}/admin", token=None, data={"role": "owner"}, headers=headers
    )
    assert answer.status_code == 404
    assert played.owner.get("/invitations").json()["items"] == []


def test_invitations_stand_with_their_end(served):
    league = served.league()
    ends = [
        league.owner.post("/invitations", {"role": "viewer", "expires_in": each}).json()[
            "expires_at"
        ]
        for each in (3600, 7200)
    ]
    invitations, _, _ = get(league, "/admin", "owner").text.partition(">Devices<")
    assert sorted(re.findall('<time datetime="([^"]*)">', invitations)) == ends


def test_devices_stand_with_their_last_entry(served):
    league = served.league()
    match = league.match(match="evening", dealer="ann")
    league.scorekeeper.post("/matches/evening/events", {"events": [tally("ann", bo=1, cy=2, di=3)]})
    text = get(league, "/admin", "owner").text
    rows = re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', text, re.DOTALL)
    last = {name: re.findall(r'<time datetime="([^"]*)"|none (lately)', row) for name, row in rows}
    told = match.log()[-1]["recorded_at"]
    assert last["scorekeeper"] == [(told, "")]
    assert last["viewer"] == []


def test_what_is_played_now_leaves_out_tables_of_a_tournament_where_nobody_has_begun(served):
    league = served.league()
    league.match(match="just-opened", dealer="ann")
    cup = {
        "tournament": "cup",
        "name": "Cup",
        "edition": "basic",
        "players": ["ann", "bo", "cy", "di"],
    }
    opened = league.owner.post("/tournaments", cup).json()
    first, second, *_ = [segment["tables"][0]["match"] for segment in opened["segments"]]
    told = {"events": [tally("ann", bo=10, cy=20, di=30)]}
    assert league.owner.post(f"/matches/{first}/events", told).status_code == 201
    text = get(league, "", "viewer").text
    cards = re.findall(r'<h3 id="running-\d+"><a href="/l/[^/]+/m/([^"]+)"', text)
    assert set(cards) == {"just-opened", first}
    assert second not in text


def test_the_many_open_tables_of_a_tournament_hide_no_match_and_no_dispute(served):
    league = served.league()
    league.match(match="quarrelled", dealer="ann").tell(tally("ann", bo=10, cy=20, di=30))
    claim = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "not so"}
    told = {"events": [claim]}
    assert league.owner.post("/matches/quarrelled/events", told).status_code == 201
    won = {"mode": "winner-collects", "target": 50}
    league.match(match="ended", dealer="ann", scoring=won).tell(tally("ann", bo=60, cy=20, di=30))
    cup = {
        "tournament": "cup",
        "name": "Cup",
        "edition": "basic",
        "players": ["ann", "bo", "cy", "di"],
    }
    for number in range(5):
        asked = cup | {"tournament": f"cup-{number}"}
        assert league.owner.post("/tournaments", asked).status_code == 201
    text = get(league, "", "viewer").text
    cards = re.findall(r'<h3 id="running-\d+"><a href="/l/[^/]+/m/([^"]+)"', text)
    assert cards == ["quarrelled"]
    assert "1 open dispute in quarrelled" in text
    last = text[text.index("Last matches") :]
    assert re.search(r'/m/ended">ended<span class="hint"> ★ ann</span>', last)
    assert "quarrelled" not in last
    match = get(league, "/m/quarrelled", "viewer").text
    assert (
        f'<a href="/l/{league.slug}/m/quarrelled/r/1#disputes">1 open dispute about round 1</a>'
        in match
    )
    assert 'id="disputes"' in get(league, "/m/quarrelled/r/1", "viewer").text
    assert "open dispute" not in get(league, "/m/ended", "viewer").text


def test_the_last_matches_are_those_of_which_a_round_was_played(served):
    league = served.league()
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": [*"abcd"]}
    for player in cup["players"]:
        league.owner.post("/players", {"player": player, "name": player})
    assert league.scorekeeper.post("/tournaments", cup).status_code == 201
    told = tally("a", b=1, c=2, d=3)
    league.scorekeeper.post("/matches/cup-s1-t1/events", {"events": [told]})
    away = {"type": "player_withdrawn", "player": "d"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [away]})
    assert re.findall(r"/m/([\w-]+)", get(league, "", "viewer").text) == ["cup-s1-t1"]


def test_a_match_that_was_abandoned_is_said_to_be_among_the_last_ones(served):
    league = served.league()
    told = tally("ann", bo=10, cy=20, di=30)
    league.match(match="dropped").tell(told, {"type": "match_abandoned", "reason": "late"})
    league.match(match="played").tell(told, {"type": "match_closed"})
    text = get(league, "", "viewer").text
    last = dict(re.findall(r'/m/(\w+)">\w+<span class="hint"> ([^<]*)</span>', text))
    assert last == {"dropped": "(abandoned)", "played": "★ ann"}


def test_a_match_of_the_past_that_comes_in_later_is_not_the_last_one(served):
    league = served.league()
    won = {"mode": "winner-collects", "target": 50}
    tonight = league.match(match="tonight", players=["cy", "ann"], dealer="cy", scoring=won)
    tonight.tell(tally("ann", cy=60))
    event = tally("di", bo=60) | {"id": str(uuid4())}
    past = {"match": "long-ago", "edition": "basic", "players": ["bo", "di"], "scoring": won}
    past |= {"at": "2019-03-01T19:00:00Z", "events": [event]}
    answer = league.scorekeeper.post("/past-matches", {"matches": [past]})
    assert answer.status_code == 201, answer.text
    text = get(league, "", "viewer").text
    last = text[text.index("Last matches") :]
    assert re.findall(r"/m/([\w-]+)", last) == ["tonight", "long-ago"]
    form = get(league, "/new", "scorekeeper").text
    given = json.loads(re.search(r'id="given">(.*?)</script>', form, re.DOTALL)[1])
    assert given["last"]["players"] == ["cy", "ann"]


def test_links_of_one_name_say_to_which_match_they_lead(served):
    """Whoever lists the links of a page, or goes from one to the next, hears nothing else."""
    league = served.league()
    for match in ("late", "later"):
        league.match(match=match).tell({"type": "round_started", "dealer": "ann"})
    text = get(league, "", "scorekeeper").text
    titles = dict(re.findall(r'<h3 id="([^"]+)"><a href="[^"]*/m/([^"]+)">', text))
    assert sorted(titles.values()) == ["late", "later"]
    links = re.findall(r'class="button[^>]*/m/(\w+)/(\w+)" aria-describedby="([^"]+)">', text)
    assert [page for _, page, _ in links] == ["pad", "cards", "tv"] * 2
    assert [match for match, *_ in links] == [titles[title] for *_, title in links]

"""Lists: pages, cursors, Link headers, and the filters of the list of matches."""

import msgspec
import pytest

from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both


def walk(caller, path, limit, **query):
    """All items of a list, followed by its Link headers."""
    items, pages = [], 0
    answer = caller.get(path, params={"limit": limit, **query})
    while True:
        page = answer.json()
        first = str(answer.url.copy_remove_param("cursor").raw_path, "ascii")
        assert sorted(page.keys() - {"recorders"}) == ["items", "next"]
        assert len(page["items"]) <= limit
        items += page["items"]
        pages += 1
        if page["next"] is None:
            assert answer.headers["link"] == f'<{first}>; rel="first"'
            return items, pages
        target, _, relation = answer.headers["link"].partition("; ")
        assert relation == 'rel="next"'
        by_cursor = caller.get(path, params={"limit": limit, **query, "cursor": page["next"]})
        answer = caller.served.ask("GET", target.strip("<>"), token=caller.token)
        assert answer.content == by_cursor.content


@on_both
@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("path", "key", "count"),
    [
        ("/players", "player", 6),
        ("/tokens", "token_id", 3),
        ("/matches", "match", 6),
        ("/matches/one/events", "version", 7),
        ("/matches/one/rounds", "round", 3),
    ],
)
def test_a_list_is_the_same_in_pages_of_any_size(league, path, key, count, limit):
    league.owner.post("/players", {"player": "flo", "name": "Flo"})
    league.match(match="one", events=[tally("ann", bo=1, cy=2, di=3)] * 3)
    for _ in range(5):
        league.match()
    items, pages = walk(league.owner, path, limit)
    keys = [item[key] for item in items]
    assert len(set(keys)) == len(keys) == count
    assert pages == -(-count // limit)
    (whole, _) = walk(league.owner, path, 1000)
    assert items == whole
    order = keys if path != "/matches" else [-item["position"] for item in items]
    assert order == sorted(order)


def test_leagues_in_pages(league):
    for _ in range(3):
        league.served.league(players=())
    admin = league.admin
    admin.root = ""
    items, _ = walk(admin, "/v1/leagues", 2)
    assert items == walk(admin, "/v1/leagues", 1000)[0]
    owner = league.owner
    owner.root = ""
    assert walk(owner, "/v1/leagues", 1) == ([{"league": league.slug, "name": "Our league"}], 1)


def test_a_page_holds_a_hundred_where_nothing_is_said(league):
    match = league.match()
    match.tell(*[note()] * 120)
    page = match.get("/events").json()
    assert len(page["items"]) == 100
    assert page["next"]


@pytest.mark.parametrize("path", ["/players", "/matches", "/matches/one/rounds", "/results"])
def test_a_page_ends_before_it_is_longer_than_it_may(league, path, monkeypatch):
    league.match(match="one", events=[tally("ann", bo=1, cy=2, di=3)] * 3)
    for _ in range(3):
        league.match(events=[tally("ann", bo=500, cy=1, di=1)])
    items, pages = walk(league.owner, path, 1000)
    assert (len(items) > 2, pages) == (True, 1)
    longest = max(len(msgspec.json.encode(item)) for item in items)
    monkeypatch.setattr("scorekeeper.api.lists.PAGE_BYTES", 2 * longest)
    assert walk(league.owner, path, 1000) == (items, -(-len(items) // 2))
    monkeypatch.setattr("scorekeeper.api.lists.PAGE_BYTES", 1)
    assert walk(league.owner, path, 1000) == (items, len(items))


@pytest.mark.parametrize("limit", ["0", "-1", "1001", "x", "", "1.5", "99999999999999999999"])
@pytest.mark.parametrize("path", ["/players", "/tokens", "/matches", "/matches/{m}/events"])
def test_a_limit_is_1_to_1000(league, path, limit):
    answer = league.owner.get(path.format(m=league.match().slug), params={"limit": limit})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "!",
        "ann",
        "AA",
        "é",
        "=" * 10,
        "x" * 513,
        "AAAA",
        "8J-CoQ",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA",
    ],
)
@pytest.mark.parametrize(
    "path", ["/players", "/tokens", "/matches", "/matches/{m}/events", "/matches/{m}/rounds"]
)
def test_a_cursor_that_is_none_of_ours_is_refused_or_harmless(league, path, cursor):
    answer = league.owner.get(path.format(m=league.match().slug), params={"cursor": cursor})
    if answer.status_code != 200:
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    elif path.startswith("/matches"):
        pytest.fail("a cursor of these lists is a number")


@pytest.mark.parametrize("cursor", ["", "!", "!!!", "YW5u!", "YW5u=", "YW5v YW", "YR", "=" * 10])
def test_a_cursor_is_spelled_as_we_spell_it(league, cursor):
    """A base64 decoder would read `YR` like `YQ`, and skip characters that are not base64."""
    answer = league.owner.get("/players", params={"cursor": cursor})
    assert (answer.status_code, answer.json().get("reason")) == (400, "cursor")


def test_what_is_added_while_one_pages_neither_doubles_nor_hides(league):
    slugs = [league.match().slug for _ in range(4)]
    page = league.viewer.get("/matches", params={"limit": 2}).json()
    newer = league.match().slug
    rest = league.viewer.get("/matches", params={"limit": 10, "cursor": page["next"]}).json()
    seen = [item["match"] for item in (*page["items"], *rest["items"])]
    assert seen == slugs[::-1]
    assert newer not in seen


@on_both
def test_the_list_of_matches_is_filtered(league):
    won = league.match(scoring={"target": 5}, events=[tally("bo", ann=9, cy=2, di=3)])
    abandoned = league.match(players=["ann", "ed"], edition="mickey")
    abandoned.tell({"type": "match_abandoned", "reason": "bedtime"})
    going = league.match(players=["ed", "bo"], edition="mickey")
    closed = league.match(events=[tally("bo", ann=9, cy=2, di=3), {"type": "match_closed"}])

    def listed(**query):
        return [
            item["match"] for item in league.viewer.get("/matches", params=query).json()["items"]
        ]

    everything = [closed.slug, going.slug, abandoned.slug, won.slug]
    assert listed() == everything
    assert listed(status="won") == [closed.slug, won.slug]
    assert listed(status="abandoned") == [abandoned.slug]
    assert listed(status="open") == [going.slug]
    assert listed(edition="mickey") == [going.slug, abandoned.slug]
    assert listed(player="ed") == [going.slug, abandoned.slug]
    assert listed(player="ann", edition="basic", status="won") == [closed.slug, won.slug]
    assert listed(player="ann", status="open") == []
    assert listed(player="nobody") == listed(edition="nothing") == []
    # Slugs are matched whole.
    assert listed(player="e") == listed(player="d") == listed(player="an") == []
    assert walk(league.viewer, "/matches", 1, player="ann")[0] == [
        item for item in league.viewer.get("/matches").json()["items"] if "ann" in item["players"]
    ]
    entry = league.viewer.get("/matches", params={"status": "won"}).json()["items"][-1]
    assert entry == {
        "match": won.slug,
        "edition": "basic",
        "status": "won",
        "players": ["ann", "bo", "cy", "di"],
        "winners": ["bo"],
        "opened_at": won.log()[0]["recorded_at"],
        "position": won.opened.json()["entries"][0]["position"],
        "open_disputes": 0,
        "round": 1,
        "totals": {"ann": 9, "bo": 0, "cy": 2, "di": 3},
        "changed_at": won.log()[-1]["recorded_at"],
    }


@pytest.mark.parametrize("query", [{"status": "lost"}, {"status": ""}, {"player": "x" * 64}])
def test_a_filter_that_can_not_be_read_is_a_400(league, query):
    assert league.viewer.get("/matches", params=query).status_code == 400


def test_a_list_of_nothing(league):
    assert league.viewer.get("/matches").json() == {"items": [], "next": None}
    assert league.match().get("/rounds").json() == {"items": [], "next": None}

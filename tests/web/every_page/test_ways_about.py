"""Navigation: which pages a role may open, and the links between them."""

import re

import pytest

from scorekeeper.api.problems import refusal_and_status
from scorekeeper.web.application import pages_application
from tests.api.serving import tally

FOUR = ["ann", "bo", "cy", "di"]
_CRUMBS = re.compile(r"<nav aria-label=[^>]*>(.*?)</nav>", re.DOTALL)
_LINK = re.compile(r'<a href="([^"]*)">([^<]*)</a>')


@pytest.fixture(scope="module")
def league(served):
    """A league with a tournament whose slug, `new`, is also the name of a page."""
    found = served.league()
    asked = {"tournament": "new", "name": "New", "edition": "basic", "players": FOUR}
    assert found.scorekeeper.post("/tournaments", asked).status_code == 201
    match = found.match(match="evening", dealer="ann")
    match.tell(tally("ann", bo=10, cy=20, di=30))
    told = {"events": [tally("ann", bo=1, cy=2, di=3)]}
    found.scorekeeper.post("/matches/new-s1-t1/events", told)
    return found


def shown(league, path, role="viewer", language="en"):
    token = league.callers[role].token
    headers = {"accept-language": language}
    return league.served.ask("GET", f"/l/{league.slug}{path}", token=token, headers=headers)


def crumbs(league, path, language="en"):
    text = shown(league, path, "owner", language).text
    return [
        (address.removeprefix(f"/l/{league.slug}"), label)
        for address, label in _LINK.findall(_CRUMBS.search(text)[1])
    ]


@pytest.mark.parametrize(
    ("role", "path", "may", "asked_for"),
    [
        ("viewer", "/new", "This device may watch, and no more.", "a code that lets you score."),
        ("viewer", "/admin", "This device may watch, and no more.", "a code that lets you own."),
        ("scorekeeper", "/admin", "may watch and score, and no more.", "a code that lets you own."),
    ],
)
def test_who_may_not_see_a_page_reads_what_the_device_may_and_what_to_ask_for(
    league, role, path, may, asked_for
):
    answer = shown(league, path, role)
    assert answer.status_code == 403
    assert may in answer.text
    assert asked_for in answer.text


def test_no_slug_hides_a_page():
    """Where one address has a fixed word, no other has a slug; `/t/new` once broke this."""
    paths = [
        tuple(route.path.strip("/").split("/"))
        for route in pages_application(refusal_and_status).routes
    ]
    places = {}
    for path in paths:
        for at, part in enumerate(path):
            places.setdefault(path[:at], set()).add(part)
    mixed = {
        parents: parts
        for parents, parts in places.items()
        if len(parts) > 1 and any(part.startswith("{") for part in parts)
    }
    assert mixed == {}


def test_a_tournament_that_is_called_new_has_all_its_pages(league):
    form = shown(league, "/t/new", "scorekeeper")
    assert "Open tournament" in form.text
    (address,) = re.findall(r'href="/l/[^/]+(/t/[^"]*)"><bdi>New</bdi> ', shown(league, "/t").text)
    assert address in shown(league, "").text
    for path in (address, f"{address}?matrix=partners", "/t/new/hall", "/t/new/print"):
        answer = shown(league, path)
        assert answer.status_code == 200
        assert "<h1>New</h1>" in answer.text
    assert address in {link for link, _ in crumbs(league, "/t/new/hall")}


def test_any_other_tournament_has_its_page_at_both_addresses(served):
    league = served.league()
    asked = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": FOUR}
    league.scorekeeper.post("/tournaments", asked)
    texts = [shown(league, f"/t/cup{end}").text for end in ("", "/standings")]
    assert texts[0] == texts[1].replace("/t/cup/standings?", "/t/cup?")
    assert f'href="/l/{league.slug}/t/cup"' in shown(league, "/t").text


def test_a_match_leads_back_to_its_tournament_and_the_hall_and_a_replay_to_its_match(league):
    back = [("/", "Home"), ("", "League")]
    table = crumbs(league, "/m/new-s1-t1")
    assert table == [*back, ("/t/new/standings", "Tournament"), ("/t/new/hall", "Hall")]
    assert crumbs(league, "/m/evening") == back
    assert crumbs(league, "/m/new-s1-t1/r/1") == [*back, ("/m/new-s1-t1", "Match")]


@pytest.mark.parametrize("pad", ["pad", "cards"])
def test_the_pad_of_a_table_leads_to_the_hall_where_the_next_segment_is(league, pad):
    back = [("/", "Home"), ("", "League")]
    to_match = [*back, ("/m/new-s1-t1", "Match")]
    assert crumbs(league, f"/m/new-s1-t1/{pad}") == [*to_match, ("/t/new/hall", "Hall")]
    assert crumbs(league, f"/m/evening/{pad}") == [*back, ("/m/evening", "Match")]


@pytest.mark.parametrize("role", ["scorekeeper", "viewer"])
def test_a_table_whose_rounds_are_played_leads_to_the_next_segment_by_a_button(league, role):
    """From the last segment there is no way but to the standings."""
    cup = f"cup-{role}"
    asked = {"tournament": cup, "name": cup, "edition": "basic", "players": FOUR}
    league.scorekeeper.post("/tournaments", asked)
    onwards = f'<a class="button" href="/l/{league.slug}/t/{cup}/hall">Where do I sit next?</a>'
    assert onwards not in shown(league, f"/m/{cup}-s1-t1", role).text
    standings = f'href="/l/{league.slug}/t/{cup}">Standings</a>'
    told = {"events": [tally("ann", bo=1, cy=2, di=3)] * 4}
    for segment, kind, leads in [(1, "button plain", True), (3, "button", False)]:
        match = f"{cup}-s{segment}-t1"
        league.scorekeeper.post(f"/matches/{match}/events", told)
        for path, reader in [("", role), ("/pad", "scorekeeper")]:
            text = shown(league, f"/m/{match}{path}", reader).text
            assert (onwards in text) is leads
            assert f'<a class="{kind}" {standings}' in text
        assert f'href="/l/{league.slug}/new"' not in shown(league, f"/m/{match}", role).text


@pytest.mark.parametrize("path", ["/table", "/t", "/m/evening", "/m/new-s1-t1/r/1", "/t/new/hall"])
def test_no_word_stands_twice_on_the_way_back_in_chinese(league, path):
    labels = [label for _, label in crumbs(league, path, "zh-TW")]
    assert not [
        (one, other)
        for at, one in enumerate(labels)
        for other in labels[at + 1 :]
        if one in other or other in one
    ]


@pytest.mark.parametrize(("path", "ways"), [("/new", [""]), ("/m/evening/pad", ["", "/m/evening"])])
def test_who_may_not_see_a_page_finds_the_way_back_to_what_may_be_seen(league, path, ways):
    text = shown(league, path, "viewer").text
    root = f"/l/{league.slug}"
    found = [address for address, _ in _LINK.findall(_CRUMBS.search(text)[1])]
    assert found == ["/", *[root + way for way in ways]]


@pytest.mark.parametrize(
    ("told", "first", "second"),
    [([], "pad", "cards"), ([{"type": "round_started"}], "cards", "pad")],
)
def test_a_round_that_is_followed_card_by_card_is_gone_on_with_there(league, told, first, second):
    """Saving it on the other pad would end the round for those who follow it card by card."""
    match = league.match(dealer="ann")
    if told:
        match.tell(*told)
    text = shown(league, f"/m/{match.slug}", "scorekeeper").text
    address = f"/l/{league.slug}/m/{match.slug}/"
    assert f'class="button" href="{address}{first}"' in text
    assert f'class="button plain" href="{address}{second}"' in text
    listed = shown(league, "", "scorekeeper").text
    assert f'class="button" href="{address}{first}"' in listed


@pytest.mark.parametrize(("role", "leads"), [("scorekeeper", True), ("viewer", False)])
def test_a_match_that_is_over_leads_to_the_next_one(league, role, leads):
    match = league.match(dealer="ann", scoring={"mode": "winner-collects", "target": 50})
    onwards = f'href="/l/{league.slug}/new"'
    assert onwards not in shown(league, f"/m/{match.slug}", role).text
    match.tell(tally("ann", bo=20, cy=20, di=30))
    assert (onwards in shown(league, f"/m/{match.slug}", role).text) is leads

"""Pages of a league in which nothing was played say so, and lead whoever may to the beginning."""

import re

import pytest

from tests.api.serving import tally

_EMPTY = re.compile(r'<p class="empty">(.*?)</p>', re.DOTALL)
_LINK = re.compile(r'<a href="([^"]*)">([^<]*)</a>')


@pytest.fixture(scope="module")
def fresh(served):
    league = served.league()
    league.match(match="evening")
    league.match(match="dropped").tell({"type": "match_abandoned", "reason": "Nobody came."})
    return league


def said(league, path, role="scorekeeper", language="en"):
    """Return the last sentence about what is not there, and where its link leads, if it has one."""
    answer = league.served.ask(
        "GET",
        f"/l/{league.slug}{path}",
        token=league.callers[role].token,
        headers={"accept-language": language},
    )
    assert answer.status_code == 200
    empty = _EMPTY.findall(answer.text)[-1]
    links = [address.removeprefix(f"/l/{league.slug}") for address, _ in _LINK.findall(empty)]
    return re.sub("<[^>]*>", "", empty).strip(), links


@pytest.mark.parametrize(
    ("people", "leads"), [((), "/players"), (("ann",), "/players"), (("ann", "bo"), "/new")]
)
def test_a_league_without_matches_leads_to_the_first_one_or_to_its_people(served, people, leads):
    league = served.league(list(people))
    sentence, links = said(league, "")
    assert links == [leads]
    assert sentence.startswith("No match has been played yet. ")
    assert said(league, "", "viewer") == ("No match has been played yet.", [])


@pytest.mark.parametrize(
    ("path", "nothing", "leads"),
    [
        ("/m/evening", "No round has been played yet.", "/m/evening/pad"),
        ("/table", "No match has been won yet.", ""),
        ("/players/ann", "No match has been won yet.", ""),
    ],
)
def test_a_page_without_results_leads_to_where_they_come_from(fresh, path, nothing, leads):
    sentence, links = said(fresh, path)
    assert links == [leads]
    assert sentence.startswith(f"{nothing} ")
    assert said(fresh, path, "viewer") == (nothing, [])
    assert nothing not in said(fresh, path, language="zh-TW")[0]


def test_a_list_without_people_says_so_and_how_one_begins(served):
    league = served.league([])
    nobody = "Nobody has been added yet."
    assert said(league, "/players") == (f"{nobody} Add the people who play below.", [])
    assert said(league, "/players", "viewer") == (nobody, [])
    assert nobody not in said(league, "/players", language="zh-TW")[0]


def test_a_match_that_was_abandoned_at_once_leads_to_no_pad(fresh):
    assert said(fresh, "/m/dropped") == ("No round has been played yet.", [])


def test_a_match_with_rounds_says_how_one_is_put_right_to_whoever_may_record(served):
    league = served.league()
    match = league.match(match="evening", dealer="ann")
    asked = ("GET", f"/l/{league.slug}/m/evening")
    keeper, viewer = league.callers["scorekeeper"].token, league.callers["viewer"].token
    said_so = "Was a round told wrongly?"
    match.tell({"type": "round_started"})
    assert said_so not in served.ask(*asked, token=keeper).text
    match.tell(tally("ann", bo=10, cy=20, di=30))
    assert said_so in served.ask(*asked, token=keeper).text
    assert said_so not in served.ask(*asked, token=viewer).text

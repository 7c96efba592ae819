"""The admin page besides access: players' names, and what the service signed of the log."""

import base64
import re

import pytest

from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.refused import Refused
from tests.web.shown_tables import shown_tables


def shown(league):
    answer = league.served.ask("GET", f"/l/{league.slug}/admin", token=league.owner.token)
    assert answer.status_code == 200
    return answer.text


def test_the_checkpoint_is_the_one_that_the_api_signs(league):
    origin, size, root, *_ = league.owner.get("/log/checkpoint").text.split("\n")
    rows = dict(shown_tables(shown(league))["Signed checkpoint"])
    assert rows == {"Log": origin, "Entries": size, "Root": base64.b64decode(root).hex()}


def test_a_log_that_is_not_signed_any_more_leaves_the_page_and_says_so(league, monkeypatch):
    async def forked(*_):
        raise Refused("log-forked", reason="fork")

    monkeypatch.setattr(Evidence, "checkpoint", forked)
    text = shown(league)
    assert "Signed checkpoint" not in text
    assert "does not continue what was signed of it before" in text
    assert f"scorekeeper verify {league.slug}.tar" in text


def test_without_a_script_the_page_says_that_changing_needs_one(league):
    answer = league.served.ask("GET", f"/l/{league.slug}/admin", token=league.owner.token)
    notices = re.findall(r"<noscript>(.*?)</noscript>", answer.text, re.DOTALL)
    assert len(notices) == 1
    assert 'role="alert"' in notices[0]
    assert "To change something here, this page needs JavaScript" in notices[0]
    # Inviting needs no JavaScript, and comes before the notice.
    invites, changes = answer.text.split("<noscript>")
    assert '<form method="post"' in invites
    assert "data-" not in invites
    assert "data-revoke" in changes


@pytest.mark.parametrize("player", ["ann", "bo"])
def test_names_stand_beside_what_the_log_has(league, player):
    league.owner.patch("/players/ann", {"name": None})
    names = {row[1]: row[0] for row in shown_tables(shown(league))["Names"][1:]}
    told = league.owner.get(f"/players/{player}").json()["name"]
    assert names[player] == (told or player)


@pytest.mark.parametrize(
    ("address", "only_here"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("http://192.168.1.7:8000", False),
        ("https://uno.example.org", False),
    ],
)
def test_an_invitation_that_no_phone_can_open_says_so(league, address, only_here):
    answer = league.served.ask(
        "POST",
        f"/l/{league.slug}/admin",
        token=league.owner.token,
        data={"role": "viewer"},
        headers={"host": address.partition("//")[2]},
    )
    assert ("A phone can&#39;t open this address" in answer.text) == only_here, answer.text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "key for programs"), ("zh-TW", "供程式使用的金鑰")],
)
def test_the_key_that_came_with_the_league_is_told_from_devices(league, language, said):
    """The label tells it from a device of the same name."""
    made = league.owner.post("/tokens", {"role": "owner", "name": "owner"})
    assert made.status_code == 201
    answer = league.served.ask(
        "GET",
        f"/l/{league.slug}/admin",
        token=made.json()["token"],
        headers={"accept-language": language},
    )
    devices = shown_tables(answer.text)["Devices" if language == "en" else "裝置"]
    told = [row[0] for row in devices if row[0].startswith("owner")]
    assert sum(said in name for name in told) == 1
    assert len(told) == 2

"""What holds of every page, and of the files that pages load."""

import gzip
import json
import re
import struct
from importlib.resources import files
from pathlib import Path

import pytest

from scorekeeper.web.page import POLICY
from scorekeeper.web.static_files import STATIC, StaticFiles
from tests.api.serving import serving, tally
from tests.databases import migrated

PUBLIC = ("/", "/join", "/offline", "/e/basic", "/e/hello-kitty")


def get(served, path, **headers):
    return served.ask(
        "GET", path, token=None, headers={name.replace("_", "-"): v for name, v in headers.items()}
    )


def test_the_icon_of_home_screens_is_what_the_manifest_says_of_it(served):
    """An iPhone takes no SVG; without a bitmap it makes an icon from the page's text."""
    (icon,) = get(served, "/manifest.webmanifest").json()["icons"]
    image = get(served, icon["src"])
    assert image.headers["content-type"] == icon["type"] == "image/png"
    assert image.content.startswith(b"\x89PNG")
    assert "{}x{}".format(*struct.unpack(">II", image.content[16:24])) == icon["sizes"]


def test_all_that_the_worker_keeps_is_there(served):
    """If one file is missing, the worker caches none, and no pad opens without a network."""
    (shell,) = re.findall(r"^const FILES = (\[.*\]);$", get(served, "/sw.js").text, re.MULTILINE)
    addresses = json.loads(shell)
    assert {"/offline", STATIC.address("pad/page.js")} <= set(addresses)
    assert {get(served, address).status_code for address in addresses} == {200}


@pytest.mark.parametrize("path", PUBLIC)
@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_page_is_in_the_language_asked_for(served, path, language):
    answer = get(served, path, accept_language=language)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == language
    assert f'<html lang="{language}">' in answer.text


def test_the_language_chosen_last_is_kept(served):
    chosen = get(served, "/?lang=zh-TW", accept_language="en")
    assert chosen.headers["content-language"] == "zh-TW"
    cookie = chosen.headers["set-cookie"].partition(";")[0]
    assert get(served, "/", accept_language="en", cookie=cookie).headers["content-language"] == (
        "zh-TW"
    )


def test_a_language_is_chosen_once_more_on_a_page_that_the_browser_still_has(served):
    chosen = get(served, "/?lang=zh-TW")
    again = get(served, "/?lang=zh-TW", if_none_match=chosen.headers["etag"])
    assert again.status_code == 304
    assert again.headers["set-cookie"] == chosen.headers["set-cookie"]


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [("en", "Set up Scorekeeper", "Join a league"), ("zh-TW", "開始使用 Scorekeeper", "加入聯盟")],
)
def test_a_code_is_for_setting_up_until_there_is_a_league(
    request, tmp_path, language, before, after
):
    with migrated("sqlite", request, tmp_path) as url, serving(url) as fresh:
        assert f"<h1>{before}</h1>" in get(fresh, "/join", accept_language=language).text
        fresh.league()
        assert f"<h1>{after}</h1>" in get(fresh, "/join", accept_language=language).text


def test_an_owner_is_told_that_a_code_takes_the_place_of_what_this_device_may(served):
    """A league's only owner could lose that role by entering another device's code."""
    league = served.league()
    loses = "This device may do everything in"
    told = {
        role: loses in served.ask("GET", "/join", token=caller.token).text
        for role, caller in league.callers.items()
    }
    assert told == {"viewer": False, "scorekeeper": False, "owner": True}
    assert loses not in get(served, "/join").text


@pytest.mark.parametrize("path", [*PUBLIC, "/l/nowhere", "/e/nowhere", "/l/nowhere/no/such/page"])
def test_every_page_has_the_policy(served, path):
    answer = get(served, path)
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "private, no-cache"
    assert not re.search(
        r"<script(?![^>]*(src=|application/json))|<style| style=| on\w+=", answer.text
    )


@pytest.mark.parametrize("path", ["/l/nowhere", "/e/nowhere", "/l/nowhere/no/such/page"])
def test_what_a_stranger_may_not_see_is_not_there(served, path):
    answer = get(served, path)
    assert answer.status_code == 404
    assert 'href="/join"' in answer.text


def test_files_are_kept_for_ever_under_their_digest(served):
    for name in STATIC:
        answer = get(served, STATIC.address(name), accept_encoding="gzip")
        assert answer.status_code == 200
        assert answer.content == STATIC.get(name).content
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_files_are_sent_without_what_only_their_readers_need():
    ours = [name for name in STATIC if name.endswith((".css", ".js")) and "vendor/" not in name]
    commented = re.compile(r"/\*|^\s*//|^ ", re.MULTILINE)
    assert [name for name in ours if commented.search(STATIC.text(name))] == []
    spaced = re.compile(r"[:;,{}]\s|\s[;,{}]|;}")
    sheets = [name for name in ours if name.endswith(".css")]
    assert [name for name in sheets if spaced.search(STATIC.text(name))] == []


def test_a_file_that_has_changed_lies_at_another_address(tmp_path):
    def address_of(content):
        (tmp_path / "sheet.css").write_text(content, encoding="utf-8")
        return StaticFiles(tmp_path).address("sheet.css")

    assert address_of("p{margin:1px}") != address_of("p{margin:2px}")


@pytest.mark.parametrize("accept", ["*/*", "text/html,*/*;q=0.8"])
@pytest.mark.parametrize(
    "path",
    [
        "/static/0/sheet.css",
        "/static/{}/nowhere.js",
        "/static/{}/vendor/preact.d.ts",
        "/static/{}/",
        "/static/{}//sheet.css",
        "/static/{}",
        "/static/",
        "/static",
    ],
)
def test_a_file_that_is_not_there_is_a_problem_and_no_page(served, path, accept):
    answer = get(served, path.format(STATIC.digest), accept=accept)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (answer.json()["type"], answer.json()["code"]) == ("/problems/not-found", "not-found")


def test_no_form_puts_what_is_typed_into_the_address_unless_it_says_so():
    """Until its script has loaded, a browser sends a form without `method` by GET."""
    templates = Path(str(files("scorekeeper.web").joinpath("templates")))
    forms = [
        form
        for each in templates.rglob("*.html")
        for form in re.findall(r"<form[^>]*>", each.read_text(encoding="utf-8"))
    ]
    assert forms
    assert [form for form in forms if "method=" not in form] == []


def test_the_sheet_stays_small():
    assert len(gzip.compress(STATIC.get("sheet.css").content, 9)) <= 5_000


def test_a_board_that_can_not_follow_says_so(served):
    league = served.league()
    league.match(match="evening")
    cup = {
        "tournament": "cup",
        "name": "Cup",
        "edition": "basic",
        "players": ["ann", "bo", "cy", "di"],
    }
    league.scorekeeper.post("/tournaments", cup)
    token = league.viewer.token
    for path in ("m/evening/tv", "t/cup/hall"):
        page = served.ask("GET", f"/l/{league.slug}/{path}", token=token).text
        (said,) = re.findall("<noscript>(.*?)</noscript>", page)
        assert "Without JavaScript this page stays as it was opened." in said


def test_a_board_begins_with_the_round_that_ended_last(served):
    league = served.league()
    match = league.match(match="evening", players=["ann", "bo"])
    match.tell(tally("ann", bo=12), {"type": "round_started", "dealer": "ann"})
    page = served.ask("GET", f"/l/{league.slug}/m/evening/tv", token=league.viewer.token).text
    (given,) = re.findall(r'id="given">(.*?)</script>', page, re.DOTALL)
    assert json.loads(given)["last"]["round"] == 1

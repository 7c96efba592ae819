import gzip
import hashlib
import json
import re
from importlib.resources import files
from urllib.parse import urljoin

import pytest
from litestar import Litestar

from scorekeeper.api.application import document
from scorekeeper.api.document.documentation import POLICY, committed_document, documentation_routes
from scorekeeper.api.layers.representation import LEAST, Conditional
from scorekeeper.api.problems import EXCEPTION_HANDLERS
from tests.api.edges import ask

STATIC = files("scorekeeper.api").joinpath("static")
OURS = {"docs.html", "docs.css", "docs.js", "manifest.json"}
ASSETS = ["docs.css", "docs.js", "swagger-ui-bundle.js", "swagger-ui.css"]


@pytest.fixture(scope="module")
def app():
    asked = []

    def document():
        asked.append(1)
        return b'{"asked": %d}\n' % len(asked)

    litestar = Litestar(
        documentation_routes(document), exception_handlers=EXCEPTION_HANDLERS, openapi_config=None
    )
    return Conditional(litestar)


def test_the_manifest_tells_every_file_that_is_not_ours():
    [package] = json.loads(STATIC.joinpath("manifest.json").read_text())["packages"]
    assert (package["name"], package["licence"]) == ("swagger-ui-dist", "Apache-2.0")
    assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"])
    assert set(package["files"]) | OURS == {file.name for file in STATIC.iterdir()}
    for name, said in package["files"].items():
        content = STATIC.joinpath(name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == said["sha256"], name


def test_the_licence_lies_beside_what_it_covers():
    assert "Apache License" in STATIC.joinpath("swagger-ui.LICENSE.txt").read_text()


def test_the_document_is_made_once_and_served_as_json(app):
    first, second = (ask(app, "GET", "/openapi.json") for _ in range(2))
    assert first.headers["content-type"].startswith("application/json")
    assert first.json() == second.json() == {"asked": 1}


def test_the_document_that_is_served_was_made_beforehand():
    assert committed_document() == document()


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", *(f"/docs/{name}" for name in ASSETS)])
def test_what_is_served_has_a_tag_of_its_bytes_and_is_packed_once(app, path, monkeypatch):
    made = []

    compress = gzip.compress

    def packing(body, level, *, mtime):
        made.append(level)
        return compress(body, level, mtime=mtime)

    monkeypatch.setattr("scorekeeper.api.layers.representation._once", {})
    monkeypatch.setattr(gzip, "compress", packing)
    packed, plain, again = (
        ask(app, "GET", path, headers={"accept-encoding": coding})
        for coding in ("gzip", "identity", "gzip")
    )
    assert packed.content == plain.content == again.content
    assert packed.headers["etag"] == plain.headers["etag"]
    assert plain.headers["etag"] == f'"{hashlib.sha256(plain.content).hexdigest()[:32]}"'
    assert len(made) == (len(plain.content) >= LEAST)


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
def test_the_page_loads_from_here_and_from_nowhere_else(app, path):
    page = ask(app, "GET", path)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    loaded += re.findall(r'url: "([^"]+)"', STATIC.joinpath("docs.js").read_text())
    assert {urljoin(path, address) for address in loaded} == {
        "data:,",
        "/openapi.json",
        *(f"/docs/{name}" for name in ASSETS),
    }
    for name in ("docs.html", "docs.css", "docs.js"):
        assert not re.search(r"https?:|//[a-z]", STATIC.joinpath(name).read_text()), name


@pytest.mark.parametrize("name", ["swagger-ui.css", "docs.css"])
def test_styles_load_no_font_and_no_picture_from_a_host(name):
    css = STATIC.joinpath(name).read_text()
    assert "@import" not in css
    assert all(address.startswith("data:") for address in re.findall(r'url\(["\']?([^)]{5})', css))


def test_the_browser_is_told_to_load_from_here_only(app):
    for path in ("/docs", *(f"/docs/{name}" for name in ASSETS)):
        headers = ask(app, "GET", path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_the_page_fits_a_phone_and_says_something_without_scripts(app):
    page = ask(app, "GET", "/docs").text
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert '<html lang="en">' in page
    assert "<noscript>" in page


@pytest.mark.parametrize("name", ASSETS)
def test_what_the_browser_has_is_not_sent_again(app, name):
    whole = ask(app, "GET", f"/docs/{name}")
    assert whole.content == STATIC.joinpath(name).read_bytes()
    again = ask(app, "GET", f"/docs/{name}", headers={"if-none-match": whole.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("name", ["manifest.json", "nothing.js", "..%2fopenapi.py", "docs.html"])
def test_nothing_else_is_served(app, name):
    assert ask(app, "GET", f"/docs/{name}").status_code == 404

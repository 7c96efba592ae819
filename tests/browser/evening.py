"""A league on a running service, also asked over HTTP for the numbers that pages must show."""

import itertools
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright._impl._api_structures import SetCookieParam

from tests.api.live_client import PATIENCE
from tests.api.serving import ADMIN
from tests.databases import KINDS

_leagues = itertools.count(1)
NAMES = ("Ann", "Bo", "Oma Ida", "美美")
SLUGS = ("ann", "bo", "oma-ida", "mei")

on_both = pytest.mark.parametrize("site", KINDS, indirect=True, scope="session")


def each_on_sqlite_one_on_postgresql(names: str, cases: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrize a test with cases, all of them on SQLite, and the first one on PostgreSQL too.

    On PostgreSQL, the other cases are slow tests.
    """
    first, *others = [case if isinstance(case, tuple) else (case,) for case in cases]
    of_sites = [
        *(("sqlite", *case) for case in (first, *others)),
        ("postgresql", *first),
        *(pytest.param("postgresql", *case, marks=pytest.mark.slow) for case in others),
    ]
    return pytest.mark.parametrize(f"site, {names}", of_sites, indirect=["site"], scope="session")


class Site:
    """A running service, and its admin's client."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).netloc
        self._transport = httpx.HTTPTransport(verify=False)

    def client(self, token: str = ADMIN) -> httpx.Client:
        """Return a client; it is never closed, since all clients of the site share connections."""
        headers = {"authorization": f"Bearer {token}"}
        return httpx.Client(
            base_url=self.url, headers=headers, transport=self._transport, timeout=PATIENCE
        )

    def cookie(self, token: str) -> SetCookieParam:
        """Return the cookie that a browser has after signing in with the token."""
        return {"name": f"sk-{token.split('_')[1]}", "value": token, "url": self.url}

    def league(self, names: Sequence[str] = NAMES, slugs: Sequence[str] = SLUGS) -> "Evening":
        return Evening(self, f"evening-{next(_leagues)}", names, slugs)


class Evening:
    """A league with its people; `owner`, `scorekeeper` and `viewer` are tokens."""

    def __init__(self, site: Site, slug: str, names: Sequence[str], slugs: Sequence[str]) -> None:
        self.site = site
        self.slug = slug
        opened = _taken(
            site.client().post("/v1/leagues", json={"league": slug, "name": "Friday evenings"})
        )
        self.owner: str = opened["token"]
        self._client = site.client(self.owner)
        for player, name in zip(slugs, names, strict=True):
            self.send("/players", {"player": player, "name": name})
        self.scorekeeper, self.viewer = (
            self.send("/tokens", {"role": role, "name": name})["token"]
            for role, name in (("scorekeeper", "Ann's phone"), ("viewer", "Grandmother's phone"))
        )

    def cookie(self, token: str) -> SetCookieParam:
        return self.site.cookie(token)

    def get(self, path: str, **query: Any) -> Any:
        return _taken(self._client.get(f"/v1/leagues/{self.slug}{path}", params=query))

    def send(self, path: str, body: Any, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return _taken(self._client.post(f"/v1/leagues/{self.slug}{path}", json=body, headers=named))

    def delete(self, path: str) -> None:
        answer = self._client.delete(f"/v1/leagues/{self.slug}{path}")
        assert answer.status_code == 204, answer.text

    def match(self, match: str = "first", **opening: Any) -> str:
        """Open a match of the first four players, and return its path below the league."""
        players = list(SLUGS)
        self.send("/matches", {"match": match, "edition": "basic", "players": players} | opening)
        return f"/matches/{match}"

    def totals(self, match: str) -> Any:
        return self.get(match)["totals"]

    def tell(self, match: str, *events: Any) -> Any:
        return self.send(f"{match}/events", {"events": list(events)})


def _taken(answer: httpx.Response) -> Any:
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()

"""A client generated from the committed OpenAPI document records a match."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tests.api.server_process import PROGRAMS
from tests.api.serving import ADMIN

DOCUMENT = Path(__file__).resolve().parents[3] / "openapi" / "openapi.json"
PACKAGE = "generated_scorekeeper_client"
# The generator has to be told how to treat a bundle's media type.
CONFIGURATION = """
post_hooks: []
content_type_overrides:
  application/x-tar: application/octet-stream
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A function that imports a module of the generated package."""
    directory = tmp_path_factory.mktemp("client")
    configuration = directory / "client.yaml"
    configuration.write_text(CONFIGURATION)
    done = subprocess.run(
        [
            PROGRAMS / "openapi-python-client",
            "generate",
            "--path",
            DOCUMENT,
            "--config",
            configuration,
            "--meta",
            "none",
            "--fail-on-warning",
            "--output-path",
            directory / PACKAGE,
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(directory))
    yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")
    sys.path.remove(str(directory))


def test_a_generated_client_logs_a_match(served, generated):
    models = generated("models")
    api = SimpleNamespace(
        leagues=generated("api.leagues.open_league"),
        players=generated("api.players.register_player"),
        open=generated("api.matches.open_match"),
        append=generated("api.matches.append_events"),
        board=generated("api.matches.read_scoreboard"),
        log=generated("api.matches.list_events"),
    )

    def client(token):
        return generated("client").AuthenticatedClient(
            base_url="http://test",
            token=token,
            raise_on_unexpected_status=True,
            httpx_args={"transport": httpx.ASGITransport(served.app)},
        )

    async def evening():
        async with client(ADMIN) as admin:
            opening = models.LeagueOpening(name="Generated", league="generated")
            opened = await api.leagues.asyncio(client=admin, body=opening)
        async with client(opened.token) as owner:
            for name in ("ann", "bo"):
                registration = models.PlayerRegistration(player=name, name=name.title())
                made = await api.players.asyncio("generated", client=owner, body=registration)
                assert made == models.PlayerView(player=name, name=name.title())
            match = models.MatchRequest(
                match="first",
                edition="mario",
                players=["ann", "bo"],
                scoring=models.Scoring(target=100),
            )
            state = (await api.open.asyncio("generated", client=owner, body=match)).state
            assert (state.status, state.totals.to_dict()) == ("open", {"ann": 0, "bo": 0})
            tally = models.RoundTallied.from_dict(
                {
                    "type": "round_tallied",
                    "winners": ["ann"],
                    "hands": {"bo": {"cards": ["wild", "wild"]}},
                }
            )
            body = models.AppendRequest(events=[tally])
            told = await api.append.asyncio(
                "generated", "first", client=owner, body=body, if_match='"1"'
            )
            assert [entry.type_ for entry in told.entries] == [
                "round_tallied",
                "round_ended",
                "match_won",
            ]
            assert told.state.winners == ["ann"]
            board = await api.board.asyncio("generated", "first", client=owner)
            assert board == told.state
            log = await api.log.asyncio("generated", "first", client=owner)
            assert [entry.hash_ for entry in log.items[1:]] == [e.hash_ for e in told.entries]
            refused = await api.append.asyncio_detailed(
                "generated", "first", client=owner, body=body
            )
            assert refused.status_code == 422
            assert isinstance(refused.parsed, models.Problem)
            assert (refused.parsed.code, refused.parsed.reason) == (
                "impossible-event",
                "wrong-phase",
            )

    served.together(evening())

"""The OpenAPI document held against a running server: all phases, every answer as described."""

import subprocess
from pathlib import Path

import httpx
import pytest

from tests.api.live_client import PATIENCE
from tests.api.server_process import PROGRAMS, server_process
from tests.api.serving import ADMIN, PLAYERS, tally

ROOT = Path(__file__).parents[3]
# Names of things that exist, so that generated requests get further than 404.
PARAMETERS = """
[parameters]
"path.league" = "home"
"path.match" = "friday-1"
"path.player" = "ann"
"path.edition" = "basic"
"path.number" = 1
"path.code" = "not-found"

[checks.missing_required_header]
# RFC 6585, section 3.
"expected-statuses" = [428]
"""
OPENING = {
    "match": "friday-1",
    "edition": "basic",
    "players": ["ann", "bo", "cy", "di"],
    "events": [tally("ann", bo=3, cy=4, di=5)],
}


# Every operation is also asked without a token and with a wrong one, and failed authentication is
# limited by the minute, so each group of operations has its own server. Streams are left out, since
# they have no end to wait for.
LIVE = "/live$"
PARTS = {
    "matches": "/(matches|past-matches)($|/(?!.*live$))",
    "tournaments and the log": "/(tournaments|log)($|/)",
    "people and tokens": "/(players|tokens|invitations)($|/)",
}
ALL_PHASES = ("examples", "coverage", "fuzzing", "stateful")
# The program looks through all variables for proxies at each request, of which none is to be used.
# A password for all hosts in ~/.netrc would stand in for the token, so that every answer is a 401.
# Hypothesis takes seconds to go through all of Unicode, so this is kept where that of the tests is.
ENVIRONMENT = {
    "PYTHONUTF8": "1",
    "NETRC": "",
    "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis"),
}
REST = "|".join([*PARTS.values(), LIVE])
IN_PARTS = pytest.mark.parametrize(
    "paths",
    [*(["--include-path-regex", part] for part in PARTS.values()), ["--exclude-path-regex", REST]],
    ids=[*PARTS, "the rest"],
)


def check(directory, paths, *, examples, phases=ALL_PHASES, unchecked=()):
    with server_process(directory / "data") as url:
        with httpx.Client(
            base_url=url, headers={"authorization": f"Bearer {ADMIN}"}, timeout=PATIENCE
        ) as client:
            client.post("/v1/leagues", json={"league": "home", "name": "Home"})
            for player in PLAYERS:
                client.post("/v1/leagues/home/players", json={"player": player, "name": player})
            assert client.post("/v1/leagues/home/matches", json=OPENING).status_code == 201
        configuration = directory / "schemathesis.toml"
        configuration.write_text(PARAMETERS)
        done = subprocess.run(
            [
                PROGRAMS / "schemathesis",
                "--config-file",
                configuration,
                "run",
                f"{url}/openapi.json",
                "--header",
                f"Authorization: Bearer {ADMIN}",
                "--phases",
                ",".join(phases),
                *paths,
                # Rules refuse more than a schema can say.
                "--exclude-checks",
                ",".join(["positive_data_acceptance", *unchecked]),
                "--max-examples",
                str(examples),
                "--generation-deterministic",
                "--continue-on-failure",
                "--no-color",
            ],
            cwd=directory,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    _, _, told = done.stdout.partition("Test Phases:")
    for phase in set(phases) - {"examples"}:
        assert f"✅ {phase.capitalize()}" in told, done.stdout


# The coverage phase sends some thousands of requests, so only the slow test runs it. Who may ask
# for what is also shown by test_roles.py.
def test_every_operation_answers_as_it_is_described(tmp_path):
    phases = [phase for phase in ALL_PHASES if phase != "coverage"]
    everything = ["--exclude-path-regex", LIVE]
    check(tmp_path, everything, examples=1, phases=phases, unchecked=["ignored_auth"])


@pytest.mark.slow
@pytest.mark.long
@IN_PARTS
def test_every_operation_answers_as_it_is_described_at_length(tmp_path, paths):
    check(tmp_path, paths, examples=100)

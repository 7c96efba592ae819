"""Tests see the same whatever the shell that they are started from sets for other programs."""

import os

import pytest

from tests.surroundings import forget

OF_OTHERS = (
    "ALL_PROXY",
    "GIT_CONFIG_COUNT",
    "GIT_DIR",
    "LITESTAR_PDB",
    "MAKEFLAGS",
    "PGPORT",
    "PGSSLMODE",
    "PROMETHEUS_MULTIPROC_DIR",
    "PYTHONDEVMODE",
    "PYTHONUNBUFFERED",
    "SCOREKEEPER_TOKEN",
)
KEPT = ("GIT_SSL_CAINFO", "HOME", "NO_COLOR", "PATH", "PYTHONHASHSEED", "TMPDIR", "UV_OFFLINE")


def test_what_changes_results_is_forgotten_and_nothing_else() -> None:
    environ = dict.fromkeys([*OF_OTHERS, *KEPT], "set")
    forget(environ)
    assert set(environ) == {*KEPT, "no_proxy"}


@pytest.mark.parametrize("name", OF_OTHERS)
def test_no_test_sees_it(name: str) -> None:
    assert name not in os.environ


@pytest.mark.parametrize(
    ("kept", "then"), [("", "127.0.0.1,localhost,"), ("b", "127.0.0.1,localhost,b"), ("*", "*")]
)
def test_servers_on_this_machine_are_asked_without_a_proxy(kept: str, then: str) -> None:
    environ = {"NO_PROXY": kept, "http_proxy": "http://192.0.2.1:3128"}
    forget(environ)
    assert environ.get("no_proxy", environ["NO_PROXY"]) == then
    assert environ["http_proxy"] == "http://192.0.2.1:3128"

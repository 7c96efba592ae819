"""`scorekeeper token admin`: whether there is an admin token, and a new one."""

import re
from pathlib import Path

import pytest

from tests.api.server_process import free_port
from tests.api.serving import serving
from tests.commands import invoked

GIVEN = "0123456789abcdef"
SHOWN = re.compile(r"shown once:  (\S+)")


def token_admin(url: str, *arguments: str) -> str:
    done = invoked("token", "admin", "--database-url", url, *arguments)
    assert done.exit_code == 0
    return done.output


def may_open_leagues(url: str, token: str, admin_token: str | None) -> bool:
    with serving(url, admin_token=admin_token) as served:
        answer = served.ask("GET", "/v1/me", token=token)
        return answer.status_code == 200 and answer.json()["admin"] is True


def test_a_new_token_is_good_at_once(sqlite_url: str) -> None:
    assert "the first `scorekeeper serve` makes one" in token_admin(sqlite_url)
    (made,) = SHOWN.findall(token_admin(sqlite_url, "--renew"))
    assert "it was shown once" in token_admin(sqlite_url)
    assert may_open_leagues(sqlite_url, made, admin_token=None)


def test_a_start_that_fails_makes_no_token_that_nobody_sees(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").touch()  # which is no folder
    failed = invoked("serve", "--data-dir", tmp_path, "--port", free_port())
    assert failed.exit_code == 1
    assert f"{tmp_path}/checkpoints can't be used" in failed.output
    told = invoked("token", "admin", "--data-dir", tmp_path)
    assert "There is no admin token yet" in told.output


def test_where_the_settings_give_a_token_it_is_that_one(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container: nobody must take the new token to the service, which answers it 401."""
    monkeypatch.setenv("SCOREKEEPER_ADMIN_TOKEN", GIVEN)
    assert "the one given in the settings" in token_admin(sqlite_url)
    said = token_admin(sqlite_url, "--renew")
    assert "the one given in the settings, by SCOREKEEPER_ADMIN_TOKEN: replace it there" in said
    assert "Admin token once the settings give none, shown once:  " in said
    (made,) = SHOWN.findall(said)
    assert not may_open_leagues(sqlite_url, made, admin_token=GIVEN)
    assert may_open_leagues(sqlite_url, made, admin_token=None)

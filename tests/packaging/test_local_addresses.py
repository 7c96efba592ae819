"""Tests ask servers on this machine, whatever proxy it has for others."""

from urllib.request import getproxies, proxy_bypass

import pytest


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost"])
def test_no_proxy_is_asked_for_a_server_on_this_machine(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://192.0.2.1:3128")
    assert getproxies()["http"] == "http://192.0.2.1:3128"
    assert proxy_bypass(host)

"""What links and QR codes begin with."""

import pytest

from scorekeeper.settings import Settings, SettingsInvalid


@pytest.mark.parametrize("url", ["uno.example.org", "https://", "https://a/b", "http://["])
def test_what_is_no_address_is_refused_by_the_name_of_its_variable(url: str) -> None:
    with pytest.raises(SettingsInvalid, match="SCOREKEEPER_PUBLIC_URL must be an address"):
        Settings.load({"SCOREKEEPER_PUBLIC_URL": url})


def test_an_address_may_name_a_port() -> None:
    url = "https://uno.example.org:8443"
    assert Settings.load({"SCOREKEEPER_PUBLIC_URL": url}).public_url == url

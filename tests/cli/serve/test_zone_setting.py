"""The time zone of the days on pages."""

import pytest

from scorekeeper.settings import Settings, SettingsInvalid


@pytest.mark.parametrize("name", ["Taipei", "America", "+08:00", "../etc", "/etc/localtime"])
def test_what_names_no_time_zone_is_refused_by_the_name_of_its_variable(name: str) -> None:
    with pytest.raises(SettingsInvalid) as refused:
        Settings.load({"SCOREKEEPER_TIME_ZONE": name})
    assert str(refused.value) == (
        f"SCOREKEEPER_TIME_ZONE must be the name of a time zone, such as Asia/Taipei, not {name!r}"
    )


def test_without_the_setting_it_is_utc_even_where_no_time_zones_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Settings.load({"SCOREKEEPER_TIME_ZONE": "Asia/Taipei"}).time_zone == "Asia/Taipei"
    monkeypatch.setattr("scorekeeper.days.ZoneInfo", None)
    assert Settings.load({}).time_zone == "UTC"

"""Every stored view is declared once, and everything that looks after views goes by that list."""

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, insert

from scorekeeper.service.integrity.fresh_views import DERIVED
from scorekeeper.store import tables, views
from scorekeeper.store.views import PLAYERS, VIEWS, StoredView, rows_of

NOT_DERIVED = {
    "leagues": "names stand in no log",
    "stored_views": "what is noted of the views themselves",
    "rating_progress": "how far the ratings have come, which is anybody's business",
    "admin_token": "the admin is of no league",
    "admin_sessions": "the admin is of no league",
    "setup_code": "the admin is of no league",
    "invitations": "who is let in stands in no log until somebody comes",
}


def test_every_table_that_follows_from_the_log_is_declared_once() -> None:
    declared = [view.name for view in VIEWS]
    assert sorted([*declared, *NOT_DERIVED]) == sorted(tables.metadata.tables)


def test_the_rows_of_every_view_are_derived_afresh_unless_it_follows_behind() -> None:
    assert set(DERIVED) == {view for view in VIEWS if not view.behind}


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_declaration_names_columns_that_there_are(view: StoredView) -> None:
    columns = {column.name for column in view.table.columns}
    assert view.subject in view.key_names
    assert view.erasable | view.given <= columns - {*view.key_names}


@pytest.mark.parametrize("part", [1, 2, 5, 6])
def test_a_view_is_read_to_its_end_in_parts_of_any_size(
    monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(views, "_PART", part)
    rows = [{"league": "home", "player": player, "registered": 1} for player in "edcba"]
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        PLAYERS.table.create(connection)
        connection.execute(insert(PLAYERS.table), [*rows, {**rows[0], "league": "other"}])
        found = rows_of(connection, replace(PLAYERS), "home")
        assert "".join(row["player"] for row in found) == "abcde"
    engine.dispose()

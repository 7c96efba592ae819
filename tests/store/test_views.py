"""Every stored view is declared once, and everything that looks after views goes by that list."""

import pytest

from scorekeeper.service.integrity.fresh_views import DERIVED
from scorekeeper.store import tables
from scorekeeper.store.views import VIEWS, StoredView

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

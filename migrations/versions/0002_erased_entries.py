"""An index of the entries whose content was erased."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    erased = sa.text("body IS NULL")
    op.create_index(
        "events_erased",
        "events",
        ["league", "stream"],
        sqlite_where=erased,
        postgresql_where=erased,
    )


def downgrade() -> None:
    op.drop_index("events_erased", "events")

"""Times, names and a status that were written and never read."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_UNREAD = (
    ("answers", "status", sa.BigInteger, "201"),
    ("answers", "recorded_at", sa.Text, ""),
    ("admin_token", "made_at", sa.Text, ""),
    ("admin_sessions", "name", sa.Text, ""),
    ("admin_sessions", "made_at", sa.Text, ""),
)


def upgrade() -> None:
    for table, column, _, _ in _UNREAD:
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)


def downgrade() -> None:
    for table, column, kind, value in _UNREAD:
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column(column, kind, nullable=False, server_default=value))
        with op.batch_alter_table(table) as batch:
            batch.alter_column(column, server_default=None)

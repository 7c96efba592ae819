"""Times, names and a status that were written and never read."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_UNREAD = {
    "answers": (("status", sa.BigInteger, "201"), ("recorded_at", sa.Text, "")),
    "admin_token": (("made_at", sa.Text, ""),),
    "admin_sessions": (("name", sa.Text, ""), ("made_at", sa.Text, "")),
}


def upgrade() -> None:
    # SQLite copies a table for each batch, and that of the answers may be large.
    for table, columns in _UNREAD.items():
        with op.batch_alter_table(table) as batch:
            for column, _, _ in columns:
                batch.drop_column(column)


def downgrade() -> None:
    for table, columns in _UNREAD.items():
        with op.batch_alter_table(table) as batch:
            for column, kind, value in columns:
                batch.add_column(sa.Column(column, kind, nullable=False, server_default=value))
        with op.batch_alter_table(table) as batch:
            for column, _, _ in columns:
                batch.alter_column(column, server_default=None)

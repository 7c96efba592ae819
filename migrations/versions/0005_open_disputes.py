"""How many disputes are open in each match of the list."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    none = sa.Column("open_disputes", sa.BigInteger, nullable=False, server_default="0")
    with op.batch_alter_table("matches") as matches:
        matches.add_column(none)
    with op.batch_alter_table("matches") as matches:
        matches.alter_column("open_disputes", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("open_disputes")

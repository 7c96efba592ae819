"""When each match was held, and what it came to once it is over."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("held_at", sa.Text, nullable=False, server_default=""))
        matches.add_column(sa.Column("round", sa.BigInteger, nullable=True))
        matches.add_column(sa.Column("totals", sa.Text, nullable=True))
    with op.batch_alter_table("matches") as matches:
        matches.alter_column("held_at", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("matches") as matches:
        for column in ("held_at", "round", "totals"):
            matches.drop_column(column)

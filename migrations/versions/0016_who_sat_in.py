"""Who sat in for somebody in each match, so that the list is found by them, too."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    nobody = sa.Column("substitutes", sa.Text, nullable=False, server_default="[]")
    with op.batch_alter_table("matches") as matches:
        matches.add_column(nobody)
    with op.batch_alter_table("matches") as matches:
        matches.alter_column("substitutes", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("substitutes")

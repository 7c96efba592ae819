"""Whom a person met in a match, where its results don't tell."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("results", sa.Column("met", sa.Text, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("results") as results:
        results.drop_column("met")

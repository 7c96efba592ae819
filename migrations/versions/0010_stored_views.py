"""With which derivation the stored views of each league were written."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "stored_views",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("derivation", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("league", name="stored_views_pkey"),
    )


def downgrade() -> None:
    op.drop_table("stored_views")

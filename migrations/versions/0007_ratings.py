"""Ratings of people, and how far they have come."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "rating_progress",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("as_of", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("league", name="rating_progress_pkey"),
    )
    op.create_table(
        "ratings",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("finished", sa.BigInteger, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("mu", sa.BigInteger, nullable=False),
        sa.Column("sigma", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("league", "player", "finished", name="ratings_pkey"),
    )
    op.create_index("ratings_league_finished", "ratings", ["league", "finished"])


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("rating_progress")

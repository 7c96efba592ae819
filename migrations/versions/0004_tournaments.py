"""The list of tournaments, and what was played at their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("closed", sa.BigInteger, nullable=False),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", "tournament", name="tournaments_pkey"),
    )
    op.create_index("tournaments_league_opened", "tournaments", ["league", "opened"])
    op.create_table(
        "tournament_tables",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("rounds", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", "tournament", "match", name="tournament_tables_pkey"),
    )


def downgrade() -> None:
    op.drop_table("tournament_tables")
    op.drop_table("tournaments")

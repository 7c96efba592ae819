"""The stored views of the league's table: results, meetings and standings."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def _sums(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names]


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("finished", sa.BigInteger, nullable=False),
        sa.Column("held_at", sa.Text, nullable=False),
        sa.Column("ordinal", sa.Text, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        *_sums("seats", "seat", "side"),
        sa.Column("rank", sa.BigInteger, nullable=True),
        *_sums("won", "rounds", "rounds_won", "points_for", "points_against"),
        sa.PrimaryKeyConstraint("league", "match", "player", name="results_pkey"),
    )
    op.create_index("results_league_player", "results", ["league", "player", "ordinal"])
    op.create_index("results_league_finished", "results", ["league", "finished"])
    op.create_table(
        "meetings",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        *_sums("partners", "played", "won"),
        *_sums("rounds", "rounds_won", "points_for", "points_against"),
        sa.PrimaryKeyConstraint("league", "player", "other", "partners", name="meetings_pkey"),
    )
    op.create_table(
        "standings",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        *_sums("played", "won", "rounds", "rounds_won", "points_for", "points_against"),
        *_sums("streak", "longest_streak"),
        sa.Column("last_ordinal", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", "player", name="standings_pkey"),
    )
    op.create_index(
        "standings_league_order", "standings", ["league", "won", "rounds_won", "player"]
    )


def downgrade() -> None:
    for table in ("standings", "meetings", "results"):
        op.drop_table(table)

"""The index for the matches of a day also finds the matches that were held last."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.drop_index("matches_league_held", "matches")
    op.create_index("matches_league_held", "matches", ["league", "held_at", "opened"])


def downgrade() -> None:
    op.drop_index("matches_league_held", "matches")
    op.create_index("matches_league_held", "matches", ["league", "edition", "held_at"])

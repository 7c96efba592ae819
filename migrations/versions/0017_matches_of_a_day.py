"""An index for the matches of one edition on one day, which are told apart by a number."""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_index("matches_league_held", "matches", ["league", "edition", "held_at"])


def downgrade() -> None:
    op.drop_index("matches_league_held", "matches")

"""An index that finds the kept answers about what is erased, of all those of a league."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_index("answers_league_about", "answers", ["league", "about"])


def downgrade() -> None:
    op.drop_index("answers_league_about", "answers")

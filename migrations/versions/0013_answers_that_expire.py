"""When an answer that was kept for a retry is needed no longer.

Of those that are there already nobody can tell which last: they stay.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("answers", sa.Column("expires_at", sa.Text, nullable=True))
    expiring = sa.text("expires_at IS NOT NULL")
    op.create_index(
        "answers_expiring",
        "answers",
        ["league", "expires_at"],
        sqlite_where=expiring,
        postgresql_where=expiring,
    )


def downgrade() -> None:
    op.drop_index("answers_expiring", "answers")
    with op.batch_alter_table("answers") as answers:
        answers.drop_column("expires_at")

"""Invitations, the code of a first start, and the browsers that came in by it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("invitation", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=True),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=False),
        sa.Column("uses_left", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("league", "invitation", name="invitations_pkey"),
    )
    op.create_index("invitations_digest", "invitations", ["digest"])
    op.create_table(
        "setup_code",
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("holder", name="setup_code_pkey"),
        sa.CheckConstraint("holder = 'setup'", name="setup_code_holder_check"),
    )
    op.create_table(
        "admin_sessions",
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="admin_sessions_pkey"),
    )


def downgrade() -> None:
    op.drop_table("admin_sessions")
    op.drop_table("setup_code")
    op.drop_table("invitations")

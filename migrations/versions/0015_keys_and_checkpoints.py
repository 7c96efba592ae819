"""Which keys signed, and the checkpoint signed last of each log, for machines without its file."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("ordinal", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="signing_keys_pkey"),
    )
    op.create_table(
        "checkpoints",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", name="checkpoints_pkey"),
    )


def downgrade() -> None:
    op.drop_table("checkpoints")
    op.drop_table("signing_keys")

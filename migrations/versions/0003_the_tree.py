"""Inner nodes of the ledgers' trees."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "tree_nodes",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("level", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("league", "level", "number", name="tree_nodes_pkey"),
    )


def downgrade() -> None:
    op.drop_table("tree_nodes")

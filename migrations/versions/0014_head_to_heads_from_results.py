"""Head-to-heads are added up from the results of the matches: nothing is stored of them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_SUMS = (
    *("played", "won", "rounds", "rounds_won"),
    *("collected_rounds", "collected_own", "collected_others"),
    *("penalty_rounds", "penalty_own", "penalty_others"),
    *("balance_rounds", "balance_own", "balance_others"),
)


def upgrade() -> None:
    op.drop_table("meetings")


def downgrade() -> None:
    op.create_table(
        "meetings",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.Column("partners", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _SUMS),
        sa.PrimaryKeyConstraint("league", "player", "other", "partners", name="meetings_pkey"),
    )

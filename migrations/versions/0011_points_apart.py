"""Points over several matches, apart by what they are; their figures are made anew from the log."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_MIXED = ("points_for", "points_against")
_APART = tuple(
    f"{kind}_{name}"
    for kind in ("collected", "penalty", "balance")
    for name in ("rounds", "own", "others")
)


def upgrade() -> None:
    _add("results", [sa.Column("scoring_mode", sa.Text, nullable=False, server_default="")])
    for table in ("meetings", "standings"):
        _drop(table, _MIXED)
        _add(table, _noughts(_APART))


def downgrade() -> None:
    for table in ("standings", "meetings"):
        _drop(table, _APART)
        _add(table, _noughts(_MIXED))
    _drop("results", ["scoring_mode"])


def _noughts(names: tuple[str, ...]) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False, server_default="0") for name in names]


def _add(table: str, columns: list[sa.Column]) -> None:
    with op.batch_alter_table(table) as batch:
        for column in columns:
            batch.add_column(column)
    with op.batch_alter_table(table) as batch:
        for column in columns:
            batch.alter_column(column.name, server_default=None)


def _drop(table: str, names: tuple[str, ...] | list[str]) -> None:
    with op.batch_alter_table(table) as batch:
        for name in names:
            batch.drop_column(name)

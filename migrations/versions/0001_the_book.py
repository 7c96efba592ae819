"""The log, the answers kept, names of people, tokens, and the list of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "ledgers",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("frontier", sa.LargeBinary, nullable=False),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.Column("recorded_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", name="ledgers_pkey"),
    )
    op.create_table(
        "events",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("event_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("schema", sa.BigInteger, nullable=False),
        sa.Column("header", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=True),
        sa.Column("salt", sa.LargeBinary, nullable=True),
        sa.Column("recorded_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", "position", name="events_pkey"),
        sa.UniqueConstraint("league", "stream", "version", name="events_league_stream_version_key"),
        sa.UniqueConstraint("league", "event_id", name="events_league_event_id_key"),
    )
    op.create_table(
        "answers",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.BigInteger, nullable=False),
        sa.Column("etag", sa.Text, nullable=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("about", sa.Text, nullable=True),
        sa.Column("recorded_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", "key", name="answers_pkey"),
    )
    op.create_table(
        "leagues",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", name="leagues_pkey"),
    )
    op.create_table(
        "players",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=True),
        sa.Column("registered", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("league", "player", name="players_pkey"),
    )
    op.create_table(
        "tokens",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("token_id", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("revoked_at", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("league", "token_id", name="tokens_pkey"),
    )
    op.create_index("tokens_league_digest", "tokens", ["league", "digest"])
    op.create_table(
        "matches",
        sa.Column("league", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("winners", sa.Text, nullable=False),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("league", "match", name="matches_pkey"),
    )
    op.create_index("matches_league_opened", "matches", ["league", "opened"])
    op.create_table(
        "admin_token",
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("holder", name="admin_token_pkey"),
        sa.CheckConstraint("holder = 'admin'", name="admin_token_holder_check"),
    )


def downgrade() -> None:
    for table in (
        "admin_token",
        "matches",
        "tokens",
        "players",
        "leagues",
        "answers",
        "events",
        "ledgers",
    ):
        op.drop_table(table)

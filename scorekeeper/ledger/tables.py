"""The tables of the log. Every key begins with the league, so that leagues can be distributed.

Only the signing keys have no league: they belong to the whole installation.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)

metadata = MetaData()

# `frontier` holds the roots of the full subtrees of the ledger's tree, largest first, 32 bytes
# each; `recorded_at` is the time of the last entry, so that time never runs backwards in a ledger.
ledgers = Table(
    "ledgers",
    metadata,
    Column("league", Text, nullable=False),
    Column("log", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("frontier", LargeBinary, nullable=False),
    Column("opened_at", Text, nullable=False),
    Column("recorded_at", Text, nullable=False),
    PrimaryKeyConstraint("league", name="ledgers_pkey"),
)

# `header` and `body` are stored as they were hashed; the other columns repeat what the header says,
# for the keys and for people who look. `body` and `salt` are null if the content was erased.
events = Table(
    "events",
    metadata,
    Column("league", Text, nullable=False),
    Column("position", BigInteger, nullable=False, autoincrement=False),
    Column("stream", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("event_id", Uuid(as_uuid=False), nullable=False),
    Column("type", Text, nullable=False),
    Column("schema", BigInteger, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=True),
    Column("salt", LargeBinary, nullable=True),
    Column("recorded_at", Text, nullable=False),
    PrimaryKeyConstraint("league", "position", name="events_pkey"),
    UniqueConstraint("league", "stream", "version", name="events_league_stream_version_key"),
    UniqueConstraint("league", "event_id", name="events_league_event_id_key"),
)
# Readers ask of every stream whether something in it was erased.
Index(
    "events_erased",
    events.c.league,
    events.c.stream,
    sqlite_where=events.c.body.is_(None),
    postgresql_where=events.c.body.is_(None),
)

# Inner nodes of the trees, so that a proof need not read all headers: hash `number` of the tiles of
# `level`, which is 1 or more, is the root over 256^level leaves. They are written when they are
# first asked for, and can be made again from the headers.
tree_nodes = Table(
    "tree_nodes",
    metadata,
    Column("league", Text, nullable=False),
    Column("level", BigInteger, nullable=False, autoincrement=False),
    Column("number", BigInteger, nullable=False, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    PrimaryKeyConstraint("league", "level", "number", name="tree_nodes_pkey"),
)

# The answers given to requests that named a key. `key` and `request` are SHA-256 digests; `about`
# names what an answer tells of, so that the answers about erased content can be found and purged:
# their `body` is then empty. From `expires_at` on an answer may be deleted; null if it lasts.
answers = Table(
    "answers",
    metadata,
    Column("league", Text, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("request", LargeBinary, nullable=False),
    Column("etag", Text, nullable=True),
    Column("body", LargeBinary, nullable=False),
    Column("about", Text, nullable=True),
    Column("expires_at", Text, nullable=True),
    PrimaryKeyConstraint("league", "key", name="answers_pkey"),
)
# An erasure purges the answers about a stream or a name while the ledger waits.
Index("answers_league_about", answers.c.league, answers.c.about)
Index(
    "answers_expiring",
    answers.c.league,
    answers.c.expires_at,
    sqlite_where=answers.c.expires_at.is_not(None),
    postgresql_where=answers.c.expires_at.is_not(None),
)

# The checkpoint signed last, as a note. A file outside the database has it, too. But each machine
# has its own files, which may have an older checkpoint or none.
checkpoints = Table(
    "checkpoints",
    metadata,
    Column("league", Text, nullable=False),
    Column("note", Text, nullable=False),
    PrimaryKeyConstraint("league", name="checkpoints_pkey"),
)

# The public keys that checkpoints were signed with, of no league. The key with the highest ordinal
# is in force.
signing_keys = Table(
    "signing_keys",
    metadata,
    Column("ordinal", BigInteger, nullable=False, autoincrement=False),
    Column("public_key", LargeBinary, nullable=False),
    PrimaryKeyConstraint("ordinal", name="signing_keys_pkey"),
)

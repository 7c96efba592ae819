"""The tables of what is not the log: names of people, tokens, and views kept for lists.

Every key begins with the league, except for tables that belong to no league: those of the admin and
the setup code. A ViewRow is handed over to be written with an append.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Executable,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

metadata = MetaData()

# Sums of points over matches, separate for each kind of points.
POINTS: Final = (
    "collected_rounds",
    "collected_own",
    "collected_others",
    "penalty_rounds",
    "penalty_own",
    "penalty_others",
    "balance_rounds",
    "balance_own",
    "balance_others",
)

leagues = Table(
    "leagues",
    metadata,
    Column("league", Text, nullable=False),
    Column("name", Text, nullable=False),
    PrimaryKeyConstraint("league", name="leagues_pkey"),
)

# `registered` is the position of the player's registration in the ledger. An erased name is null.
players = Table(
    "players",
    metadata,
    Column("league", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=True),
    Column("registered", BigInteger, nullable=False),
    PrimaryKeyConstraint("league", "player", name="players_pkey"),
)

# `digest` is the SHA-256 of the token; `revoked_at` is null while it is in force.
tokens = Table(
    "tokens",
    metadata,
    Column("league", Text, nullable=False),
    Column("token_id", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("revoked_at", Text, nullable=True),
    PrimaryKeyConstraint("league", "token_id", name="tokens_pkey"),
)
Index("tokens_league_digest", tokens.c.league, tokens.c.digest)

# The stored view for the list of matches: `opened` is the position of the opening; `players`,
# `substitutes`, who ever sat in for one of them, and `winners` are JSON lists of slugs; `totals` is
# a JSON object by player. `round` and `totals` are null while a match is open: they change with
# every round, and are read from the log.
matches = Table(
    "matches",
    metadata,
    Column("league", Text, nullable=False),
    Column("match", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("edition", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("substitutes", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("opened_at", Text, nullable=False),
    Column("open_disputes", BigInteger, nullable=False),
    Column("held_at", Text, nullable=False),
    Column("round", BigInteger, nullable=True),
    Column("totals", Text, nullable=True),
    PrimaryKeyConstraint("league", "match", name="matches_pkey"),
)
Index("matches_league_opened", matches.c.league, matches.c.opened)
Index("matches_league_held", matches.c.league, matches.c.held_at, matches.c.opened)

# `opened` is the position of the opening; `closed` becomes 1 when nothing more is to be played.
tournaments = Table(
    "tournaments",
    metadata,
    Column("league", Text, nullable=False),
    Column("tournament", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("closed", BigInteger, nullable=False),
    Column("opened_at", Text, nullable=False),
    PrimaryKeyConstraint("league", "tournament", name="tournaments_pkey"),
)
Index("tournaments_league_opened", tournaments.c.league, tournaments.c.opened)

# The stored view behind the standings: what was played at each table, `rounds` as a JSON list.
tournament_tables = Table(
    "tournament_tables",
    metadata,
    Column("league", Text, nullable=False),
    Column("tournament", Text, nullable=False),
    Column("match", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("rounds", Text, nullable=False),
    PrimaryKeyConstraint("league", "tournament", "match", name="tournament_tables_pkey"),
)

# Each person's result in a match that was won. `finished` is the position of the entry with which
# it was won. `ordinal` orders a person's matches by `held_at` and then by `finished`, in text of
# one width, which sorts alike everywhere. `rank` is null for a person who was substituted before
# the end. `met` has the meetings as JSON, null if they follow from the results of the match.
results = Table(
    "results",
    metadata,
    Column("league", Text, nullable=False),
    Column("match", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("finished", BigInteger, nullable=False),
    Column("held_at", Text, nullable=False),
    Column("ordinal", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("scoring_mode", Text, nullable=False),
    Column("seats", BigInteger, nullable=False),
    Column("seat", BigInteger, nullable=False),
    Column("side", BigInteger, nullable=False),
    Column("rank", BigInteger, nullable=True),
    Column("won", BigInteger, nullable=False),
    Column("rounds", BigInteger, nullable=False),
    Column("rounds_won", BigInteger, nullable=False),
    Column("points_for", BigInteger, nullable=False),
    Column("points_against", BigInteger, nullable=False),
    Column("met", Text, nullable=True),
    PrimaryKeyConstraint("league", "match", "player", name="results_pkey"),
)
Index("results_league_player", results.c.league, results.c.player, results.c.ordinal)
Index("results_league_finished", results.c.league, results.c.finished)

# The league's table.
standings = Table(
    "standings",
    metadata,
    Column("league", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("played", BigInteger, nullable=False),
    Column("won", BigInteger, nullable=False),
    Column("rounds", BigInteger, nullable=False),
    Column("rounds_won", BigInteger, nullable=False),
    *(Column(name, BigInteger, nullable=False) for name in POINTS),
    Column("streak", BigInteger, nullable=False),
    Column("longest_streak", BigInteger, nullable=False),
    Column("last_ordinal", Text, nullable=False),
    PrimaryKeyConstraint("league", "player", name="standings_pkey"),
)
Index(
    "standings_league_order",
    standings.c.league,
    standings.c.won,
    standings.c.rounds_won,
    standings.c.player,
)

# How far the ratings of a league have come: results up to the position `as_of` are in them.
rating_progress = Table(
    "rating_progress",
    metadata,
    Column("league", Text, nullable=False),
    Column("as_of", BigInteger, nullable=False),
    PrimaryKeyConstraint("league", name="rating_progress_pkey"),
)

# A person's rating after the match that was won at the position `finished`, in millionths.
ratings = Table(
    "ratings",
    metadata,
    Column("league", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("finished", BigInteger, nullable=False),
    Column("match", Text, nullable=False),
    Column("mu", BigInteger, nullable=False),
    Column("sigma", BigInteger, nullable=False),
    PrimaryKeyConstraint("league", "player", "finished", name="ratings_pkey"),
)
Index("ratings_league_finished", ratings.c.league, ratings.c.finished)

# The number of the derivation with which the views above of a league were written.
stored_views = Table(
    "stored_views",
    metadata,
    Column("league", Text, nullable=False),
    Column("derivation", BigInteger, nullable=False),
    PrimaryKeyConstraint("league", name="stored_views_pkey"),
)

# One row at most: `holder` can only be "admin".
admin_token = Table(
    "admin_token",
    metadata,
    Column("holder", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("holder", name="admin_token_pkey"),
    CheckConstraint("holder = 'admin'", name="admin_token_holder_check"),
)

# An invitation lets devices in. `digest` is that of its code; `made_by` the inviting token's id.
invitations = Table(
    "invitations",
    metadata,
    Column("league", Text, nullable=False),
    Column("invitation", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=True),
    Column("made_by", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("uses_left", BigInteger, nullable=False),
    PrimaryKeyConstraint("league", "invitation", name="invitations_pkey"),
)
Index("invitations_digest", invitations.c.digest)

# One row at most: the code that lets the first browser in while there is no league.
setup_code = Table(
    "setup_code",
    metadata,
    Column("holder", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("holder", name="setup_code_pkey"),
    CheckConstraint("holder = 'setup'", name="setup_code_holder_check"),
)

# Browsers that may do what the admin token may; `digest` is the SHA-256 of what their cookie holds.
admin_sessions = Table(
    "admin_sessions",
    metadata,
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("digest", name="admin_sessions_pkey"),
)


RowChange: TypeAlias = tuple[Executable, Mapping[str, Any]]
"""A statement that is built once, and its parameters."""

NewRow: TypeAlias = tuple[Table, Mapping[str, Any]]
"""A table and all columns of a new row, for rows that may come by the thousand."""

ViewRow: TypeAlias = RowChange | NewRow

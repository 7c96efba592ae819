"""Another program on a test's PostgreSQL, such as an operator's psql."""

import asyncpg
from sqlalchemy import make_url

CUT = (
    "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
"""Cuts all other connections to the database, and tells how many there were."""


async def connected(url):
    parsed = make_url(url)
    return await asyncpg.connect(
        host=parsed.query["host"], user="postgres", database=parsed.database
    )

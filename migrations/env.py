"""Runs the migrations on the connection that `scorekeeper.store.migrate` hands over."""

from alembic import context

from scorekeeper.ledger import tables as ledger_tables
from scorekeeper.store import tables as store_tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=[ledger_tables.metadata, store_tables.metadata],
)
with context.begin_transaction():
    context.run_migrations()

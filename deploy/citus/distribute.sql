-- Spreads the leagues over the servers of a Citus cluster: psql --set=ON_ERROR_STOP=1 --file=distribute.sql DATABASE
-- It comes after `scorekeeper migrate` on the coordinator and before the first `serve`. All that belongs to a league lies on one
-- server, so that an append is a transaction of that server alone.
-- Tested by hand with Citus 13.2 and 14.0. The automatic tests compare this file with the schema and do not run it. See docs/operations/machines.md.

-- Each look-up of a type by its name asks whether a shard is meant, which is slow; nobody but Citus sees shards here anyway.
SELECT format('ALTER DATABASE %I SET citus.override_table_visibility = off', current_database()) \gexec

BEGIN;

-- By league, together: shards of the same leagues stay on the same server when they move.
SELECT create_distributed_table('ledgers', 'league');
SELECT create_distributed_table('events', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('tree_nodes', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('answers', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('checkpoints', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('leagues', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('players', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('tokens', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('invitations', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('matches', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('tournaments', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('tournament_tables', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('results', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('standings', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('rating_progress', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('ratings', 'league', colocate_with => 'ledgers');
SELECT create_distributed_table('stored_views', 'league', colocate_with => 'ledgers');

-- Of no league, a row or a few, these stay as they are on the coordinator, to which the service connects:
-- admin_token, admin_sessions, setup_code, signing_keys, alembic_version

COMMIT;

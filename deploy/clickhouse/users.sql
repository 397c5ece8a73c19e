-- Two users of the tables of one chain, for an administrator of the server with access management:
--
--   clickhouse-client --queries-file users.sql
--
-- sazka_live is the database of GAMELEDGER_CLICKHOUSE; sazka_live_1 and so on hold the tables. Put
-- the SHA-256 of each password (printf '%s' "$PASSWORD" | sha256sum) in place of the digits 0. On a
-- cluster write ON CLUSTER behind each name. Wildcards in grants need ClickHouse 24.10 or newer.

-- `gameledger project` and `gameledger rebuild`: the only user who writes.
CREATE USER IF NOT EXISTS gameledger_projector
    IDENTIFIED WITH sha256_hash BY '0000000000000000000000000000000000000000000000000000000000000000';

GRANT CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP DATABASE, DROP TABLE, DROP VIEW, INSERT, SELECT,
    ALTER DELETE, ALTER UPDATE, ALTER TABLE, TRUNCATE, CHECK, SYSTEM MERGES, BACKUP
    ON sazka_live_*.* TO gameledger_projector;

GRANT CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP VIEW, INSERT, SELECT
    ON sazka_live.* TO gameledger_projector;

GRANT SELECT ON system.* TO gameledger_projector;

GRANT KILL QUERY ON *.* TO gameledger_projector;

-- `gameledger serve` and questions in SQL: reads, within bounds. The client sets formats and time
-- zone with each question, which readonly = 1 would refuse.
CREATE SETTINGS PROFILE IF NOT EXISTS gameledger_reader SETTINGS
    readonly = 2 READONLY,
    max_execution_time = 120 MAX 600,
    max_memory_usage = 4000000000 MAX 4000000000,
    max_concurrent_queries_for_user = 20 READONLY;

CREATE USER IF NOT EXISTS gameledger_reader
    IDENTIFIED WITH sha256_hash BY '0000000000000000000000000000000000000000000000000000000000000000'
    SETTINGS PROFILE 'gameledger_reader';

CREATE QUOTA IF NOT EXISTS gameledger_reader
    FOR INTERVAL 1 hour MAX queries = 20000, errors = 2000, read_rows = 100000000000
    TO gameledger_reader;

GRANT SELECT ON sazka_live.* TO gameledger_reader;

GRANT SELECT ON sazka_live_*.* TO gameledger_reader;

GRANT SELECT ON system.databases TO gameledger_reader;

GRANT SELECT ON system.tables TO gameledger_reader;

GRANT SELECT ON system.columns TO gameledger_reader;

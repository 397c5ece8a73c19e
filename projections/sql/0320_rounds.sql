-- What happened to each round: its opening, close of bets, result and void, one row a fact.
-- Source: RoundOpened, BetsClosed, RoundResulted, RoundVoided. Key: position. Ordering: round, position,
-- so that a round is found by its name. Idempotence: rows above the watermark are deleted before
-- the projector goes on.

CREATE TABLE IF NOT EXISTS facts_of_rounds
(
    round String COMMENT 'round',
    position Int64 COMMENT 'place of the event in the chain',
    recorded_at Int64 COMMENT 'moment of the record',
    behind Int64 COMMENT 'first position behind the decision of a close; otherwise the position',
    table LowCardinality(String) COMMENT 'table',
    game LowCardinality(String) COMMENT 'game of an opening; otherwise empty',
    plan_version LowCardinality(String) COMMENT 'version of the game plan of an opening; otherwise empty',
    streamed Bool COMMENT 'of an opening: at a streamed table',
    bets Int32 COMMENT 'bets that a close concluded',
    stakes Int64 COMMENT 'their stakes, haléř',
    wording String COMMENT 'result in words',
    ground String COMMENT 'ground of a void',
    fact LowCardinality(String) COMMENT 'opened, closed, resulted or voided',
    INDEX above_watermark position TYPE minmax GRANULARITY 4
)
ENGINE = MergeTree
PARTITION BY toYear(fromUnixTimestamp64Micro(recorded_at))
ORDER BY (round, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What happened to each round, fact by fact.';

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_rounds_from_round_opened TO facts_of_rounds AS
SELECT
    round, position, recorded_at, position AS behind, table, game, plan_version, streamed,
    toInt32(0) AS bets, toInt64(0) AS stakes, '' AS wording, '' AS ground, 'opened' AS fact
FROM RoundOpened;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_rounds_from_bets_closed TO facts_of_rounds AS
SELECT
    round, position, recorded_at, position - decision_index + decision_size AS behind, table,
    '' AS game, '' AS plan_version, false AS streamed, bets, stakes, '' AS wording, '' AS ground,
    'closed' AS fact
FROM BetsClosed;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_rounds_from_round_resulted TO facts_of_rounds AS
SELECT
    round, position, recorded_at, position AS behind, table, '' AS game, '' AS plan_version,
    false AS streamed, toInt32(0) AS bets, toInt64(0) AS stakes, wording, '' AS ground,
    'resulted' AS fact
FROM RoundResulted;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_rounds_from_round_voided TO facts_of_rounds AS
SELECT
    round, position, recorded_at, position AS behind, table, '' AS game, '' AS plan_version,
    false AS streamed, toInt32(0) AS bets, toInt64(0) AS stakes, '' AS wording, ground,
    'voided' AS fact
FROM RoundVoided;

-- One row a round, with the positions of what happened to it.
-- Source: facts_of_rounds. Key: round. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). A position is that of the first such fact, 0 where there
-- is none; closed_end is the first position behind the decision of the close, in which the
-- records of the concluded bets stand. The result that counts is the first one.

CREATE VIEW IF NOT EXISTS rounds
(
    round String COMMENT 'round',
    table String COMMENT 'table',
    game String COMMENT 'game',
    plan_version String COMMENT 'version of the game plan',
    streamed Bool COMMENT 'of a streamed table',
    opened UInt64 COMMENT 'number of openings',
    closed UInt64 COMMENT 'number of closes of bets',
    resulted UInt64 COMMENT 'number of results',
    voided UInt64 COMMENT 'number of voids',
    first_position Int64 COMMENT 'position of its first fact',
    last_position Int64 COMMENT 'position of its last fact',
    opened_position Int64 COMMENT 'position of the first opening; 0 where there is none',
    opened_at Int64 COMMENT 'moment of the opening, 0 where there is none',
    closed_position Int64 COMMENT 'position of the first close of bets; 0 where there is none',
    closed_end Int64 COMMENT 'first position behind the decision of the close, in which bets are concluded',
    closed_at Int64 COMMENT 'moment of the close, 0 where there is none',
    closed_bets Int32 COMMENT 'bets that the close concluded',
    closed_stakes Int64 COMMENT 'their stakes, haléř',
    resulted_position Int64 COMMENT 'position of the first result; 0 where there is none',
    resulted_at Int64 COMMENT 'moment of the result, 0 where there is none',
    wording String COMMENT 'the result in words',
    voided_position Int64 COMMENT 'position of the first void; 0 where there is none',
    voided_at Int64 COMMENT 'moment of the void, 0 where there is none',
    ground String COMMENT 'ground of the void'
)
COMMENT 'One row a round, with the positions of what happened to it.'
AS
WITH facts AS
(
    SELECT
        round, position, recorded_at, behind, table, game, plan_version,
        streamed, bets, stakes,
        wording, ground, fact
    FROM facts_of_rounds
    WHERE position < {size:Int64}
)
SELECT
    round,
    argMin(table, position) AS table,
    argMinIf(game, position, fact = 'opened') AS game,
    argMinIf(plan_version, position, fact = 'opened') AS plan_version,
    argMinIf(streamed, position, fact = 'opened') AS streamed,
    countIf(fact = 'opened') AS opened,
    countIf(fact = 'closed') AS closed,
    countIf(fact = 'resulted') AS resulted,
    countIf(fact = 'voided') AS voided,
    min(position) AS first_position,
    max(position) AS last_position,
    minIf(position, fact = 'opened') AS opened_position,
    minIf(recorded_at, fact = 'opened') AS opened_at,
    minIf(position, fact = 'closed') AS closed_position,
    minIf(behind, fact = 'closed') AS closed_end,
    minIf(recorded_at, fact = 'closed') AS closed_at,
    argMinIf(bets, position, fact = 'closed') AS closed_bets,
    argMinIf(stakes, position, fact = 'closed') AS closed_stakes,
    minIf(position, fact = 'resulted') AS resulted_position,
    minIf(recorded_at, fact = 'resulted') AS resulted_at,
    argMinIf(wording, position, fact = 'resulted') AS wording,
    minIf(position, fact = 'voided') AS voided_position,
    minIf(recorded_at, fact = 'voided') AS voided_at,
    argMinIf(ground, position, fact = 'voided') AS ground
FROM facts
GROUP BY round;

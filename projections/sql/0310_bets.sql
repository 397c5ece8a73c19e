-- What happened to each bet: one row a fact.
-- Source: BetPlaced, BetConcluded, BetWithdrawn, BetReturned, BetVoided, BetSettled. Key: position.
-- Ordering: round, bet, account, position, so that the bets of a round are one short range.
-- Idempotence: rows above the watermark are deleted before the projector goes on.

CREATE TABLE IF NOT EXISTS facts_of_bets
(
    round String COMMENT 'round',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    position Int64 COMMENT 'place of the event in the chain',
    recorded_at Int64 COMMENT 'moment of the record',
    table LowCardinality(String) COMMENT 'table of a placement; otherwise empty',
    parent String COMMENT 'bet that a placement adds to; empty for none',
    stake Int64 COMMENT 'stake that the fact names, haléř',
    paid Int64 COMMENT 'paid by a settlement, stake included, haléř; otherwise 0',
    fact LowCardinality(String) COMMENT 'placed, concluded, given_back (taken back or returned), voided or settled',
    INDEX above_watermark position TYPE minmax GRANULARITY 4,
    INDEX of_account account TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYear(fromUnixTimestamp64Micro(recorded_at))
ORDER BY (round, bet, account, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What happened to each bet, fact by fact.';

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_bets_from_bet_placed TO facts_of_bets AS
SELECT round, bet, account, position, recorded_at, table, parent, stake, toInt64(0) AS paid, 'placed' AS fact
FROM BetPlaced;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_bets_from_bet_concluded TO facts_of_bets AS
SELECT round, bet, account, position, recorded_at, '' AS table, '' AS parent, amount AS stake, toInt64(0) AS paid, 'concluded' AS fact
FROM BetConcluded;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_bets_from_bet_withdrawn TO facts_of_bets AS
SELECT round, bet, account, position, recorded_at, '' AS table, '' AS parent, amount AS stake, toInt64(0) AS paid, 'given_back' AS fact
FROM BetWithdrawn;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_bets_from_bet_returned TO facts_of_bets AS
SELECT round, bet, account, position, recorded_at, '' AS table, '' AS parent, amount AS stake, toInt64(0) AS paid, 'given_back' AS fact
FROM BetReturned;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_bets_from_bet_voided TO facts_of_bets AS
SELECT round, bet, account, position, recorded_at, '' AS table, '' AS parent, amount AS stake, toInt64(0) AS paid, 'voided' AS fact
FROM BetVoided;

CREATE MATERIALIZED VIEW IF NOT EXISTS facts_of_bets_from_bet_settled TO facts_of_bets AS
SELECT round, bet, account, position, recorded_at, '' AS table, '' AS parent, stake, paid, 'settled' AS fact
FROM BetSettled;

-- One row a bet, with the positions of what happened to it.
-- Source: facts_of_bets.
-- Key: round, bet, account: facts that name another account or round are another row, and
-- a row without a placement. Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count) and account ('' for all). Counts: placed, concluded,
-- given_back (taken back or returned), voided, settled. A position of the first such fact is
-- 0 where there is none, as no bet stands at position 0; the `_last` ones are of the last.
-- stake is that of the placement, stake_least and stake_greatest of all facts; paid is that of
-- the last settlement. Haléř; moments in microseconds.

CREATE VIEW IF NOT EXISTS bets
(
    round String COMMENT 'round',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    table String COMMENT 'table',
    parent String COMMENT 'bet that it adds to; empty for none',
    stake Int64 COMMENT 'stake of the placement, haléř',
    stake_least Int64 COMMENT 'least stake that any of its facts names, haléř',
    stake_greatest Int64 COMMENT 'greatest stake that any of its facts names, haléř',
    paid Int64 COMMENT 'paid by the last settlement, stake included, haléř',
    placed UInt64 COMMENT 'number of placements',
    concluded UInt64 COMMENT 'number of conclusions',
    given_back UInt64 COMMENT 'how often taken back or returned before it was concluded',
    voided UInt64 COMMENT 'number of voids',
    settled UInt64 COMMENT 'number of settlements',
    first_position Int64 COMMENT 'position of its first fact',
    placed_at Int64 COMMENT 'moment of the first placement, 0 where there is none',
    placed_position Int64 COMMENT 'position of the first placement; 0 where there is none',
    concluded_position Int64 COMMENT 'position of the first conclusion; 0 where there is none',
    given_back_position Int64 COMMENT 'position of the first fact that gave it back; 0 where there is none',
    voided_position Int64 COMMENT 'position of the first void; 0 where there is none',
    settled_position Int64 COMMENT 'position of the first settlement; 0 where there is none',
    taken_last_position Int64 COMMENT 'position of the last placement or conclusion',
    ended_last_position Int64 COMMENT 'position of the last fact that ended it'
)
COMMENT 'One row a bet, with the positions of what happened to it.'
AS
WITH facts AS
(
    SELECT
        round, bet, account, position, recorded_at, table, parent, stake, paid, fact
    FROM facts_of_bets
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
)
SELECT
    round,
    bet,
    account,
    anyIf(table, fact = 'placed') AS table,
    anyIf(parent, fact = 'placed') AS parent,
    anyIf(stake, fact = 'placed') AS stake,
    min(facts.stake) AS stake_least,
    max(facts.stake) AS stake_greatest,
    argMaxIf(facts.paid, position, fact = 'settled') AS paid,
    countIf(fact = 'placed') AS placed,
    countIf(fact = 'concluded') AS concluded,
    countIf(fact = 'given_back') AS given_back,
    countIf(fact = 'voided') AS voided,
    countIf(fact = 'settled') AS settled,
    min(position) AS first_position,
    minIf(recorded_at, fact = 'placed') AS placed_at,
    minIf(position, fact = 'placed') AS placed_position,
    minIf(position, fact = 'concluded') AS concluded_position,
    minIf(position, fact = 'given_back') AS given_back_position,
    minIf(position, fact = 'voided') AS voided_position,
    minIf(position, fact = 'settled') AS settled_position,
    maxIf(position, fact = 'placed' OR fact = 'concluded') AS taken_last_position,
    maxIf(position, fact = 'given_back' OR fact = 'voided' OR fact = 'settled') AS ended_last_position
FROM facts
GROUP BY round, bet, account;

-- One row a bet, with the positions of what happened to it.
-- Source: BetPlaced, BetConcluded, BetWithdrawn, BetReturned, BetVoided, BetSettled.
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
        round, bet, account, position, recorded_at, table, parent, stake,
        1 AS is_placed, 0 AS is_concluded, 0 AS is_given_back, 0 AS is_voided, 0 AS is_settled,
        toInt64(0) AS paid
    FROM BetPlaced
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
    UNION ALL
    SELECT round, bet, account, position, recorded_at, '', '', amount, 0, 1, 0, 0, 0, 0
    FROM BetConcluded
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
    UNION ALL
    SELECT round, bet, account, position, recorded_at, '', '', amount, 0, 0, 1, 0, 0, 0
    FROM BetWithdrawn
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
    UNION ALL
    SELECT round, bet, account, position, recorded_at, '', '', amount, 0, 0, 1, 0, 0, 0
    FROM BetReturned
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
    UNION ALL
    SELECT round, bet, account, position, recorded_at, '', '', amount, 0, 0, 0, 1, 0, 0
    FROM BetVoided
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
    UNION ALL
    SELECT round, bet, account, position, recorded_at, '', '', stake, 0, 0, 0, 0, 1, paid
    FROM BetSettled
    WHERE position < {size:Int64} AND ({account:String} = '' OR account = {account:String})
)
SELECT
    round,
    bet,
    account,
    anyIf(table, is_placed) AS table,
    anyIf(parent, is_placed) AS parent,
    anyIf(stake, is_placed) AS stake,
    min(facts.stake) AS stake_least,
    max(facts.stake) AS stake_greatest,
    argMaxIf(facts.paid, position, is_settled) AS paid,
    sum(is_placed) AS placed,
    sum(is_concluded) AS concluded,
    sum(is_given_back) AS given_back,
    sum(is_voided) AS voided,
    sum(is_settled) AS settled,
    min(position) AS first_position,
    minIf(recorded_at, is_placed) AS placed_at,
    minIf(position, is_placed) AS placed_position,
    minIf(position, is_concluded) AS concluded_position,
    minIf(position, is_given_back) AS given_back_position,
    minIf(position, is_voided) AS voided_position,
    minIf(position, is_settled) AS settled_position,
    maxIf(position, is_placed OR is_concluded) AS taken_last_position,
    maxIf(position, is_given_back OR is_voided OR is_settled) AS ended_last_position
FROM facts
GROUP BY round, bet, account;

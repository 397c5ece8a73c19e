-- Money movements: two or three signed postings an event, in haléř; their sum is zero at
-- every position.
-- Source: the events named by the views. Key: position, posting. Ordering: kind, account,
-- position, so that the balance of one account at a position is one short range.
-- Idempotence: rows above the watermark are deleted before the projector goes on.
--
-- kind: wallet, reserved (stakes of bets that may still be withdrawn), in_play, withdrawals
-- (asked for, not paid), game_result (of the house), channel_<class> (money outside), charges,
-- prize_pool, claims (below zero: what the player owes the operator), claims_settled (paid or
-- given up outside the account). A posting names the player's account, where it is one player's money; round and
-- bet are empty where there are none.

CREATE TABLE IF NOT EXISTS postings
(
    position Int64,
    posting UInt16,
    recorded_at Int64,
    kind LowCardinality(String),
    account String,
    round String,
    bet String,
    event LowCardinality(String),
    amount Int64,
    INDEX above_watermark position TYPE minmax GRANULARITY 4
)
ENGINE = MergeTree
ORDER BY (kind, account, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_deposit_credited TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'DepositCredited' AS event,
    moved AS amount
FROM DepositCredited
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', concat('channel_', method_class)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_deposit_returned TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'DepositReturned' AS event,
    moved AS amount
FROM DepositReturned
ARRAY JOIN
    [0, 1, 2] AS posting,
    [concat('channel_', method_class), 'wallet', 'claims'] AS kind,
    [amount, claimed - amount, -claimed] AS moved
WHERE moved != 0 AND credited;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_withdrawal_requested TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'WithdrawalRequested' AS event,
    moved AS amount
FROM WithdrawalRequested
ARRAY JOIN
    [0, 1] AS posting,
    ['withdrawals', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_withdrawal_paid TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'WithdrawalPaid' AS event,
    moved AS amount
FROM WithdrawalPaid
ARRAY JOIN
    [0, 1] AS posting,
    [concat('channel_', method_class), 'withdrawals'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_withdrawal_cancelled TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'WithdrawalCancelled' AS event,
    moved AS amount
FROM WithdrawalCancelled
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'withdrawals'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_fee_charged TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'FeeCharged' AS event,
    moved AS amount
FROM FeeCharged
ARRAY JOIN
    [0, 1] AS posting,
    ['charges', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_fee_returned TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'FeeReturned' AS event,
    moved AS amount
FROM FeeReturned
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'charges'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_balance_returned TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'BalanceReturned' AS event,
    moved AS amount
FROM BalanceReturned
ARRAY JOIN
    [0, 1] AS posting,
    [concat('channel_', way), 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_placed TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetPlaced' AS event,
    moved AS amount
FROM BetPlaced
ARRAY JOIN
    [0, 1] AS posting,
    ['reserved', 'wallet'] AS kind,
    [stake, -stake] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_withdrawn TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetWithdrawn' AS event,
    moved AS amount
FROM BetWithdrawn
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'reserved'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_returned TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetReturned' AS event,
    moved AS amount
FROM BetReturned
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'reserved'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_concluded TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetConcluded' AS event,
    moved AS amount
FROM BetConcluded
ARRAY JOIN
    [0, 1] AS posting,
    ['in_play', 'reserved'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_settled TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetSettled' AS event,
    moved AS amount
FROM BetSettled
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['game_result', 'wallet', 'in_play'] AS kind,
    [stake - paid, paid, -stake] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_voided TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetVoided' AS event,
    moved AS amount
FROM BetVoided
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'in_play'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_win_corrected TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'WinCorrected' AS event,
    moved AS amount
FROM WinCorrected
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['wallet', 'game_result', 'claims'] AS kind,
    [difference + claimed, -difference, -claimed] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_corrected TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'BetCorrected' AS event,
    moved AS amount
FROM BetCorrected
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['game_result', 'wallet', 'claims'] AS kind,
    [difference, claimed - difference, -claimed] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_prize_withheld TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    round,
    bet,
    'PrizeWithheld' AS event,
    moved AS amount
FROM PrizeWithheld
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['game_result', 'wallet', 'claims'] AS kind,
    [collected + claimed, -collected, -claimed] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_claim_settled TO postings AS
SELECT
    position,
    posting,
    recorded_at,
    kind,
    account,
    '' AS round,
    '' AS bet,
    'ClaimSettled' AS event,
    moved AS amount
FROM ClaimSettled
ARRAY JOIN
    [0, 1] AS posting,
    ['claims', if(way = 'wallet', 'wallet', 'claims_settled')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

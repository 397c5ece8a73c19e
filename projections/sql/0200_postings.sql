-- Money movements: two or more signed postings an event; their sum is zero at every position.
-- Source: the events named by the views of 0210. Key: position, posting. Ordering: kind, account,
-- position, so that the balance of one account at a position is one short range.
-- Idempotence: rows above the watermark are deleted before the projector goes on.

CREATE TABLE IF NOT EXISTS postings
(
    position Int64 COMMENT 'place of the event in the chain',
    posting UInt16 COMMENT 'number of the posting in its event, from 0; those of 0 haléř are left out',
    recorded_at Int64 COMMENT 'moment of the record',
    kind LowCardinality(String) COMMENT 'where the money is. Of a player: wallet, reserved (chips that may still be taken back), in_play, withdrawals (asked for, not paid), claims (below zero: what the player owes the operator). Outside: channel_ and the class of the payment, game_result and charges of the house, prize_pool, claims_settled (paid or given up outside the account), write_offs (gained or lost by write-offs)',
    account String COMMENT 'account, where it is one player\'s money; otherwise empty',
    round String COMMENT 'round; empty where there is none',
    bet String COMMENT 'bet, or tournament: and the name of a tournament; empty where there is none',
    event LowCardinality(String) COMMENT 'event type',
    amount Int64 COMMENT 'haléř added to the kind, or taken away where it is below zero',
    INDEX above_watermark position TYPE minmax GRANULARITY 4
)
ENGINE = MergeTree
PARTITION BY toYear(fromUnixTimestamp64Micro(recorded_at))
ORDER BY (kind, account, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Every movement of money, two sides or more.';

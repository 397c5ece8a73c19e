-- Where each day ended in the chain; only days that are over.
-- Source: the projector, from the log. Key: position. Ordering: position. Idempotence: rows above the
-- watermark are deleted before the projector goes on.

CREATE TABLE IF NOT EXISTS day_ends
(
    position Int64 COMMENT 'position of the first message that was recorded after the day',
    day Date COMMENT 'day in Prague; the last one with a message before that position'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Where each day that is over ended.';

-- Sums of the postings of each day that is over, by kind and account.
-- Source: postings, day_ends. Key: position, kind, account. Ordering: kind, account, position.
-- Idempotence: rows above the watermark are deleted before the projector goes on.
--
-- A row has the position of the end of its day in day_ends. It counts as of so many messages
-- where that is not more than they are; the postings behind the last end that counts are added to them.

CREATE TABLE IF NOT EXISTS daily_postings
(
    position Int64 COMMENT 'position of the first message that was recorded after the day',
    kind LowCardinality(String) COMMENT 'where the money is, as in postings',
    account String COMMENT 'account, where it is one player\'s money; otherwise empty',
    amount Int64 COMMENT 'haléř added to the kind in the day',
    least Int64 COMMENT 'least sum of the first postings of the day, haléř; of claims the least of their opposite',
    check UInt64 COMMENT 'sum of amount times a hash of its position; the check sums of a day add up to 0 where every position does'
)
ENGINE = MergeTree
ORDER BY (kind, account, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Sums of the postings of each day that is over.';

-- Movements of each day that is over, by kind, event type, game and table.
-- Source: postings, facts_of_rounds, TournamentAnnounced, day_ends. Key: position, kind, event, game,
-- table, streamed. Ordering: position. Idempotence: rows above the watermark are deleted before the
-- projector goes on.

CREATE TABLE IF NOT EXISTS daily_movements
(
    position Int64 COMMENT 'position of the first message that was recorded after the day',
    day Date COMMENT 'day in Prague',
    kind LowCardinality(String) COMMENT 'where the money is, as in postings',
    event LowCardinality(String) COMMENT 'event type',
    game LowCardinality(String) COMMENT 'game of the round or tournament; empty without one',
    table LowCardinality(String) COMMENT 'table of the round; empty without one',
    streamed Bool COMMENT 'of a streamed table',
    plus Int64 COMMENT 'sum of the postings above zero, haléř',
    minus Int64 COMMENT 'sum of those below zero, as a positive number, haléř',
    times UInt64 COMMENT 'postings'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Movements of each day that is over, by kind, event type, game and table.';

-- Evidence against wheels, dealers and shoes at the end of each day on which they had results.
-- Source: RoundOpened, RoundResulted, CardDealt, ShoeLoaded, day_ends. Key: position, kind, name, game,
-- version. Ordering: kind, name, game, version, position. Idempotence: rows above the watermark are
-- deleted before the projector goes on.

CREATE TABLE IF NOT EXISTS daily_devices
(
    position Int64 COMMENT 'position of the first message that was recorded after the day',
    kind LowCardinality(String) COMMENT 'wheel, dealer or shoe',
    name String COMMENT 'device or table, dealer, or table of the shoes',
    game LowCardinality(String) COMMENT 'game; empty of shoes',
    version LowCardinality(String) COMMENT 'version of the game plan; empty of shoes',
    counts Array(UInt64) COMMENT 'results up to then in the order of the plan; of shoes ranks, then suits',
    properties Array(String) COMMENT 'what each bet against the device is about',
    logs Array(Float64) COMMENT 'logarithm of the capital of each bet',
    highest Float64 COMMENT 'greatest logarithm of the mean capital up to then',
    reached Int64 COMMENT 'position of the last result in it'
)
ENGINE = MergeTree
ORDER BY (kind, name, game, version, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Evidence against wheels, dealers and shoes at the end of each day that is over.';

-- The house's win on each kind of bet: changes of its sums by each day that is over.
-- Source: RoundOpened, facts_of_rounds, facts_of_bets, BetPlaced, day_ends. Key: position, game, version,
-- bet. Ordering: game, version, bet, position. Idempotence: rows above the watermark are deleted before
-- the projector goes on.
--
-- A round that goes on after midnight changes its variance: a change can be negative. The sums as of a
-- position are those of its days; of begun the least counts, of results and what is largest the greatest.

CREATE TABLE IF NOT EXISTS daily_house
(
    position Int64 COMMENT 'position of the first message that was recorded after the day',
    game LowCardinality(String) COMMENT 'game',
    version LowCardinality(String) COMMENT 'version of the game plan',
    bet LowCardinality(String) COMMENT 'bet of the plan',
    rounds Int64 COMMENT 'rounds with settled bets, more than before the day',
    staked Int64 COMMENT 'stakes of settled bets, haléř, more than before the day',
    kept Int64 COMMENT 'the house\'s win on them, haléř, more than before the day',
    begun Int64 COMMENT 'position at which the first of the rounds was opened',
    known Int64 COMMENT 'rounds of which the plan gives the payouts of every result, more than before the day',
    results Int64 COMMENT 'equally likely results of a round; 0 if the plan does not give them',
    back Int128 COMMENT 'sum over rounds and results of what is paid, haléř, more than before the day',
    spread Int128 COMMENT 'sum of the variances of the rounds by the plan times the square of results, more than before the day',
    most Int64 COMMENT 'largest payment for a result of a round, haléř',
    most_back Int64 COMMENT 'largest sum over the results of a round of what is paid, haléř'
)
ENGINE = MergeTree
ORDER BY (game, version, bet, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'The house\'s win on each kind of bet, by each day that is over.';

-- Money by kind and account, in parts: days that are over, and the postings behind them.
-- Source: daily_postings, day_ends, postings. Key: none. Ordering: none. Idempotence: a view, nothing
-- is stored.
--
-- Takes size (messages that count). The sum of a kind and account is the sum of its rows; each row but
-- those of one posting is a day, in order of position.

CREATE VIEW IF NOT EXISTS money_by_day
(
    kind LowCardinality(String) COMMENT 'where the money is, as in postings',
    account String COMMENT 'account; empty where it is no player\'s money',
    position Int64 COMMENT 'order of the row among those of its kind and account',
    posting UInt16 COMMENT 'order among rows of one position',
    amount Int64 COMMENT 'haléř added to the kind',
    least Int64 COMMENT 'least sum of the first postings of the row; of claims the least of their opposite',
    check UInt64 COMMENT 'sum of amount times a hash of its position'
)
COMMENT 'Money by kind and account: days that are over, and the postings behind them.'
AS
SELECT
    kind, account, daily.position - 1 AS position, toUInt16(0) AS posting, amount, least, check
FROM daily_postings AS daily
WHERE daily.position <= {size:Int64}
UNION ALL
SELECT
    kind, account, position, posting, amount, if(kind = 'claims', -amount, amount) AS least,
    toUInt64(amount) * sipHash64(position) AS check
FROM postings
WHERE position < {size:Int64}
    AND position >= (SELECT max(position) FROM day_ends WHERE position <= {size:Int64});

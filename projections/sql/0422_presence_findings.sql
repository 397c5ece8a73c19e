-- Play at two streamed tables at a time, and bets during a break of continuous play.
-- Source: views bets, rounds and break_violations, TableOpened, SeatTaken, SeatLeft. Key: code,
-- position, account. Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). Participation at a table: from taking a seat to leaving it, and
-- from the first placement to the result or void.

CREATE VIEW IF NOT EXISTS presence_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'stake of a bet during a break, haléř; otherwise 0',
    detail String COMMENT 'both tables, or the minutes of play before the break',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Play at two streamed tables at a time, and bets during a break.'
AS
WITH
    streamed_tables AS
    (
        SELECT table
        FROM TableOpened
        WHERE position < {size:Int64}
        GROUP BY table
        HAVING argMax(streamed, position)
    ),
    participations AS
    (
        SELECT
            bet.account AS account, any(round.table) AS table, bet.round AS round,
            min(bet.placed_position) AS first,
            max(arrayMin(arrayFilter(position -> position > 0,
            [
                round.resulted_position, round.voided_position, bet.voided_position,
                bet.settled_position, {size:Int64}
            ]))) AS last
        FROM bets(size = {size:Int64}, account = '') AS bet
        INNER JOIN rounds(size = {size:Int64}) AS round ON bet.round = round.round
        WHERE bet.placed > 0 AND bet.concluded > 0 AND round.streamed
        GROUP BY account, round
    ),
    seat_facts AS
    (
        SELECT account, table, position, 1 AS begins
        FROM SeatTaken
        WHERE position < {size:Int64} AND table IN (SELECT table FROM streamed_tables)
        UNION ALL
        SELECT account, table, position, 0
        FROM SeatLeft
        WHERE position < {size:Int64} AND table IN (SELECT table FROM streamed_tables)
    ),
    seats AS
    (
        SELECT
            account, table, begins, position AS first,
            leadInFrame(position, 1, {size:Int64}) OVER
            (
                PARTITION BY account, table ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
            ) AS last
        FROM seat_facts
    ),
    presences AS
    (
        SELECT 'bets' AS kind, account, table, round, first, last
        FROM participations
        UNION ALL
        SELECT 'seats', account, table, '', first, last
        FROM seats
        WHERE begins
    ),
    overlaps AS
    (
        SELECT
            account, round, table, first,
            max(last) OVER earlier AS last_before,
            argMax(table, last) OVER earlier AS table_before
        FROM presences
        WINDOW earlier AS
        (
            PARTITION BY kind, account ORDER BY first
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
    )
SELECT
    'TWO_TABLES' AS code, first AS position, account, round, '' AS bet, toInt64(0) AS amount,
    arrayStringConcat(parts, ' beside ') AS detail, [table, table_before] AS parts
FROM overlaps
WHERE last_before > first AND table_before != table
UNION ALL
SELECT
    'BREAK_VIOLATED' AS code, position, account, round, bet, stake AS amount,
    concat('after ', parts[1], ' minutes') AS detail,
    [toString(intDiv(length, 60000000))] AS parts
FROM break_violations(size = {size:Int64}, account = '');

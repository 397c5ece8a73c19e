-- needs = ["BetPlaced", "SeatTaken"]
-- view = "presence_findings"
--
-- [TWO_TABLES]
-- name.en = "Play at two streamed tables at once"
-- name.cs = "Hra u dvou vysílaných stolů najednou"
-- text.en = "The participant took part at two streamed tables at once: {detail:phrase}."
-- text.cs = "Účastník hrál u dvou vysílaných stolů najednou: {detail}."
-- phrase = "TABLE_BESIDE"

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
    first AS position, account, round, '' AS bet, toInt64(0) AS amount,
    arrayStringConcat(parts, ' beside ') AS detail, [table, table_before] AS parts
FROM overlaps
WHERE last_before > first AND table_before != table;

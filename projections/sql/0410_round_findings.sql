-- Rounds that are incomplete or whose facts do not fit together.
-- Source: view rounds, BetConcluded, HandStarted, RoundOpened, TableClosed. Key: code, round.
-- Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). A round without result or void is a finding as soon as
-- its table has a later round or was closed; before that it may still be running. A hand among
-- players has no close of bets.

CREATE VIEW IF NOT EXISTS round_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'stakes at the close less those of the bets, haléř; otherwise 0',
    detail String COMMENT 'bets of the close against bets concluded',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Rounds that are incomplete or whose facts do not fit together.'
AS
WITH
    last_of_table AS
    (
        SELECT table, max(position) AS position
        FROM
        (
            SELECT table, position FROM RoundOpened WHERE position < {size:Int64}
            UNION ALL
            SELECT table, position FROM TableClosed WHERE position < {size:Int64}
        )
        GROUP BY table
    ),
    hands AS
    (
        SELECT round FROM HandStarted WHERE position < {size:Int64}
    ),
    concluded AS
    (
        SELECT round, position, amount
        FROM BetConcluded
        WHERE position < {size:Int64}
    ),
    counted AS
    (
        SELECT
            round.round AS round,
            any(round.closed_position) AS position,
            any(round.closed_bets) AS bets_closed,
            any(round.closed_stakes) AS stakes_closed,
            countIf(concluded.position > round.closed_position
                AND concluded.position < round.closed_end) AS bets,
            sumIf(concluded.amount, concluded.position > round.closed_position
                AND concluded.position < round.closed_end) AS stakes
        FROM rounds(size = {size:Int64}) AS round
        LEFT JOIN concluded ON round.round = concluded.round
        WHERE round.closed > 0
        GROUP BY round
    ),
    judged AS
    (
        SELECT
            round.round AS name,
            arrayJoin(arrayFilter(found -> found.2 > 0,
            [
                (
                    'ROUND_NOT_FINISHED',
                    if(round.opened > 0 AND round.resulted + round.voided = 0
                        AND last_of_table.position > round.opened_position,
                        round.opened_position, 0)
                ),
                (
                    'ROUND_NOT_OPENED',
                    if(round.opened = 0 OR round.first_position < round.opened_position,
                        round.first_position, 0)
                ),
                (
                    'ROUND_FACT_TWICE',
                    if(round.opened > 1 OR round.closed > 1 OR round.resulted > 1
                        OR round.voided > 1, round.last_position, 0)
                ),
                (
                    'RESULT_BEFORE_CLOSE',
                    if(round.resulted > 0 AND round.round NOT IN hands AND (round.closed = 0
                        OR round.closed_position > round.resulted_position),
                        round.resulted_position, 0)
                ),
                (
                    'RESULT_AND_VOID',
                    if(round.resulted > 0 AND round.voided > 0,
                        greatest(round.resulted_position, round.voided_position), 0)
                )
            ])) AS found
        FROM rounds(size = {size:Int64}) AS round
        LEFT JOIN last_of_table ON round.table = last_of_table.table
    )
SELECT
    found.1 AS code, found.2 AS position, '' AS account, name AS round, '' AS bet,
    toInt64(0) AS amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM judged
UNION ALL
SELECT
    'CLOSE_MISCOUNTED' AS code, position, '' AS account, round, '' AS bet,
    stakes_closed - stakes AS amount,
    arrayStringConcat(parts, ' bets against ') AS detail,
    [toString(bets_closed), toString(bets)] AS parts
FROM counted
WHERE bets_closed != bets OR stakes_closed != stakes;

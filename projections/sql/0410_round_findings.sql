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
    rounds_of_tables AS
    (
        SELECT
            round.round AS round, round.opened AS opened, round.closed AS closed,
            round.resulted AS resulted, round.voided AS voided,
            round.first_position AS first_position, round.last_position AS last_position,
            round.opened_position AS opened_position, round.closed_position AS closed_position,
            round.resulted_position AS resulted_position,
            round.voided_position AS voided_position,
            round.round IN (SELECT round FROM HandStarted WHERE position < {size:Int64})
                AS is_hand,
            last_of_table.position AS table_position
        FROM rounds(size = {size:Int64}) AS round
        LEFT JOIN last_of_table ON round.table = last_of_table.table
    )
{checks};

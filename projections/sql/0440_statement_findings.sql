-- Books of an account that do not agree with its postings.
-- Source: AccountStatement, postings. Key: position, figure. Ordering: none. Idempotence: a
-- view, nothing is stored.
--
-- Takes size (messages that count). A statement covers the postings behind the one before;
-- opening and closing are wallet and reserved chips. amount is recorded less computed, haléř.

CREATE VIEW IF NOT EXISTS statement_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'recorded less computed, haléř',
    detail String COMMENT 'figure of the statement, recorded against computed',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Books of an account that do not agree with its postings.'
AS
WITH
    statements AS
    (
        SELECT
            position, account, opening, deposits, withdrawals, fees, stakes, winnings,
            corrections, closing, reserved, in_play
        FROM AccountStatement
        WHERE position < {size:Int64}
    ),
    movements AS
    (
        SELECT
            statements.position AS position,
            sumIf(amount, kind = 'wallet'
                AND event IN ('DepositCredited', 'DepositReturned')) AS deposits,
            -sumIf(amount, kind = 'wallet' AND event IN
                ('WithdrawalRequested', 'WithdrawalCancelled', 'BalanceReturned')) AS withdrawals,
            -sumIf(amount, kind = 'wallet' AND event IN
                ('FeeCharged', 'FeeReturned', 'TimeCollectionTaken')) AS fees,
            sumIf(amount, kind = 'in_play' AND event IN
            (
                'BetConcluded', 'BetVoided', 'HandAction', 'UncalledReturned', 'MisdealDeclared',
                'TournamentEntryPaid', 'TournamentEntryReturned'
            )) AS stakes,
            sumIf(amount, kind = 'wallet' AND event IN
                ('BetSettled', 'PotAwarded', 'PointsSettled', 'TournamentPrizePaid')) AS winnings,
            sumIf(amount, kind = 'wallet'
                AND event IN
                ('WinCorrected', 'BetCorrected', 'PrizeWithheld', 'ClaimSettled')) AS corrections,
            sumIf(amount, kind IN ('wallet', 'reserved')) AS money,
            sumIf(amount, kind = 'reserved') AS reserved,
            sumIf(amount, kind = 'in_play') AS in_play
        FROM postings
        ASOF INNER JOIN statements
            ON postings.account = statements.account AND postings.position < statements.position
        WHERE postings.position < {size:Int64} AND kind IN ('wallet', 'reserved', 'in_play')
        GROUP BY position
    ),
    computed AS
    (
        SELECT
            statements.account AS account, statements.position AS position,
            arrayJoin(arrayFilter(figure -> figure.2 != figure.3,
            [
                ('opening', statements.opening, sum(movements.money) OVER before),
                ('deposits', statements.deposits, movements.deposits),
                ('withdrawals', statements.withdrawals, movements.withdrawals),
                ('fees', statements.fees, movements.fees),
                ('stakes', statements.stakes, movements.stakes),
                ('winnings', statements.winnings, movements.winnings),
                ('corrections', statements.corrections, movements.corrections),
                ('closing', statements.closing, sum(movements.money) OVER until_here),
                ('reserved', statements.reserved, sum(movements.reserved) OVER until_here),
                ('in_play', statements.in_play, sum(movements.in_play) OVER until_here)
            ])) AS figure
        FROM statements
        LEFT JOIN movements ON statements.position = movements.position
        WINDOW
            before AS
            (
                PARTITION BY statements.account ORDER BY statements.position
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ),
            until_here AS
            (
                PARTITION BY statements.account ORDER BY statements.position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            )
    )
SELECT
    'STATEMENT_WRONG' AS code, position, account, '' AS round, '' AS bet,
    figure.2 - figure.3 AS amount,
    concat(parts[1], ' ', parts[2], ' against ', parts[3]) AS detail,
    [figure.1, toString(figure.2), toString(figure.3)] AS parts
FROM computed;

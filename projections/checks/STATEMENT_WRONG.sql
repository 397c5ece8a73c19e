-- needs = ["AccountStatement"]
-- view = "statement_findings"
--
-- [STATEMENT_WRONG]
-- name.en = "Statement differs from the postings"
-- name.cs = "Uzávěrka neodpovídá pohybům"
-- text.en = "A statement differs from the postings by {amount:money}: {detail:phrase}."
-- text.cs = "Výpis z konta se liší od účetních zápisů o {amount}: {detail}."
-- phrase = "STATEMENT_{}"

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
    position, account, '' AS round, '' AS bet, figure.2 - figure.3 AS amount,
    concat(parts[1], ' ', parts[2], ' against ', parts[3]) AS detail,
    [figure.1, toString(figure.2), toString(figure.3)] AS parts
FROM computed;

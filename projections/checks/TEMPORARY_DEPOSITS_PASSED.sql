-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [TEMPORARY_DEPOSITS_PASSED]
-- name.en = "Deposits of a temporary account passed the limit"
-- name.cs = "Vklady na dočasné konto překročily limit"
-- text.en = "Deposits of a temporary account passed 3,000 CZK together, by {amount:money}."
-- text.cs = "Vklady na dočasné konto celkem překročily 3 000 Kč o {amount}."
-- paragraph = "ZHH 77"

WITH
    deposited AS
    (
        SELECT
            account, position,
            sum(amount) OVER
            (
                PARTITION BY account ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS total
        FROM
        (
            SELECT account, position, amount
            FROM DepositCredited
            WHERE position < {size:Int64}
                AND account IN (SELECT account FROM regimes WHERE regime = 'temporary')
            UNION ALL
            SELECT account, position, -amount
            FROM DepositReturned
            WHERE position < {size:Int64} AND credited
                AND account IN (SELECT account FROM regimes WHERE regime = 'temporary')
        )
    )
SELECT
    deposited.position AS position, deposited.account AS account, '' AS round, '' AS bet,
    deposited.total - 300000 AS amount, '' AS detail
FROM deposited
INNER JOIN DepositCredited AS deposit ON deposited.position = deposit.position
ASOF INNER JOIN regimes
    ON deposited.account = regimes.account AND deposited.position > regimes.position
WHERE regimes.regime = 'temporary' AND deposited.total > 300000;

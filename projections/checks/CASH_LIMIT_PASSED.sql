-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [CASH_LIMIT_PASSED]
-- name.en = "Limit of cash passed"
-- name.cs = "Překročený limit hotovosti"
-- text.en = """\
--   Cash {detail:phrase} of 24 hours passed {figures.cash_haler.value:money} by \
--   {amount:money}."""
-- text.cs = "Hotovost ({detail}) za 24 hodin překročila {figures.cash_haler.value} o {amount}."
-- phrase = "CASH_{}"

WITH
    cash_of_accounts AS
    (
        SELECT 'deposits' AS direction, account, position, recorded_at, amount
        FROM DepositCredited
        WHERE position < {size:Int64} AND method_class = 'cash'
        UNION ALL
        SELECT 'withdrawals', account, position, recorded_at, amount
        FROM withdrawals
        WHERE method_class = 'cash'
    ),
    cash AS
    (
        SELECT
            direction, cash_of_accounts.account AS account, position, recorded_at, amount,
            if(owner = '', cash_of_accounts.account, owner) AS person
        FROM cash_of_accounts
        LEFT JOIN account_owners(size = {size:Int64}) AS owners
            ON cash_of_accounts.account = owners.account
    ),
    running AS
    (
        SELECT
            direction, account, person, position, recorded_at,
            recorded_at - 86400000000 AS a_day_before,
            sum(amount) OVER
            (
                PARTITION BY direction, person ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS total
        FROM cash
    ),
    moments AS
    (
        SELECT direction, person, recorded_at, max(total) AS total
        FROM running
        GROUP BY direction, person, recorded_at
    ),
    sums AS
    (
        SELECT
            running.direction AS direction, running.account AS account,
            running.position AS position, running.total - moments.total AS of_a_day,
            toUInt8(1) AS chain
        FROM running
        ASOF LEFT JOIN moments
            ON running.direction = moments.direction
            AND running.person = moments.person
            AND running.a_day_before >= moments.recorded_at
    )
SELECT
    position, account, '' AS round, '' AS bet, of_a_day - cash_most AS amount,
    direction AS detail
FROM sums
ASOF INNER JOIN operator_figures AS figures
    ON sums.chain = figures.chain AND sums.position >= figures.since
WHERE of_a_day > cash_most;

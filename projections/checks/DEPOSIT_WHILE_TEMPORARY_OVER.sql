-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [DEPOSIT_WHILE_TEMPORARY_OVER]
-- name.en = "Deposit after the end of a temporary account"
-- name.cs = "Vklad po konci dočasného konta"
-- text.en = "{amount:money} came in on a temporary account after its 30 days."
-- text.cs = "{amount} bylo vloženo na dočasné konto po uplynutí 30 dnů."
-- paragraph = "ZHH 77, 80"

SELECT
    deposit.position AS position, deposit.account AS account, '' AS round, '' AS bet,
    deposit.amount AS amount, '' AS detail
FROM DepositCredited AS deposit
INNER JOIN AccountOpened AS opened ON deposit.account = opened.account
ASOF INNER JOIN regimes
    ON deposit.account = regimes.account AND deposit.position > regimes.position
WHERE deposit.position < {size:Int64}
    AND opened.position < {size:Int64}
    AND regimes.regime = 'temporary'
    AND deposit.recorded_at >= opened.recorded_at + 2592000000000;

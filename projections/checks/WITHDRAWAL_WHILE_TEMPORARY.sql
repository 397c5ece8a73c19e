-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [WITHDRAWAL_WHILE_TEMPORARY]
-- name.en = "Withdrawal from a temporary account"
-- name.cs = "Výběr z dočasného konta"
-- text.en = "{amount:money} were withdrawn from a temporary account: {detail}."
-- text.cs = "{amount} bylo vybráno z dočasného konta: {detail}."
-- paragraph = "ZHH 77"

SELECT
    withdrawal.position AS position, withdrawal.account AS account, '' AS round, '' AS bet,
    withdrawal.amount AS amount, withdrawal.withdrawal AS detail
FROM withdrawals AS withdrawal
ASOF INNER JOIN regimes
    ON withdrawal.account = regimes.account AND withdrawal.position > regimes.position
WHERE regimes.regime = 'temporary';

-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [WITHDRAWAL_NOT_REQUESTED]
-- name.en = "Withdrawal not requested like this"
-- name.cs = "Výběr, o který nebylo takto požádáno"
-- text.en = "Withdrawal {detail} over {amount:money} was paid and not requested like this."
-- text.cs = "Výběr {detail} ve výši {amount} byl vyplacen, aniž byl takto požadován."

SELECT
    paid.position AS position, paid.account AS account, '' AS round, '' AS bet,
    paid.amount AS amount, paid.withdrawal AS detail
FROM WithdrawalPaid AS paid
LEFT JOIN withdrawals
    ON paid.account = withdrawals.account
    AND paid.withdrawal = withdrawals.withdrawal
    AND paid.amount = withdrawals.amount
    AND paid.method = withdrawals.method
WHERE paid.position < {size:Int64}
    AND (withdrawals.withdrawal = '' OR withdrawals.position > paid.position);

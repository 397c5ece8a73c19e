-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [WITHDRAWAL_METHOD_WRONG]
-- name.en = "Withdrawal to no registered account"
-- name.cs = "Výběr na neevidovaný platební účet"
-- text.en = "{amount:money} were to go to {detail}, which is no registered payment account."
-- text.cs = "{amount} mělo být vyplaceno na {detail}, což není zaregistrovaný platební účet."

SELECT
    withdrawal.position AS position, withdrawal.account AS account, '' AS round, '' AS bet,
    withdrawal.amount AS amount, withdrawal.method AS detail
FROM withdrawals AS withdrawal
LEFT JOIN methods ON withdrawal.account = methods.account AND withdrawal.method = methods.method
WHERE withdrawal.method_class != 'cash'
    AND (methods.class != 'account' OR methods.position > withdrawal.position);

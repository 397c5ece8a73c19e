-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [DEPOSIT_METHOD_UNKNOWN]
-- name.en = "Deposit by a method that is not registered"
-- name.cs = "Vklad neevidovaným způsobem platby"
-- text.en = "{amount:money} came by {detail}, which was not registered for the account."
-- text.cs = "{amount} přišlo prostředkem {detail}, který nebyl u konta zaregistrován."

SELECT
    deposit.position AS position, deposit.account AS account, '' AS round, '' AS bet,
    deposit.amount AS amount, deposit.method AS detail
FROM DepositCredited AS deposit
LEFT JOIN methods ON deposit.account = methods.account AND deposit.method = methods.method
WHERE deposit.position < {size:Int64}
    AND deposit.method_class != 'cash'
    AND (methods.method = '' OR methods.position > deposit.position);

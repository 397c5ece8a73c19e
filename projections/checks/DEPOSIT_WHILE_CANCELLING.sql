-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [DEPOSIT_WHILE_CANCELLING]
-- name.en = "Deposit during a cancellation"
-- name.cs = "Vklad během rušení konta"
-- text.en = "{amount:money} came in while the account was being cancelled."
-- text.cs = "{amount} bylo připsáno během rušení konta."
-- paragraph = "ZHH (user account)"

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE is_deposit AND status = 'cancelling';

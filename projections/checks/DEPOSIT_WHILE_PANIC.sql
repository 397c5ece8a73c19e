-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [DEPOSIT_WHILE_PANIC]
-- name.en = "Deposit during a panic block"
-- name.cs = "Vklad po aktivaci Panic buttonu"
-- text.en = "{amount:money} came in during a panic block."
-- text.cs = "{amount} bylo připsáno během zablokování Panic buttonem."
-- paragraph = "ZHH 16"

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE is_deposit AND is_panic;

-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [DEPOSIT_WHILE_CLOSED]
-- name.en = "Deposit on a closed account"
-- name.cs = "Vklad na zrušené konto"
-- text.en = "{amount:money} came in on a closed account."
-- text.cs = "{amount} bylo připsáno na zrušené konto."
-- paragraph = "ZHH (user account)"

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE is_deposit AND status = 'closed';

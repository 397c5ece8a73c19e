-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [DEPOSIT_WITHOUT_ACCOUNT]
-- name.en = "Deposit without an account"
-- name.cs = "Vklad bez konta"
-- text.en = "{amount:money} came in before the account opened."
-- text.cs = "{amount} bylo připsáno, než bylo konto zřízeno."
-- paragraph = "ZHH (user account)"

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE is_deposit AND status = '';

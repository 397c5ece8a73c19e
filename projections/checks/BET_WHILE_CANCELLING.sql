-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WHILE_CANCELLING]
-- name.en = "Bet while the account was being cancelled"
-- name.cs = "Sázka během rušení konta"
-- text.en = "The bet was taken while the account was being cancelled."
-- text.cs = "Sázka byla přijata během rušení konta."

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND status = 'cancelling';

-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WHILE_CLOSED]
-- name.en = "Bet from a closed account"
-- name.cs = "Sázka ze zrušeného konta"
-- text.en = "The bet was taken from a closed account."
-- text.cs = "Sázka byla přijata ze zrušeného konta."

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND status = 'closed';

-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WHILE_PANIC]
-- name.en = "Bet during a panic block"
-- name.cs = "Sázka během blokace Panic buttonem"
-- text.en = "The bet was taken during a panic block."
-- text.cs = "Sázka byla přijata během blokace Panic buttonem."

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND is_panic;

-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [DEPOSIT_WHILE_EXCLUDED]
-- name.en = "Deposit during an exclusion"
-- name.cs = "Vklad během vyloučení"
-- text.en = "{amount:money} came in during an exclusion ({detail:phrase})."
-- text.cs = "{amount} bylo připsáno během vyloučení ({detail})."
-- paragraph = "ZHH 16"
-- phrase = "GROUND_OF_EXCLUSION"

SELECT
    position, account, round, bet, amount, arrayMin(grounds) AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE is_deposit AND notEmpty(grounds);

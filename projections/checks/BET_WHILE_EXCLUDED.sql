-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WHILE_EXCLUDED]
-- name.en = "Bet during an exclusion"
-- name.cs = "Sázka osoby vyloučené ze hry"
-- text.en = "The bet was taken during an exclusion ({detail:phrase})."
-- text.cs = "Sázka byla přijata v době vyloučení ({detail})."
-- identity = "named"
-- phrase = "GROUND_OF_EXCLUSION"

SELECT
    position, account, round, bet, amount, arrayMin(grounds) AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND notEmpty(grounds);

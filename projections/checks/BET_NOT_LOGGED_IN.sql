-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_NOT_LOGGED_IN]
-- name.en = "Bet without a login"
-- name.cs = "Sázka bez přihlášení"
-- text.en = "The bet was taken from a participant not logged in for play."
-- text.cs = "Sázka byla přijata od osoby, která nebyla přihlášena ke hře."

SELECT
    position, account, round, bet, amount, mode AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND mode != 'full';

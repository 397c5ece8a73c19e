-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WITHOUT_ACCOUNT]
-- name.en = "Bet before the account opened"
-- name.cs = "Sázka před zřízením konta"
-- text.en = "The bet was taken before the account opened."
-- text.cs = "Sázka byla přijata před zřízením konta."

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND status = '';

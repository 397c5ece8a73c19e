-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WHILE_TEMPORARY_OVER]
-- name.en = "Bet after the end of a temporary account"
-- name.cs = "Sázka po konci dočasného konta"
-- text.en = "The bet was taken from a temporary account after its 30 days."
-- text.cs = "Sázka byla přijata z dočasného konta po uplynutí 30 dnů."
-- paragraph = "ZHH 77, 80"

SELECT
    position, account, round, bet, amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM money_facts
WHERE NOT is_deposit AND regime = 'temporary' AND opened_at > 0
    AND recorded_at >= opened_at + 2592000000000;

-- view = "bet_findings"
-- reads = []
--
-- [BET_NOT_CONCLUDED]
-- name.en = "Chips settled that were no bet"
-- name.cs = "Vypořádány žetony, které nebyly sázkou"
-- text.en = "Chips that were never a bet were settled or voided."
-- text.cs = "Byly vypořádány nebo zneplatněny žetony, které nikdy nebyly sázkou."
-- identity = "moving"

SELECT
    ended_last_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 0 AND concluded = 0 AND settled + voided > 0;

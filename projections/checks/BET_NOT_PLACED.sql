-- view = "bet_findings"
-- reads = []
--
-- [BET_NOT_PLACED]
-- name.en = "Bet never placed"
-- name.cs = "Sázka nebyla vložena"
-- text.en = "The bet has facts and no placement."
-- text.cs = "Sázka má skutečnosti, ale nebyla vložena."
-- identity = "moving"

SELECT
    first_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed = 0;

-- view = "bet_findings"
-- reads = []
--
-- [BET_TAKEN_TWICE]
-- name.en = "Bet taken twice"
-- name.cs = "Sázka byla přijata dvakrát"
-- text.en = "The bet was placed or concluded twice."
-- text.cs = "Sázka byla vložena nebo uzavřena dvakrát."
-- identity = "moving"

SELECT
    taken_last_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 1 OR concluded > 1;

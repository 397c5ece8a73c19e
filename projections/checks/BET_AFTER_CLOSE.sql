-- view = "bet_findings"
-- reads = []
--
-- [BET_AFTER_CLOSE]
-- name.en = "Bet after the close"
-- name.cs = "Sázka přijatá po konci sázek"
-- text.en = "The bet was taken after the close."
-- text.cs = "Sázka byla přijata po konci sázek."

SELECT
    if(placed_position > round_closed, placed_position, concluded_position) AS position,
    account, round, bet, stake AS amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE parent = '' AND placed > 0 AND round_closed > 0
    AND (placed_position > round_closed OR concluded_position >= close_end);

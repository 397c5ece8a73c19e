-- view = "bet_findings"
-- reads = []
--
-- [BET_IN_NO_ROUND]
-- name.en = "Bet in a round that was not open"
-- name.cs = "Sázka v kole, které nebylo otevřené"
-- text.en = "The bet was taken in a round that was not open."
-- text.cs = "Sázka byla přijata v kole, které nebylo otevřené."

SELECT
    placed_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 0 AND (round_opened = 0 OR placed_position < round_opened);

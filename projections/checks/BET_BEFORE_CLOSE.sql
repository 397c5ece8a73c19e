-- view = "bet_findings"
-- reads = []
--
-- [BET_BEFORE_CLOSE]
-- name.en = "Bet concluded without the close"
-- name.cs = "Sázka uzavřená bez konce sázek"
-- text.en = "The bet was concluded without the close."
-- text.cs = "Sázka byla uzavřena bez konce sázek."

SELECT
    concluded_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 0 AND parent = '' AND concluded > 0
    AND (round_closed = 0 OR concluded_position < round_closed);

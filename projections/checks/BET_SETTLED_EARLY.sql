-- view = "bet_findings"
-- reads = []
--
-- [BET_SETTLED_EARLY]
-- name.en = "Bet settled before the result"
-- name.cs = "Sázka byla vypořádána před výsledkem"
-- text.en = "The bet was settled before the result."
-- text.cs = "Sázka byla vypořádána před výsledkem."
-- identity = "moving"

SELECT
    settled_position AS position, account, round, bet, paid AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE settled > 0 AND (round_resulted = 0 OR settled_position < round_resulted);

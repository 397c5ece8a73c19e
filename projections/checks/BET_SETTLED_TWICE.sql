-- view = "bet_findings"
-- reads = []
--
-- [BET_SETTLED_TWICE]
-- name.en = "Bet settled twice"
-- name.cs = "Sázka byla vypořádána dvakrát"
-- text.en = "The bet was settled twice; {amount:money} the last time."
-- text.cs = "Sázka byla vypořádána dvakrát; naposledy {amount}."
-- identity = "moving"

SELECT
    ended_last_position AS position, account, round, bet, paid AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE settled > 1;

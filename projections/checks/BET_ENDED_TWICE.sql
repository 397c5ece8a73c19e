-- view = "bet_findings"
-- reads = []
--
-- [BET_ENDED_TWICE]
-- name.en = "Bet ended more than once"
-- name.cs = "Sázka skončila vícekrát"
-- text.en = "The bet was given back, voided or settled more than once."
-- text.cs = "Sázka byla vícekrát vrácena, zneplatněna nebo vypořádána."
-- identity = "moving"

SELECT
    ended_last_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE settled < 2 AND ended > 1 OR given_back > 0 AND concluded > 0;

-- view = "bet_findings"
-- reads = ["PrisonDecided"]
--
-- [BET_NOT_SETTLED]
-- name.en = "Bet not settled"
-- name.cs = "Sázka nebyla vypořádána"
-- text.en = "The round has its result, the bet over {amount:money} is neither settled nor void."
-- text.cs = "Kolo má výsledek, sázka {amount} není vypořádána ani neplatná."
-- identity = "moving"

SELECT
    greatest(round_resulted, concluded_position) AS position, account, round, bet,
    stake AS amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 0 AND concluded > 0 AND ended = 0 AND round_resulted > 0
    AND NOT on_hold AND NOT in_prison;

-- view = "bet_findings"
-- reads = []
--
-- [PAID_ON_HOLD]
-- name.en = "Paid while the payout was on hold"
-- name.cs = "Vyplaceno, ačkoli byla výplata pozastavena"
-- text.en = "The bet was settled while its payout was on hold."
-- text.cs = "Sázka byla vypořádána, ačkoli byla její výplata pozastavena."
-- identity = "moving"

SELECT
    settled_position AS position, account, round, bet, paid AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE settled > 0 AND paid_on_hold;

-- view = "bet_findings"
-- reads = []
--
-- [BET_LEFT_ON_TABLE]
-- name.en = "Chips neither concluded nor given back"
-- name.cs = "Žetony nebyly uzavřeny ani vráceny"
-- text.en = "Chips over {amount:money} were neither concluded nor given back."
-- text.cs = "Žetony za {amount} nebyly uzavřeny jako sázka ani vráceny."
-- identity = "moving"

SELECT
    placed_position AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 0 AND concluded = 0 AND ended = 0
    AND round_closed + round_resulted + round_voided > 0;

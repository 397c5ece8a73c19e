-- view = "bet_findings"
-- reads = []
--
-- [BET_NOT_RETURNED]
-- name.en = "Stake of a void round not returned"
-- name.cs = "Vklad neplatného kola nebyl vrácen"
-- text.en = "The round is void, the stake was not returned."
-- text.cs = "Kolo je neplatné, vklad nebyl vrácen."
-- identity = "moving"

SELECT
    round_voided AS position, account, round, bet, stake AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE placed > 0 AND concluded > 0 AND ended = 0 AND round_resulted = 0
    AND round_voided > 0;

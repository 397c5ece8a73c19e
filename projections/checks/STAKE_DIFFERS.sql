-- view = "bet_findings"
-- reads = []
--
-- [STAKE_DIFFERS]
-- name.en = "Stake differs"
-- name.cs = "Záznamy sázky se liší ve vkladu"
-- text.en = "Facts of the bet differ in its stake by {amount:money}."
-- text.cs = "Skutečnosti o sázce se liší ve vkladu o {amount}."
-- identity = "moving"

SELECT
    greatest(taken_last_position, ended_last_position) AS position, account, round, bet,
    difference AS amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM bets_of_rounds
WHERE difference != 0;

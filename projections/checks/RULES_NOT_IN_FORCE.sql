-- needs = ["RoundOpened"]
-- view = "entry_findings"
--
-- [RULES_NOT_IN_FORCE]
-- name.en = "Round under rules not in force"
-- name.cs = "Hra podle pravidel, která nebyla účinná"
-- text.en = "The round was opened under rules {detail}, which were not in force."
-- text.cs = "Kolo bylo zahájeno podle pravidel {detail}, která nebyla účinná."

SELECT position, account, round, '' AS bet, toInt64(0) AS amount, version AS detail
FROM openings_not_in_force
WHERE round != '';

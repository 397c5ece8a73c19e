-- needs = ["AccountOpened"]
-- view = "entry_findings"
--
-- [PLAN_NOT_IN_FORCE]
-- name.en = "Account opened under a plan not in force"
-- name.cs = "Konto zřízeno podle herního plánu, který nebyl účinný"
-- text.en = "The account was opened under game plan {detail}, which was not in force."
-- text.cs = "Konto bylo zřízeno podle herního plánu {detail}, který nebyl účinný."

SELECT position, account, round, '' AS bet, toInt64(0) AS amount, version AS detail
FROM openings_not_in_force
WHERE account != '';

-- view = "entry_findings"
--
-- [PLAN_NOT_IN_FORCE]
-- name.en = "Account opened under a plan not in force"
-- name.cs = "Konto zřízeno podle herního plánu, který nebyl účinný"
-- text.en = "The account was opened under game plan {detail}, which was not in force."
-- text.cs = "Konto bylo zřízeno podle herního plánu {detail}, který nebyl účinný."

WITH
    openings AS
    (
        SELECT
            account, '' AS round, position, recorded_at, plan_version,
            arrayJoin((SELECT groupUniqArray(game) || [''] FROM RulesPublished)) AS game
        FROM AccountOpened
        WHERE position < {size:Int64}
    )
SELECT
    openings.position AS position, openings.account AS account, openings.round AS round,
    '' AS bet, toInt64(0) AS amount, any(openings.plan_version) AS detail
FROM openings
ASOF LEFT JOIN published
    ON openings.game = published.game AND openings.recorded_at >= published.since
GROUP BY position, account, round
HAVING NOT max(openings.plan_version = published.in_force AND published.since > 0);

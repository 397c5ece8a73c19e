-- view = "entry_findings"
--
-- [RULES_NOT_IN_FORCE]
-- name.en = "Round under rules not in force"
-- name.cs = "Hra podle pravidel, která nebyla účinná"
-- text.en = "The round was opened under rules {detail}, which were not in force."
-- text.cs = "Kolo bylo zahájeno podle pravidel {detail}, která nebyla účinná."

WITH
    openings AS
    (
        SELECT '' AS account, round, position, recorded_at, plan_version, game
        FROM RoundOpened
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

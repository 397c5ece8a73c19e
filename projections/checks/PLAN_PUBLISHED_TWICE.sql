-- needs = ["RulesPublished"]
-- view = "entry_findings"
--
-- [PLAN_PUBLISHED_TWICE]
-- name.en = "Game plan published twice with different documents"
-- name.cs = "Herní plán zveřejněný podruhé s jiným obsahem"
-- text.en = "Game plan {detail} was published again with another document; the first one is in force."
-- text.cs = "Herní plán {detail} byl zveřejněn znovu s jiným obsahem; platí ten první."
-- paragraph = "SAZKA 1(4)"

SELECT
    position, '' AS account, '' AS round, '' AS bet, toInt64(0) AS amount,
    concat(game, ' ', plan_version) AS detail
FROM
(
    SELECT
        position, game, plan_version, document,
        argMin(document, position) OVER (PARTITION BY game, plan_version) AS in_force
    FROM RulesPublished
    WHERE position < {size:Int64} AND document_digest = lower(hex(SHA256(document)))
)
WHERE document != in_force;

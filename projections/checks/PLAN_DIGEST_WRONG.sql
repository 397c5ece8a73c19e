-- needs = ["RulesPublished"]
-- view = "entry_findings"
--
-- [PLAN_DIGEST_WRONG]
-- name.en = "Game plan with a wrong digest"
-- name.cs = "Herní plán s chybným otiskem"
-- text.en = "The digest of game plan {detail} is not that of the published document, which is not used."
-- text.cs = "Otisk herního plánu {detail} neodpovídá zveřejněnému obsahu, který se proto nepoužije."
-- paragraph = "SAZKA 1(4)"

SELECT
    position, '' AS account, '' AS round, '' AS bet, toInt64(0) AS amount,
    concat(game, ' ', plan_version) AS detail
FROM RulesPublished
WHERE position < {size:Int64} AND document != ''
    AND document_digest != lower(hex(SHA256(document)));

-- view = "entry_findings"
--
-- [REGISTER_NOT_ASKED]
-- name.en = "Register of excluded persons not asked"
-- name.cs = "Rejstřík vyloučených osob nebyl dotázán"
-- text.en = "The register of excluded persons was not asked at the {detail:phrase}."
-- text.cs = "Před tímto úkonem nebyl proveden dotaz do rejstříku vyloučených osob: {detail}."

SELECT
    entries.position AS position, entries.account AS account, '' AS round, '' AS bet,
    toInt64(0) AS amount, entries.occasion AS detail
FROM entries
LEFT JOIN checks
    ON entries.account = checks.account AND entries.decision = checks.decision
    AND entries.occasion = checks.occasion
WHERE checks.occasion = '';

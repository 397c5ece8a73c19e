-- needs = ["AccountOpened", "LoggedIn"]
-- view = "entry_findings"
--
-- [REGISTER_NOT_ASKED]
-- name.en = "Register of excluded persons not asked"
-- name.cs = "Rejstřík vyloučených osob nebyl dotázán"
-- text.en = "The register of excluded persons was not asked at the {detail:phrase}."
-- text.cs = "Před tímto úkonem nebyl proveden dotaz do rejstříku vyloučených osob: {detail}."
-- phrase = "OCCASION_{}"

SELECT
    position, account, '' AS round, '' AS bet, toInt64(0) AS amount, occasion AS detail
FROM asked_entries
WHERE NOT is_asked;

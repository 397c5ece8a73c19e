-- needs = ["LimitSet"]
-- view = "measure_findings"
--
-- [LOGIN_TIME_PASSED]
-- name.en = "Login time used up"
-- name.cs = "Sázka po vyčerpání doby přihlášení"
-- text.en = """\
--   The bet was taken when the login time of the day was used up: {detail:phrase} minutes."""
-- text.cs = "Sázka byla přijata po vyčerpání denní doby přihlášení: {detail} minut."
-- phrase = "PARTS_OF"

SELECT
    position, account, round, bet, toInt64(0) AS amount,
    concat(toString(intDiv(used, 60000000)), ' of ', toString(allowed)) AS detail,
    [toString(intDiv(used, 60000000)), toString(allowed)] AS parts
FROM measures_used
WHERE measure = 'f' AND used >= 60000000 * allowed;

-- needs = ["LimitSet"]
-- view = "measure_findings"
--
-- [PAUSE_VIOLATED]
-- name.en = "Bet in the pause after a logout"
-- name.cs = "Sázka v přestávce po odhlášení"
-- text.en = "The bet was taken in the pause after a logout: {detail:phrase} minutes."
-- text.cs = "Sázka byla přijata během přestávky po odhlášení: {detail} minut."
-- phrase = "PARTS_OF"

SELECT
    position, account, round, bet, toInt64(0) AS amount,
    concat(toString(intDiv(used, 60000000)), ' of ', toString(allowed)) AS detail,
    [toString(intDiv(used, 60000000)), toString(allowed)] AS parts
FROM measures_used
WHERE measure = 'g' AND used < 60000000 * allowed;

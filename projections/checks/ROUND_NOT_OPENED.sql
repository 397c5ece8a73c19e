-- view = "round_findings"
-- reads = []
--
-- [ROUND_NOT_OPENED]
-- name.en = "Round not opened"
-- name.cs = "Kolo nebylo zahájeno"
-- text.en = "The round has facts before or without its opening."
-- text.cs = "Kolo má skutečnosti před svým zahájením nebo bez něho."
-- identity = "moving"

SELECT
    first_position AS position, '' AS account, round, '' AS bet, toInt64(0) AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM rounds_of_tables
WHERE opened = 0 OR first_position < opened_position;

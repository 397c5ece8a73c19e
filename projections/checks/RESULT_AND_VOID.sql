-- view = "round_findings"
-- reads = []
--
-- [RESULT_AND_VOID]
-- name.en = "Round with result and void"
-- name.cs = "Kolo má výsledek, a přitom je neplatné"
-- text.en = "The round has a result and a void."
-- text.cs = "Kolo má výsledek, a přitom je neplatné."
-- identity = "moving"

SELECT
    greatest(resulted_position, voided_position) AS position, '' AS account, round, '' AS bet,
    toInt64(0) AS amount, '' AS detail, CAST([] AS Array(String)) AS parts
FROM rounds_of_tables
WHERE resulted > 0 AND voided > 0;

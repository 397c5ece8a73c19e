-- view = "round_findings"
-- reads = []
--
-- [RESULT_BEFORE_CLOSE]
-- name.en = "Result before the close"
-- name.cs = "Výsledek před koncem sázek"
-- text.en = "The result was recorded before the close."
-- text.cs = "Výsledek byl zaznamenán před koncem sázek."
-- identity = "moving"

SELECT
    resulted_position AS position, '' AS account, round, '' AS bet, toInt64(0) AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM rounds_of_tables
WHERE resulted > 0 AND NOT is_hand
    AND (closed = 0 OR closed_position > resulted_position);

-- view = "round_findings"
-- reads = ["RoundOpened", "TableClosed"]
--
-- [ROUND_NOT_FINISHED]
-- name.en = "Round not finished"
-- name.cs = "Kolo nebylo ukončeno"
-- text.en = "The round has neither result nor void, and its table went on."
-- text.cs = "Kolo nemá výsledek a není ani neplatné, a u stolu se hrálo dál."

SELECT
    opened_position AS position, '' AS account, round, '' AS bet, toInt64(0) AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM rounds_of_tables
WHERE opened > 0 AND resulted + voided = 0 AND table_position > opened_position;

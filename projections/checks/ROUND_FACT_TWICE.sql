-- view = "round_findings"
-- reads = []
--
-- [ROUND_FACT_TWICE]
-- name.en = "Fact of a round recorded twice"
-- name.cs = "Skutečnost kola je zaznamenána dvakrát"
-- text.en = "Opening, close, result or void of the round was recorded twice."
-- text.cs = "Zahájení, konec sázek, výsledek nebo neplatnost kola jsou zaznamenány dvakrát."
-- identity = "moving"

SELECT
    last_position AS position, '' AS account, round, '' AS bet, toInt64(0) AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM rounds_of_tables
WHERE opened > 1 OR closed > 1 OR resulted > 1 OR voided > 1;

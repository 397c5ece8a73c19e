-- view = "posting_findings"
--
-- [CLAIM_OPEN]
-- name.en = "Open claim against the participant"
-- name.cs = "Pohledávka za účastníkem"
-- text.en = "The player owes {amount:money} that the wallet did not hold."
-- text.cs = "Hráč dluží {amount}, které v peněžence nebyly."
-- identity = "moving"

SELECT
    maxIf(postings.position, postings.amount < 0) AS position, account, '' AS round, '' AS bet,
    -sum(postings.amount) AS amount, '' AS detail
FROM postings
WHERE postings.position < {size:Int64} AND kind = 'claims'
GROUP BY account
HAVING amount > 0;

-- view = "entry_findings"
--
-- [IDENTITY_NOT_VERIFIED]
-- name.en = "Account without a verified identity"
-- name.cs = "Konto bez ověřené totožnosti"
-- text.en = "The account was opened without a verified identity."
-- text.cs = "Konto bylo zřízeno bez ověřené totožnosti."

WITH
    verified AS
    (
        SELECT account, min(person.position) AS position
        FROM PersonVerified AS person
        WHERE person.position < {size:Int64}
        GROUP BY account
    )
SELECT
    opened.position AS position, opened.account AS account, '' AS round, '' AS bet,
    toInt64(0) AS amount, '' AS detail
FROM AccountOpened AS opened
LEFT JOIN verified ON opened.account = verified.account
WHERE opened.position < {size:Int64}
    AND (verified.position = 0
        OR verified.position >= opened.position - opened.decision_index + opened.decision_size);

-- needs = ["AccountOpened"]
-- view = "entry_findings"
--
-- [SECOND_ACCOUNT]
-- name.en = "Second account of one person"
-- name.cs = "Druhé konto téže osoby"
-- text.en = "The person had account {detail} already, which was not closed."
-- text.cs = "Osoba již měla konto {detail}, které nebylo zrušeno."

WITH
    closings AS
    (
        SELECT account, min(closed.position) AS position
        FROM AccountClosed AS closed
        WHERE closed.position < {size:Int64}
        GROUP BY account
    ),
    accounts AS
    (
        SELECT
            opened.account AS account, opened.position AS position,
            if(closings.position = 0, {size:Int64}, closings.position) AS closed_position,
            argMax(opened.account, closed_position) OVER before AS account_before,
            max(closed_position) OVER before AS closed_before
        FROM AccountOpened AS opened
        LEFT JOIN closings ON opened.account = closings.account
        WHERE opened.position < {size:Int64}
        WINDOW before AS
        (
            PARTITION BY opened.person ORDER BY opened.position
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
    )
SELECT
    position, account, '' AS round, '' AS bet, toInt64(0) AS amount, account_before AS detail
FROM accounts
WHERE account_before != '' AND closed_before > position;

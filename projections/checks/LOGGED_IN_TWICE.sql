-- needs = ["LoggedIn"]
-- reads = ["LoggedOut"]
-- view = "entry_findings"
--
-- [LOGGED_IN_TWICE]
-- name.en = "Second login at the same time"
-- name.cs = "Druhé přihlášení ve stejné době"
-- text.en = "The participant was logged in while another login of the account was open."
-- text.cs = "Účastník byl přihlášen, ačkoli na kontě již bylo otevřeno jiné přihlášení."
-- paragraph = "SAZKA 13(3)"

WITH
    steps AS
    (
        SELECT account, position, 1 AS opens
        FROM LoggedIn
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, min(LoggedOut.position) AS position, -1 AS opens
        FROM LoggedOut
        WHERE LoggedOut.position < {size:Int64}
            AND (account, session) IN
                (SELECT account, session FROM LoggedIn WHERE position < {size:Int64})
        GROUP BY account, session
    ),
    counted AS
    (
        SELECT
            account, position, opens,
            sum(opens) OVER
            (
                PARTITION BY account ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS open
        FROM steps
    )
SELECT
    position, account, '' AS round, '' AS bet, toInt64(0) AS amount, '' AS detail
FROM counted
WHERE opens = 1 AND open > 1;

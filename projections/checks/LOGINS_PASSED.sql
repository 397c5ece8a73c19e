-- needs = ["LimitSet"]
-- view = "entry_findings"
--
-- [LOGINS_PASSED]
-- name.en = "More logins than measure e allows"
-- name.cs = "Více přihlášení, než dovoluje opatření e"
-- text.en = "The login of the month passed self-restricting measure e, {detail:count} logins."
-- text.cs = "Přihlášení překročilo sebeomezující opatření e, počet přihlášení za měsíc {detail}."

WITH
    limited AS
    (
        SELECT account, owner
        FROM account_owners(size = {size:Int64})
        WHERE owner IN
        (
            SELECT owner
            FROM account_owners(size = {size:Int64})
            WHERE account IN
                (SELECT account FROM LimitSet WHERE position < {size:Int64} AND measure = 'e')
        )
    ),
    logins AS
    (
        SELECT
            begun.account AS account, begun.position AS position, begun.recorded_at AS recorded_at,
            count() OVER
            (
                PARTITION BY owner,
                    toStartOfMonth(fromUnixTimestamp64Micro(begun.recorded_at, 'Europe/Prague'))
                ORDER BY begun.position ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS of_month
        FROM LoggedIn AS begun
        INNER JOIN limited ON begun.account = limited.account
        WHERE begun.position < {size:Int64}
    ),
    logins_allowed AS
    (
        SELECT account, effective_at, value
        FROM measures_in_force(size = {size:Int64})
        WHERE measure = 'e'
    )
SELECT
    logins.position AS position, logins.account AS account, '' AS round, '' AS bet,
    logins.of_month - assumeNotNull(logins_allowed.value) AS amount,
    toString(assumeNotNull(logins_allowed.value)) AS detail
FROM logins
ASOF INNER JOIN logins_allowed
    ON logins.account = logins_allowed.account
    AND logins.recorded_at >= logins_allowed.effective_at
WHERE logins_allowed.value IS NOT NULL AND logins.of_month > logins_allowed.value;

-- Logins: those of the period, and whole again those of an earlier one that ended in it.
-- Source: LoggedIn, LoggedOut.
SELECT
    begun.session AS IDPrihlaseni,
    begun.account AS IDUzivKonto,
    begun.recorded_at AS PrihlaseniCas,
    if(ended.position > 0, toNullable(ended.recorded_at), NULL) AS OdhlaseniCas,
    NULL AS IDHerniPozice,
    begun.position AS position,
    arrayFilter(at -> at > 0, [begun.position, ended.position]) AS positions
FROM LoggedIn AS begun
LEFT JOIN
(
    SELECT session, min(LoggedOut.position) AS position, min(LoggedOut.recorded_at) AS recorded_at
    FROM LoggedOut
    WHERE LoggedOut.position >= {first:Int64} AND LoggedOut.position < {size:Int64}
    GROUP BY session
) AS ended ON begun.session = ended.session
WHERE begun.position < {end:Int64}
    AND (
        begun.position >= {first:Int64}
        OR begun.session IN
        (
            SELECT session FROM LoggedOut WHERE position >= {first:Int64} AND position < {end:Int64}
        )
    )

-- What an account may do: its first regime, each change, and the end of taking part.
-- Source: AccountOpened, AccountModeChanged, AccountClosed.
WITH
    closed AS
    (
        SELECT account, position, recorded_at
        FROM AccountClosed
        WHERE position >= {first:Int64} AND position < {end:Int64}
    ),
    regimes AS
    (
        SELECT account, position, regime
        FROM AccountOpened
        WHERE position < {end:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, regime
        FROM AccountModeChanged
        WHERE position < {end:Int64} AND account IN (SELECT account FROM closed)
    ),
    changes AS
    (
        SELECT account, land_based, internet, regime, recorded_at, position, toInt64(0) AS before
        FROM AccountOpened
        WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION ALL
        SELECT account, land_based, internet, regime, recorded_at, position, 0
        FROM AccountModeChanged
        WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION ALL
        SELECT
            any(closed.account),
            false,
            false,
            argMaxIf(regimes.regime, regimes.position, regimes.position < closed.position),
            any(closed.recorded_at),
            closed.position,
            maxIf(regimes.position, regimes.position < closed.position)
        FROM closed
        INNER JOIN regimes ON closed.account = regimes.account
        GROUP BY closed.position
    )
SELECT
    toString(position) AS IDZaznamUzivKonto,
    account AS IDUzivKonto,
    'Z' AS HraDruh,
    if(land_based, '1', '0') AS Landbased,
    if(internet, '1', '0') AS Internet,
    if(regime = 'temporary', 'D', 'T') AS DocasneTrvale,
    recorded_at AS ZmenaCas,
    position,
    arrayFilter(at -> at > 0, [position, before]) AS positions
FROM changes

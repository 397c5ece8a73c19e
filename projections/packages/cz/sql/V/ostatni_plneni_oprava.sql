-- Fees that went back, whole or in part: type I.
-- Source: FeeReturned.
SELECT
    toString(position) AS IDOstatniPlneniOprava,
    fee AS IDOstatniPlneni,
    'I' AS TypOstatniPlneniOprava,
    amount AS OstatniPlneniOpravaVyse,
    recorded_at AS OstatniPlneniOpravaCas,
    'CZK' AS MenaKod,
    position,
    [position] AS positions
FROM FeeReturned
WHERE position >= {first:Int64} AND position < {end:Int64}

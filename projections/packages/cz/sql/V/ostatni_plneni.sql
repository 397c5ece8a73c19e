-- Payments of players for something other than a bet.
-- Source: FeeCharged.
SELECT
    fee AS IDOstatniPlneni,
    {operator:String} AS IDProvozovatel,
    account AS IDUzivKonto,
    'Z' AS HraDruh,
    amount AS OstatniPlneniVysePuvodni,
    recorded_at AS OstatniPlneniCas,
    'CZK' AS MenaKod,
    NULL AS IDMisto,
    position,
    [position] AS positions
FROM FeeCharged
WHERE position >= {first:Int64} AND position < {end:Int64}

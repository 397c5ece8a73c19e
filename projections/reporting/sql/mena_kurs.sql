-- Exchange rates for the tax base that were fixed since the quarterly package before.
-- Source: RateFixed.
SELECT
    toString(position) AS IDZaznamMenaKurs,
    {operator:String} AS IDProvozovatel,
    'Z' AS HraDruh,
    rate AS KursVyse,
    currency AS MenaKod,
    day AS Datum,
    position,
    [position] AS positions
FROM RateFixed
WHERE position >= {rates_first:Int64} AND position < {end:Int64}

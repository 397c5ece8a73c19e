-- Exchange rates for the tax base that no quarterly package of this casino before could hold: fixed
-- since, or fixed for a later day than its own. A currency that the code list lacks can't be reported.
-- Source: RateFixed.
SELECT
    concat({place:String}, '-', toString(position)) AS IDZaznamMenaKurs,
    {place:String} AS IDMisto,
    'Z' AS HraDruh,
    rate AS KursVyse,
    currency AS MenaKod,
    day AS Datum,
    position,
    [position] AS positions
FROM RateFixed
WHERE position < {rates_end:Int64}
    AND day <= {rates_day:String}
    AND (position >= {rates_first:Int64} OR day > {rates_day_before:String})
    AND has({currencies:Array(String)}, currency)

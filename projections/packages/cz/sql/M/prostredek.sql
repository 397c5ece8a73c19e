-- What a cage held at the two ends of its section, by means and currency: the last count of each end.
-- Source: CageCounted, of sections that are closed.
SELECT
    concat(section, '-', means, '-', currency) AS IDZaznamProstredek,
    section AS IDZaznamPSTB,
    any(station) AS IDPSTB,
    transform(means, ['cash', 'chips', 'tronc'], ['0', '1', '2'], '') AS Prostredek,
    currency AS MenaKod,
    argMaxIf(amount, at, stage = 'opening') AS StavVysePocatek,
    argMaxIf(amount, at, stage = 'closing') AS StavVyseKonec,
    min(at) AS position,
    [maxIf(at, stage = 'opening'), maxIf(at, stage = 'closing')] AS positions
FROM
(
    SELECT section, station, means, currency, stage, amount, position AS at
    FROM CageCounted
    WHERE place = {place:String} AND position < {size:Int64}
        AND has({currencies:Array(String)}, currency)
        AND section IN
        (
            SELECT section
            FROM SectionClosed
            WHERE place = {place:String} AND position < {size:Int64}
                AND day >= {day_first:String} AND day <= {day_last:String}
        )
)
GROUP BY section, means, currency

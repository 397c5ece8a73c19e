-- The casino of the package. One row; the parts of its address are those of the settings. A blank
-- name is not sent.
-- Source: CasinoOpened.
SELECT
    place AS IDMisto,
    multiIf(
        {permit_name:String} != '', {permit_name:String},
        match(name, '^[\\s\\p{Cc}]*$'), place,
        name
    ) AS MistoNazev,
    {operator:String} AS IDProvozovatel,
    nullIf({latitude:String}, '') AS GPSX,
    nullIf({longitude:String}, '') AS GPSY,
    nullIf({street:String}, '') AS Ulice,
    nullIf({house_number:Int64}, 0) AS CP,
    nullIf({orientation_number:String}, '') AS CO,
    nullIf({part:String}, '') AS CastObce,
    nullIf({postal_code:Int64}, 0) AS PSC,
    nullIf({municipality:String}, '') AS Obec,
    nullIf({district:Int64}, 0) AS Obvod,
    nullIf({region:String}, '') AS Kraj,
    nullIf({address_code:Int64}, 0) AS SidloKodRuian,
    position,
    [position] AS positions
FROM CasinoOpened
WHERE place = {place:String}

-- Jackpots of games as a whole, at the two ends of each operating day that is closed. A currency
-- that the code list lacks can't be reported.
-- Source: JackpotState, JackpotDefined, OperatingDayClosed.
SELECT
    concat(state.place, '-', state.day, '-', state.jackpot) AS IDMoznaVyhraProHru,
    any(defined.game) AS IDHra,
    state.place AS IDMisto,
    argMaxOrNullIf(state.amount, state.position, state.stage = 'opening')
        AS MoznaVyhraProHruVysePocatek,
    argMaxOrNullIf(state.amount, state.position, state.stage = 'closing')
        AS MoznaVyhruProHruVyseKonec,
    state.currency AS MenaKod,
    state.day AS Datum,
    min(state.position) AS position,
    arrayConcat([any(defined.position)], groupArray(state.position)) AS positions
FROM JackpotState AS state
INNER JOIN JackpotDefined AS defined ON state.jackpot = defined.jackpot
WHERE state.place = {place:String} AND state.section = '' AND state.position < {size:Int64}
    AND has({currencies:Array(String)}, state.currency)
    AND state.day IN
    (
        SELECT day
        FROM OperatingDayClosed
        WHERE place = {place:String} AND position < {size:Int64}
            AND day >= {day_first:String} AND day <= {day_last:String}
    )
GROUP BY state.place, state.day, state.jackpot, state.currency

-- Jackpots of tables and tournaments, at the two ends of their sections.
-- Names of section and jackpot that make the same key as others are divided by a dot; a blank name
-- gives way to the jackpot. A currency that the code list lacks can't be reported.
-- Source: JackpotState, JackpotDefined, of sections that are closed.
WITH closed AS
(
    SELECT section, station
    FROM SectionClosed
    WHERE place = {place:String} AND position < {size:Int64}
        AND day >= {day_first:String} AND day <= {day_last:String}
        AND (station_kind != 'table' OR has({currencies:Array(String)}, currency))
)
SELECT
    concat(
        state.section,
        if(count() OVER (PARTITION BY concat(state.section, '-', state.jackpot)) > 1, '.', '-'),
        state.jackpot
    ) AS IDMoznaVyhra,
    state.section AS IDZaznamPSTB,
    any(closed.station) AS IDPSTB,
    if(
        match(any(defined.name), '^[\\s\\p{Cc}]*$'), state.jackpot, any(defined.name)
    ) AS MoznaVyhraNazev,
    argMaxOrNullIf(state.amount, state.position, state.stage = 'opening') AS MoznaVyhraVysePocatek,
    argMaxOrNullIf(state.amount, state.position, state.stage = 'closing') AS MoznaVyhraVyseKonec,
    state.currency AS MenaKod,
    min(state.position) AS position,
    arrayConcat([any(defined.position)], groupArray(state.position)) AS positions
FROM JackpotState AS state
INNER JOIN closed ON state.section = closed.section
INNER JOIN JackpotDefined AS defined ON state.jackpot = defined.jackpot
WHERE state.position < {size:Int64} AND has({currencies:Array(String)}, state.currency)
GROUP BY state.section, state.jackpot, state.currency

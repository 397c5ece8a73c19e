-- Self-restricting measures: each setting, and each refusal of one (SOOdmitnuti 1), which
-- carries neither value nor currency. Values end where the decree has no more digits.
-- Source: LimitSet, LimitDeclined.
WITH measures AS
(
    SELECT position, recorded_at, account, measure, value, effective_at, false AS declined
    FROM LimitSet
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT position, recorded_at, account, measure, 0, effective_at, true
    FROM LimitDeclined
    WHERE position >= {first:Int64} AND position < {end:Int64}
)
SELECT
    toString(position) AS IDNastaveniSO,
    account AS IDUzivKonto,
    measure AS TypSO,
    if(
        NOT declined AND measure IN ('a', 'b', 'c', 'd'),
        toNullable(least(value, 999999999999999)),
        NULL
    ) AS HodnotaVyse,
    if(NOT declined AND measure = 'e', toNullable(least(value, 2147483647)), NULL) AS HodnotaPocet,
    if(NOT declined AND measure IN ('f', 'g'), toNullable(value), NULL) AS HodnotaCas,
    recorded_at AS SONastaveniCas,
    effective_at AS SOUcinnostiCas,
    if(declined, '1', '0') AS SOOdmitnuti,
    if(NOT declined AND measure IN ('a', 'b', 'c', 'd'), 'CZK', NULL) AS MenaKod,
    position,
    [position] AS positions
FROM measures

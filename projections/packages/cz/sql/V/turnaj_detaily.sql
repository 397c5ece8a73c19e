-- Tournaments: none are held over the internet; those of casinos belong to the package of the
-- casino (model M). Source: none.
SELECT
    '' AS IDTurnajDetaily,
    '' AS IDJednaHra,
    '' AS TurnajIntervalZvysovani,
    '' AS TurnajZpusobKonani,
    '' AS TurnajRegistrace,
    toInt64(0) AS TurnajVkladyPredZahajenimVyse,
    toInt64(0) AS TurnajMaxPocetUcastnici,
    'CZK' AS MenaKod,
    toInt64(0) AS position,
    [position] AS positions
WHERE false

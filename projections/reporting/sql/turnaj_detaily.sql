-- Tournaments: the licence offers none over the internet, and no event announces one.
-- Source: none.
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

-- The kind of game that a measure holds for, under the key of the measure; measures of the
-- account as a whole get no row unless `measure_kinds` says so.
-- Source: LimitSet, LimitDeclined.
WITH measures AS
(
    SELECT position, measure
    FROM LimitSet
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT position, measure
    FROM LimitDeclined
    WHERE position >= {first:Int64} AND position < {end:Int64}
)
SELECT
    toString(position) AS IDSOHraDruh,
    toString(position) AS IDNastaveniSO,
    'Z' AS HraDruh,
    position,
    [position] AS positions
FROM measures
WHERE position({measure_kinds:String}, measure) > 0

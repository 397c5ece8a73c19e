-- Operating sections of the month's operating days, once they are closed. The net result of a table
-- is made from its floats and movements again; that of SectionClosed is what was known at the close.
-- A table in a currency that the code list lacks can't be reported.
-- Source: SectionOpened, SectionClosed, TableFloatCounted, DropMovedToCage, FillReceived,
-- CreditReturned.
WITH
    closed AS
    (
        SELECT section, position, occurred_at
        FROM SectionClosed
        WHERE place = {place:String} AND position < {size:Int64}
            AND day >= {day_first:String} AND day <= {day_last:String}
            AND (station_kind != 'table' OR has({currencies:Array(String)}, currency))
    ),
    floats AS
    (
        SELECT
            section,
            argMaxIf(amount, position, stage = 'closing')
                - argMaxIf(amount, position, stage = 'opening') AS won,
            [maxIf(position, stage = 'opening'), maxIf(position, stage = 'closing')] AS counts
        FROM TableFloatCounted
        WHERE position < {size:Int64} AND section IN (SELECT section FROM closed)
        GROUP BY section
    ),
    moved AS
    (
        SELECT section, sum(amount) AS taken, groupArray(position) AS slips
        FROM
        (
            SELECT section, position, amount FROM DropMovedToCage WHERE position < {size:Int64}
            UNION ALL
            SELECT section, position, amount FROM CreditReturned WHERE position < {size:Int64}
            UNION ALL
            SELECT section, position, -amount FROM FillReceived WHERE position < {size:Int64}
        )
        WHERE section IN (SELECT section FROM closed)
        GROUP BY section
    )
SELECT
    opened.section AS IDZaznamPSTB,
    opened.station AS IDPSTB,
    transform(opened.station_kind, ['cage', 'table', 'tournament'], ['P', 'S', 'T'], '')
        AS PokladnaStulTurnajBingo,
    opened.place AS IDMisto,
    nullIf(opened.game, '') AS IDHra,
    if(opened.station_kind = 'table', toNullable(floats.won + moved.taken), NULL)
        AS CistyHerniVysledek,
    if(opened.station_kind = 'table', toNullable(opened.currency), NULL) AS MenaKod,
    opened.occurred_at AS ProvozOd,
    closed.occurred_at AS ProvozDo,
    opened.position AS position,
    arrayConcat(
        [opened.position, closed.position],
        if(opened.station_kind = 'table', arrayConcat(floats.counts, moved.slips), [])
    ) AS positions
FROM SectionOpened AS opened
INNER JOIN closed ON opened.section = closed.section
LEFT JOIN floats ON opened.section = floats.section
LEFT JOIN moved ON opened.section = moved.section

-- Games (static): those of the sections and jackpots of this package, or all that the casino has
-- tables for. A blank name is not sent.
-- Source: GameListed, SectionOpened, JackpotDefined, JackpotState, TableOpened.
WITH referenced AS
(
    SELECT game
    FROM SectionOpened
    WHERE place = {place:String} AND position < {size:Int64}
        AND day >= {day_first:String} AND day <= {day_last:String}
    UNION DISTINCT
    SELECT game
    FROM JackpotDefined
    WHERE position < {size:Int64} AND jackpot IN
    (
        SELECT jackpot
        FROM JackpotState
        WHERE place = {place:String} AND section = '' AND position < {size:Int64}
            AND day >= {day_first:String} AND day <= {day_last:String}
    )
    UNION DISTINCT
    SELECT game
    FROM TableOpened
    WHERE place = {place:String} AND position < {size:Int64} AND {static_rows:String} = 'all'
)
SELECT
    game AS IDHra,
    {operator:String} AS IDProvozovatel,
    if(match(name, '^[\\s\\p{Cc}]*$'), game, name) AS HraNazev,
    'Z' AS HraDruh,
    position,
    [position] AS positions
FROM GameListed
WHERE position < {size:Int64} AND game IN (SELECT game FROM referenced)

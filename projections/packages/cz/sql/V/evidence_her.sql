-- Games (static): those of the rounds and bets of this package, those listed, launched or
-- withdrawn in the period, or all. A game with land-based tables only is not part of it.
-- A launch after the period is told by the package of its own period; a blank name is not sent.
-- Source: GameListed, GameLaunched, GameWithdrawn, RoundOpened, BetConcluded, TableOpened.
WITH
    touched AS
    (
        SELECT round FROM BetConcluded WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION DISTINCT
        SELECT round FROM RoundResulted WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION DISTINCT
        SELECT round FROM RoundVoided WHERE position >= {first:Int64} AND position < {end:Int64}
    ),
    referenced AS
    (
        SELECT game
        FROM RoundOpened
        WHERE streamed AND position >= {oldest:Int64} AND position < {end:Int64}
            AND (position >= {first:Int64} OR round IN (SELECT round FROM touched))
        UNION DISTINCT
        SELECT game FROM GameListed WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION DISTINCT
        SELECT game FROM GameLaunched WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION DISTINCT
        SELECT game FROM GameWithdrawn WHERE position >= {first:Int64} AND position < {end:Int64}
    ),
    land_based AS
    (
        SELECT game
        FROM TableOpened
        WHERE position < {size:Int64}
        GROUP BY game
        HAVING NOT max(streamed)
    ),
    launched AS
    (
        SELECT game, min(recorded_at) AS launched_at, min(position) AS launched_position
        FROM GameLaunched
        WHERE position < {end:Int64} AND position < {size:Int64}
        GROUP BY game
    )
SELECT
    listed.game AS IDHraPopis,
    if(match(listed.name, '^[\\s\\p{Cc}]*$'), listed.game, listed.name) AS HraNazev,
    'Z' AS HraDruh,
    listed.category AS HraKategorie,
    {operator:String} AS IDProvozovatel,
    if(launched.launched_position > 0, toNullable(launched.launched_at), NULL) AS SpusteniCas,
    listed.position AS position,
    arrayFilter(at -> at > 0, [listed.position, launched.launched_position]) AS positions
FROM GameListed AS listed
LEFT JOIN launched ON listed.game = launched.game
WHERE listed.position < {end:Int64}
    AND listed.game NOT IN (SELECT game FROM land_based)
    AND ({static_rows:String} = 'all' OR listed.game IN (SELECT game FROM referenced))

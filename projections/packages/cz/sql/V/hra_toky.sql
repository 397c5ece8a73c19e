-- Bets: those concluded in the window (`first` to `end`), and whole again those concluded before
-- the period (`begin`) and settled in the late window (`late_first` to `late_end`). The win is
-- what is known: settlements below `settled_end`.
-- Source: BetConcluded, BetPlaced, BetSettled, RoundOpened (streamed tables only), GameListed.
WITH
    earlier AS
    (
        SELECT round
        FROM RoundOpened
        WHERE streamed AND position >= {oldest:Int64} AND position < {begin:Int64}
    ),
    touched AS
    (
        SELECT round FROM BetConcluded WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION DISTINCT
        SELECT round
        FROM BetSettled
        WHERE position >= {late_first:Int64} AND position < {late_end:Int64}
            AND round IN (SELECT round FROM earlier)
    ),
    bets AS
    (
        SELECT round, bet, account, amount, recorded_at, position
        FROM BetConcluded
        WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION ALL
        SELECT round, bet, account, amount, recorded_at, position
        FROM BetConcluded
        WHERE {late_settlement:String} = 'again'
            AND position >= {oldest:Int64} AND position < {begin:Int64}
            AND bet IN
            (
                SELECT bet
                FROM BetSettled
                WHERE position >= {late_first:Int64} AND position < {late_end:Int64}
                    AND round IN (SELECT round FROM earlier)
            )
    ),
    opened AS
    (
        SELECT rounds.round AS round, rounds.position AS position, games.category AS category
        FROM RoundOpened AS rounds
        INNER JOIN GameListed AS games ON rounds.game = games.game
        WHERE rounds.streamed
            AND rounds.position >= {oldest:Int64} AND rounds.position < {end:Int64}
            AND rounds.round IN (SELECT round FROM touched)
    ),
    placed AS
    (
        SELECT bet, wording, position
        FROM BetPlaced
        WHERE position >= {oldest:Int64} AND position < {end:Int64}
            AND round IN (SELECT round FROM touched)
    ),
    settled AS
    (
        SELECT bet, due, paid, recorded_at, position
        FROM BetSettled
        WHERE position >= {first:Int64} AND position < {settled_end:Int64}
            AND round IN (SELECT round FROM touched)
    )
SELECT
    bets.bet AS IDHraToky,
    'Z' AS HraDruh,
    opened.category AS HraKategorie,
    bets.account AS IDUzivKonto,
    bets.amount AS SazkaVysePuvodni,
    bets.recorded_at AS SazkaPrijetiCas,
    NULL AS DoprovodnePlneniVysePuvodni,
    NULL AS DoprovodnePlneniCas,
    nullIf(placed.wording, '') AS SazkaHerniKombinace,
    if(
        settled.position > 0
            AND (
                {entitlement:String} = 'always'
                OR ({entitlement:String} = 'won' AND settled.due > 0)
            ),
        toNullable(settled.due),
        NULL
    ) AS VyhraVyseNarok,
    if(settled.position > 0, toNullable(settled.paid), NULL) AS VyhraVysePuvodni,
    if(settled.position > 0, toNullable(settled.recorded_at), NULL) AS VyhraVyplaceniCas,
    'CZK' AS MenaKod,
    NULL AS IDMisto,
    NULL AS IDHerniPozice,
    bets.position AS position,
    arrayFilter(at -> at > 0, [placed.position, bets.position, settled.position]) AS positions
FROM bets
INNER JOIN opened ON bets.round = opened.round
LEFT JOIN placed ON bets.bet = placed.bet
LEFT JOIN settled ON bets.bet = settled.bet

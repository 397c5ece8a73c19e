-- Changes of bets and wins after their first report: A stake, B win, G stake returned.
-- Amounts of A and B are differences, signed: a higher stake, a higher win; that of G is what
-- went back. They are what moved in the account: what its wallet did not hold is a claim. With `late_settlement` = correction, the win of a bet of an earlier period is a B.
-- Source: BetVoided, WinCorrected, BetCorrected, PrizeWithheld, BetSettled, RoundOpened
-- (streamed tables only).
WITH
    changes AS
    (
        SELECT position, recorded_at, round, bet, 'G' AS type, amount, toInt64(0) AS of_bet
        FROM BetVoided
        WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION ALL
        SELECT position, recorded_at, round, bet, 'B', difference + claimed AS moved, 0
        FROM WinCorrected
        WHERE position >= {first:Int64} AND position < {end:Int64} AND moved != 0
        UNION ALL
        SELECT position, recorded_at, round, bet, 'A', difference - claimed AS moved, 0
        FROM BetCorrected
        WHERE position >= {first:Int64} AND position < {end:Int64} AND moved != 0
        UNION ALL
        SELECT position, recorded_at, round, bet, 'B', -collected, 0
        FROM PrizeWithheld
        WHERE position >= {first:Int64} AND position < {end:Int64} AND collected != 0
        UNION ALL
        SELECT
            settled.position, settled.recorded_at, settled.round, settled.bet, 'B', settled.paid,
            bets.position
        FROM BetSettled AS settled
        INNER JOIN BetConcluded AS bets ON settled.bet = bets.bet
        WHERE {late_settlement:String} = 'correction'
            AND settled.position >= {first:Int64} AND settled.position < {end:Int64}
            AND bets.position >= {oldest:Int64} AND bets.position < {begin:Int64}
    ),
    streamed AS
    (
        SELECT round
        FROM RoundOpened
        WHERE streamed AND position < {end:Int64} AND round IN (SELECT round FROM changes)
    )
SELECT
    toString(position) AS IDHraTokyOprava,
    bet AS IDHraToky,
    type AS TypTokyOprava,
    amount AS TokyOpravaVyse,
    recorded_at AS TokyOpravaCas,
    'CZK' AS MenaKod,
    position,
    arrayFilter(at -> at > 0, [position, of_bet]) AS positions
FROM changes
WHERE round IN (SELECT round FROM streamed)

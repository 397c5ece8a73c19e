-- Which bet belongs to which round: one row a bet, with the bet's first sending.
-- Source: BetConcluded, RoundOpened (streamed tables only).
WITH opened AS
(
    SELECT round, game, position
    FROM RoundOpened
    WHERE streamed AND position >= {oldest:Int64} AND position < {end:Int64}
)
SELECT
    bets.bet AS IDVazbaHraSazka,
    opened.game AS IDHraPopis,
    bets.round AS IDJednaHra,
    bets.bet AS IDHraToky,
    bets.position AS position,
    [opened.position, bets.position] AS positions
FROM BetConcluded AS bets
INNER JOIN opened ON bets.round = opened.round
WHERE bets.position >= {first:Int64} AND bets.position < {end:Int64}

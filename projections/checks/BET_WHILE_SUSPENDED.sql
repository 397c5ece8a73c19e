-- needs = ["BetPlaced", "HandAction", "TournamentEntryPaid", "DepositCredited"]
-- view = "protection_findings"
-- reads = []
--
-- [BET_WHILE_SUSPENDED]
-- name.en = "Bet while bets were suspended"
-- name.cs = "Sázka během pozastavení"
-- text.en = "The bet was taken while bets were suspended: {detail:phrase}."
-- text.cs = "Sázka byla přijata, ačkoli bylo přijímání sázek pozastaveno: {detail}."
-- identity = "named"
-- phrase = "{}"

WITH
    suspension_facts AS
    (
        SELECT 'table' AS kind, table AS place, position, 1 AS begins
        FROM TableSuspended
        WHERE position < {size:Int64}
        UNION ALL
        SELECT 'table', table, position, 0
        FROM TableResumed
        WHERE position < {size:Int64}
        UNION ALL
        SELECT 'game', game, position, 1
        FROM GameSuspended
        WHERE position < {size:Int64}
        UNION ALL
        SELECT 'game', game, position, 0
        FROM GameResumed
        WHERE position < {size:Int64}
    ),
    places AS
    (
        SELECT round, at.1 AS kind, at.2 AS place
        FROM RoundOpened
        ARRAY JOIN [('table', table), ('game', game)] AS at
        WHERE position < {size:Int64} AND at IN (SELECT kind, place FROM suspension_facts)
    ),
    bets_at_places AS
    (
        SELECT bet, account, round, position, amount, kind, place
        FROM bet_facts
        INNER JOIN places ON bet_facts.round = places.round
    )
SELECT
    bets_at_places.position AS position, bets_at_places.account AS account,
    bets_at_places.round AS round, bets_at_places.bet AS bet, bets_at_places.amount AS amount,
    concat(bets_at_places.kind, ' ', bets_at_places.place) AS detail,
    [if(bets_at_places.kind = 'table', 'AT_TABLE', 'OF_GAME'), bets_at_places.place] AS parts
FROM bets_at_places
ASOF INNER JOIN suspension_facts
    ON bets_at_places.kind = suspension_facts.kind
    AND bets_at_places.place = suspension_facts.place
    AND bets_at_places.position > suspension_facts.position
WHERE suspension_facts.begins;

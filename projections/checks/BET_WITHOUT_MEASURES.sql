-- needs = ["BetConcluded", "HandAction", "TournamentEntryPaid"]
-- view = "entry_findings"
--
-- [BET_WITHOUT_MEASURES]
-- name.en = "Bet before every measure was decided"
-- name.cs = "Sázka před nastavením či odmítnutím všech sebeomezujících opatření"
-- text.en = "The bet was taken before each self-restricting measure was set or declined."
-- text.cs = """\
--   Sázka byla přijata dříve, než bylo každé sebeomezující opatření nastaveno nebo odmítnuto."""

WITH
    measures AS
    (
        SELECT account, measure, position FROM LimitSet WHERE position < {size:Int64}
        UNION ALL
        SELECT account, measure, position FROM LimitDeclined WHERE position < {size:Int64}
    ),
    decided AS
    (
        SELECT account, if(count() = 7, max(first), {size:Int64}) AS position
        FROM (SELECT account, measure, min(position) AS first FROM measures GROUP BY account, measure)
        GROUP BY account
    ),
    bets AS
    (
        SELECT account, round, bet, position FROM BetConcluded WHERE position < {size:Int64}
        UNION ALL
        SELECT account, round, bet, position
        FROM HandAction
        WHERE position < {size:Int64} AND tournament = '' AND amount > 0
        UNION ALL
        SELECT account, '', entry, position FROM TournamentEntryPaid WHERE position < {size:Int64}
    ),
    first_bets AS
    (
        SELECT account, min(bets.position) AS position, argMin((round, bet), bets.position) AS what
        FROM bets
        GROUP BY account
    )
SELECT
    first_bets.position AS position, first_bets.account AS account, what.1 AS round,
    what.2 AS bet, toInt64(0) AS amount, '' AS detail
FROM first_bets
LEFT JOIN decided ON first_bets.account = decided.account
WHERE decided.position = 0 OR first_bets.position < decided.position;

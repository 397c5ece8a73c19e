-- Bets and deposits that were taken from somebody who may not play, and bets taken where they were
-- suspended.
-- Source: the events named below, views bets and rounds. Key: code, bet. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). Chips count when they became a bet. Placing asks for all,
-- and so does the conclusion, as a bet is concluded at the close. A panic block lasts 48 hours from
-- its record, or longer where the event says so. An exclusion lasts to its end, or to the event
-- that ends it; another one on the same ground shortens none. Both bind the person, with whatever
-- account. A temporary account is over 30 days after it was opened. Money
-- put into a hand among players or a tournament is a bet at once and asks for all. A deposit asks
-- for the account, its state and what blocks the person (SAZKA 12(5), 12a(4)). What
-- blocks a person is listed as (code, ground, position, position of the event that ends the ground,
-- end). Where several blocks or facts give one finding, the first one tells.

CREATE VIEW IF NOT EXISTS protection_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'stake or deposit, haléř',
    detail String COMMENT 'what else there is to say'
)
COMMENT 'Bets and deposits that were taken from somebody who may not play.'
AS
WITH
    accounts AS
    (
        SELECT account, any(person) AS person, min(recorded_at) AS opened_at
        FROM AccountOpened
        WHERE position < {size:Int64}
        GROUP BY account
    ),
    regimes AS
    (
        SELECT account, position, regime
        FROM AccountOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, regime
        FROM AccountModeChanged
        WHERE position < {size:Int64}
    ),
    among_players AS
    (
        SELECT bet, round, account, position, recorded_at, amount
        FROM HandAction
        WHERE position < {size:Int64} AND tournament = '' AND amount > 0
        UNION ALL
        SELECT entry, '', account, position, recorded_at, amount
        FROM TournamentEntryPaid
        WHERE position < {size:Int64}
    ),
    bet_facts AS
    (
        SELECT bet, round, account, position, recorded_at, stake AS amount
        FROM BetPlaced
        WHERE position < {size:Int64}
        UNION ALL
        SELECT bet, round, account, position, recorded_at, amount
        FROM BetConcluded
        WHERE position < {size:Int64}
        UNION ALL
        SELECT bet, round, account, position, recorded_at, amount
        FROM among_players
    ),
    money_facts AS
    (
        SELECT 'BET' AS what, bet, round, account, position, recorded_at, amount
        FROM bet_facts
        UNION ALL
        SELECT 'DEPOSIT', deposit, '', account, position, recorded_at, amount
        FROM DepositCredited
        WHERE position < {size:Int64}
    ),
    statuses AS
    (
        SELECT account, position, 'open' AS status
        FROM AccountOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, 'cancelling'
        FROM CancellationRequested
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, 'open'
        FROM CancellationWithdrawn
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, 'open'
        FROM AccountRestored
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, 'closed'
        FROM AccountClosed
        WHERE position < {size:Int64}
    ),
    sessions AS
    (
        SELECT account, position, mode
        FROM LoggedIn
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, ''
        FROM LoggedOut
        WHERE position < {size:Int64}
    ),
    block_facts AS
    (
        SELECT
            'BET_WHILE_PANIC' AS code, account, '' AS ground, position,
            greatest(until, recorded_at + assumeNotNull((SELECT panic_block FROM operator_figures)))
                AS until,
            1 AS begins
        FROM PanicButtonPressed
        WHERE position < {size:Int64}
        UNION ALL
        SELECT
            'BET_WHILE_EXCLUDED', account, ground, position,
            coalesce(until, 9223372036854775807), 1
        FROM ExclusionImposed
        WHERE position < {size:Int64}
        UNION ALL
        SELECT 'BET_WHILE_EXCLUDED', account, ground, position, 0, 0
        FROM ExclusionEnded
        WHERE position < {size:Int64}
    ),
    blocks AS
    (
        SELECT
            if(person = '', block_facts.account, person) AS who, code, ground, position, until,
            begins,
            min(if(begins, {size:Int64}, position)) OVER
            (
                PARTITION BY who, code, ground ORDER BY position DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS ended_position
        FROM block_facts
        LEFT JOIN accounts ON block_facts.account = accounts.account
    ),
    blocks_of_persons AS
    (
        SELECT
            who,
            groupArray((code, ground, position, ended_position, until)) AS blocks
        FROM blocks
        WHERE begins
        GROUP BY who
    ),
    money_of_persons AS
    (
        SELECT
            what, bet, round, money_facts.account AS account, position, recorded_at, amount,
            opened_at, if(person = '', money_facts.account, person) AS who
        FROM money_facts
        LEFT JOIN accounts ON money_facts.account = accounts.account
    ),
    suspension_facts AS
    (
        SELECT concat('table ', table) AS place, position, 1 AS begins
        FROM TableSuspended
        WHERE position < {size:Int64}
        UNION ALL
        SELECT concat('table ', table), position, 0
        FROM TableResumed
        WHERE position < {size:Int64}
        UNION ALL
        SELECT concat('game ', game), position, 1
        FROM GameSuspended
        WHERE position < {size:Int64}
        UNION ALL
        SELECT concat('game ', game), position, 0
        FROM GameResumed
        WHERE position < {size:Int64}
    ),
    places AS
    (
        SELECT round, place
        FROM RoundOpened
        ARRAY JOIN [concat('table ', table), concat('game ', game)] AS place
        WHERE position < {size:Int64} AND place IN (SELECT place FROM suspension_facts)
    ),
    bets_at_places AS
    (
        SELECT bet, account, round, position, amount, place
        FROM bet_facts
        INNER JOIN places ON bet_facts.round = places.round
    ),
    candidates AS
    (
        SELECT
            arrayJoin(arrayFilter(found -> found.1 != '', arrayConcat(
            [
                (
                    multiIf(
                        statuses.status = 'open', '',
                        statuses.status = '', 'BET_WITHOUT_ACCOUNT',
                        statuses.status = 'closed', 'BET_WHILE_CLOSED',
                        'BET_WHILE_CANCELLING'),
                    ''
                ),
                (
                    if(bet.what = 'BET' AND sessions.mode != 'full', 'BET_NOT_LOGGED_IN', ''),
                    sessions.mode
                ),
                (
                    if(bet.what = 'BET' AND regimes.regime = 'temporary' AND bet.opened_at > 0
                        AND bet.recorded_at >= bet.opened_at + 2592000000000,
                        'BET_WHILE_TEMPORARY_OVER', ''),
                    ''
                )
            ],
            arrayMap(block -> (block.1, block.2), arrayFilter(
                block -> bet.position > block.3 AND bet.position < block.4
                    AND bet.recorded_at < block.5,
                blocks_of_persons.blocks))))) AS found,
            bet.what AS what, bet.position AS position, bet.account AS account,
            bet.round AS round, bet.bet AS bet, bet.amount AS amount
        FROM money_of_persons AS bet
        ASOF LEFT JOIN statuses
            ON bet.account = statuses.account AND bet.position > statuses.position
        ASOF LEFT JOIN sessions
            ON bet.account = sessions.account AND bet.position > sessions.position
        ASOF LEFT JOIN regimes
            ON bet.account = regimes.account AND bet.position > regimes.position
        LEFT JOIN blocks_of_persons ON bet.who = blocks_of_persons.who
        UNION ALL
        SELECT
            ('BET_WHILE_SUSPENDED', bets_at_places.place), 'BET', bets_at_places.position,
            bets_at_places.account, bets_at_places.round, bets_at_places.bet,
            bets_at_places.amount
        FROM bets_at_places
        ASOF INNER JOIN suspension_facts
            ON bets_at_places.place = suspension_facts.place
            AND bets_at_places.position > suspension_facts.position
        WHERE suspension_facts.begins
    ),
    concluded AS
    (
        SELECT 'BET' AS what, bet, account FROM BetConcluded WHERE position < {size:Int64}
        UNION ALL
        SELECT 'BET', bet, account FROM among_players
        UNION ALL
        SELECT 'DEPOSIT', deposit, account FROM DepositCredited WHERE position < {size:Int64}
    )
SELECT
    replaceOne(candidates.found.1, 'BET_', concat(candidates.what, '_')) AS code,
    min(candidates.position) AS position, candidates.account AS account,
    candidates.round AS round, if(candidates.what = 'BET', candidates.bet, '') AS bet,
    argMin(candidates.amount, candidates.position) AS amount,
    argMin(candidates.found.2, (candidates.position, candidates.found.2)) AS detail
FROM concluded
INNER JOIN candidates
    ON concluded.what = candidates.what AND concluded.bet = candidates.bet
    AND concluded.account = candidates.account
GROUP BY code, account, round, candidates.what, candidates.bet;

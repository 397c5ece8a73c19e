-- Bets and deposits that were taken from persons without the right to play, and bets taken where they were
-- suspended.
-- Source: the events named below, views account_regimes, bets and rounds. Key: code, bet.
-- Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). Chips count when they became a bet. Placing asks for all,
-- and so does the conclusion, as a bet is concluded at the close. A panic block lasts 48 hours from
-- its record, or longer where the event states it. An exclusion lasts to its end, or to the event
-- that ends it; another one on the same ground shortens none. Both bind the person, with whatever
-- account. A temporary account is over 30 days after it was opened. Money
-- put into a hand among players or a tournament is a bet at once and asks for all. A deposit asks
-- for the account, its state and what blocks the person (SAZKA 12(5), 12a(4)). What
-- blocks a person is listed as (whether it is a panic block, ground, position, position of the event
-- that ends the ground, end). Of several facts of a bet that give one finding, the first one counts.

CREATE VIEW IF NOT EXISTS protection_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'stake or deposit, haléř',
    detail String COMMENT 'what else there is to say',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Bets and deposits that were taken from persons without the right to play.'
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
        SELECT account, position, regime FROM account_regimes(size = {size:Int64})
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
    bets_and_deposits AS
    (
        SELECT false AS is_deposit, bet, round, account, position, recorded_at, amount
        FROM bet_facts
        UNION ALL
        SELECT true, '', '', account, position, recorded_at, amount
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
            true AS is_panic, account, '' AS ground, position,
            greatest(pressed.until, recorded_at + figures.panic_block) AS until,
            1 AS begins
        FROM
        (
            SELECT account, position, recorded_at, until, toUInt8(1) AS chain
            FROM PanicButtonPressed
            WHERE position < {size:Int64}
        ) AS pressed
        ASOF INNER JOIN operator_figures AS figures
            ON pressed.chain = figures.chain AND pressed.position >= figures.since
        UNION ALL
        SELECT
            false, account, ground, position,
            coalesce(until, 9223372036854775807), 1
        FROM ExclusionImposed
        WHERE position < {size:Int64}
        UNION ALL
        SELECT false, account, ground, position, 0, 0
        FROM ExclusionEnded
        WHERE position < {size:Int64}
    ),
    blocks AS
    (
        SELECT
            if(person = '', block_facts.account, person) AS who, is_panic, ground, position,
            until, begins,
            min(if(begins, {size:Int64}, position)) OVER
            (
                PARTITION BY who, is_panic, ground ORDER BY position DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS ended_position
        FROM block_facts
        LEFT JOIN accounts ON block_facts.account = accounts.account
    ),
    blocks_of_persons AS
    (
        SELECT who, groupArray((is_panic, ground, position, ended_position, until)) AS blocks
        FROM blocks
        WHERE begins
        GROUP BY who
    ),
    money_of_persons AS
    (
        SELECT
            is_deposit, bet, round, moved.account AS account, position, recorded_at, amount,
            opened_at, if(person = '', moved.account, person) AS who
        FROM bets_and_deposits AS moved
        LEFT JOIN accounts ON moved.account = accounts.account
    ),
    money_facts AS
    (
        SELECT
            arrayFilter(
                block -> moved.position > block.3 AND moved.position < block.4
                    AND moved.recorded_at < block.5,
                blocks_of_persons.blocks) AS blocks,
            arrayExists(block -> block.1, blocks) AS is_panic,
            arrayMap(block -> block.2, arrayFilter(block -> NOT block.1, blocks)) AS grounds,
            statuses.status AS status, sessions.mode AS mode, regimes.regime AS regime,
            moved.is_deposit AS is_deposit, moved.bet AS bet, moved.round AS round,
            moved.account AS account, moved.position AS position,
            moved.recorded_at AS recorded_at, moved.amount AS amount,
            moved.opened_at AS opened_at
        FROM money_of_persons AS moved
        ASOF LEFT JOIN statuses
            ON moved.account = statuses.account AND moved.position > statuses.position
        ASOF LEFT JOIN sessions
            ON moved.account = sessions.account AND moved.position > sessions.position
        ASOF LEFT JOIN regimes
            ON moved.account = regimes.account AND moved.position > regimes.position
        LEFT JOIN blocks_of_persons ON moved.who = blocks_of_persons.who
    ),
    judged AS
    (
        {checks}
    ),
    concluded AS
    (
        SELECT bet, account FROM BetConcluded WHERE position < {size:Int64}
        UNION ALL
        SELECT bet, account FROM among_players
        UNION ALL
        SELECT DISTINCT '', account FROM DepositCredited WHERE position < {size:Int64}
    )
SELECT
    judged.code AS code, min(judged.position) AS position, judged.account AS account,
    judged.round AS round, judged.bet AS bet,
    argMin(judged.amount, judged.position) AS amount,
    argMin(judged.detail, (judged.position, judged.detail)) AS detail,
    argMin(judged.parts, (judged.position, judged.detail)) AS parts
FROM concluded
INNER JOIN judged ON concluded.bet = judged.bet AND concluded.account = judged.account
GROUP BY code, account, round, bet, if(judged.bet = '', judged.position, 0);

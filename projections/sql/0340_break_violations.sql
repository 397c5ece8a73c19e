-- Bets that were accepted during a break of continuous play (SAZKA 5a(3), (4)).
-- Source: views play, rounds and operator_figures, AccountOpened, BetPlaced, BetConcluded. Key: bet. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count) and account ('' for all). Found from placements and
-- evaluations alone: neither BreakImposed nor the participants named by a result are asked. A
-- break binds the person, with whatever account. The rules in force at the placement count.
-- The placement is what was wrong, also where the bet was voided later; chips that never
-- became a bet are no bet, and raises of a bet (those with a parent) may finish a round.

CREATE VIEW IF NOT EXISTS break_violations
(
    bet String COMMENT 'bet',
    round String COMMENT 'round',
    account String COMMENT 'account',
    position Int64 COMMENT 'position of the placement',
    placed_at Int64 COMMENT 'moment of the placement',
    stake Int64 COMMENT 'stake, haléř',
    started_at Int64 COMMENT 'first placement of the sequence that asked for the break',
    evaluated_at Int64 COMMENT 'begin of the break',
    length Int64 COMMENT 'length of the sequence, in microseconds',
    until Int64 COMMENT 'end of the break'
)
COMMENT 'Bets that were accepted during a break of continuous play.'
AS
WITH
    several AS
    (
        SELECT account, person
        FROM AccountOpened
        WHERE position < {size:Int64} AND person != ''
        QUALIFY count() OVER (PARTITION BY person) > 1
    ),
    blocks AS
    (
        SELECT who, position, next_position, started_at, evaluated_at, length
        FROM play(size = {size:Int64}, account = {account:String})
        WHERE length >= assumeNotNull((SELECT min(longest_play) FROM operator_figures))
    ),
    chips AS
    (
        SELECT
            placed.bet AS bet, placed.round AS round, placed.account AS account,
            placed.position AS position, placed.recorded_at AS recorded_at, placed.stake AS stake,
            figures.longest_play AS longest_play, figures.break_length AS break_length
        FROM
        (
            SELECT
                bet, round, account, position, recorded_at, stake, toUInt8(1) AS chain
            FROM BetPlaced
            WHERE position < {size:Int64} AND parent = ''
                AND ({account:String} = '' OR account = {account:String})
        ) AS placed
        ASOF INNER JOIN operator_figures AS figures
            ON placed.chain = figures.chain AND placed.position >= figures.since
    ),
    placements AS
    (
        SELECT
            placed.bet AS bet,
            placed.round AS round,
            placed.account AS account,
            placed.position AS position,
            placed.recorded_at AS placed_at,
            placed.stake AS stake,
            blocks.started_at AS started_at,
            blocks.evaluated_at AS evaluated_at,
            blocks.length AS length,
            blocks.evaluated_at + placed.break_length AS until
        FROM chips AS placed
        LEFT JOIN several ON placed.account = several.account
        INNER JOIN blocks ON if(several.person = '', placed.account, several.person) = blocks.who
        WHERE placed.position > blocks.position
            AND placed.position < blocks.next_position
            AND blocks.length >= placed.longest_play
            AND placed.recorded_at < blocks.evaluated_at + placed.break_length
    )
SELECT
    placements.bet AS bet,
    placements.round AS round,
    placements.account AS account,
    placements.position AS position,
    placements.placed_at AS placed_at,
    placements.stake AS stake,
    placements.started_at AS started_at,
    placements.evaluated_at AS evaluated_at,
    placements.length AS length,
    placements.until AS until
FROM BetConcluded AS concluded
INNER JOIN placements
    ON concluded.bet = placements.bet
    AND concluded.account = placements.account
    AND concluded.round = placements.round
WHERE concluded.position < {size:Int64}
    AND placements.round IN
    (
        SELECT round
        FROM RoundOpened
        WHERE position < {size:Int64}
        GROUP BY round
        HAVING argMin(streamed, position)
    )
ORDER BY position
LIMIT 1 BY placements.bet, placements.account, placements.round;

-- Evaluations of continuous play: one row for each account with a bet that counted at the result of
-- a round of a streamed table.
-- Source: the projector, from the views bets and rounds. Key: account, position. Ordering: account,
-- position, so that the play of one account is one short range. Idempotence: rows above the watermark
-- are deleted before the projector goes on.
--
-- An evaluation follows from facts before it alone, so that nothing later changes it. A bet counts when
-- it was concluded before the result and was neither given back nor voided before it. The round was
-- opened before it; a later result of it evaluates nothing.

CREATE TABLE IF NOT EXISTS evaluated_play
(
    account String COMMENT 'account',
    round String COMMENT 'round',
    position Int64 COMMENT 'position of the result',
    evaluated_at Int64 COMMENT 'moment of the record of the result',
    first_placed_at Int64 COMMENT 'moment of the first placement among its bets',
    bets UInt64 COMMENT 'bets that were evaluated'
)
ENGINE = MergeTree
ORDER BY (account, position)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Evaluations of continuous play.';

-- Continuous play (SAZKA 5a(3) to (6)): one row for each evaluation of a participant's bets
-- in a round of a streamed table, with the sequence that it belongs to.
-- Source: evaluated_play, view operator_figures, AccountOpened. Key: account, round. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count) and account, which gives all accounts of its person ('' for
-- everybody). A sequence is the person's, with whatever account; who is the person where one had
-- several accounts, otherwise the account. Evaluation: the record of the result; a void round has none. The clock is recorded_at: the record decides
-- (SAZKA 13(5)). The first placement of a round 15 minutes or more after the evaluation before
-- begins a new sequence; one less by a microsecond does not. length runs from the first
-- placement of the sequence to this evaluation, in microseconds, by the rules in force at it; until
-- is the end of the break
-- where the length has reached 120 minutes, 0 where it has not. next_position is that of the
-- person's next evaluation, or size.

CREATE VIEW IF NOT EXISTS play
(
    account String COMMENT 'account',
    who String COMMENT 'person where one had several accounts, otherwise the account',
    sequence UInt64 COMMENT 'number of the sequence of play, from 1 for each person',
    round String COMMENT 'round',
    position Int64 COMMENT 'position of the result',
    next_position Int64 COMMENT 'position of the person\'s next evaluation, or size',
    evaluated_at Int64 COMMENT 'moment of the record of the result',
    bets UInt64 COMMENT 'bets that were evaluated',
    started_at Int64 COMMENT 'first placement of the sequence',
    length Int64 COMMENT 'from there to this evaluation, in microseconds',
    until Int64 COMMENT 'end of the break that is due; 0 where none is'
)
COMMENT 'Continuous play: one row for each evaluation of a participant\'s bets in a round.'
AS
WITH
    several AS
    (
        SELECT account, person
        FROM AccountOpened
        WHERE position < {size:Int64} AND person != ''
        QUALIFY count() OVER (PARTITION BY person) > 1
    ),
    asked_for AS
    (
        SELECT {account:String} AS account
        UNION ALL
        SELECT account
        FROM several
        WHERE person IN (SELECT person FROM several WHERE account = {account:String})
    ),
    evaluations AS
    (
        SELECT
            played.account AS account,
            if(several.person = '', account, several.person) AS who,
            played.round AS round, played.position AS position,
            played.evaluated_at AS evaluated_at, played.first_placed_at AS first_placed_at,
            played.bets AS bets
        FROM evaluated_play AS played
        LEFT JOIN several ON played.account = several.account
        WHERE played.position < {size:Int64}
            AND ({account:String} = '' OR played.account IN (SELECT account FROM asked_for))
    ),
    by_rules AS
    (
        SELECT
            one.account AS account, one.who AS who, one.round AS round, one.position AS position,
            one.evaluated_at AS evaluated_at, one.first_placed_at AS first_placed_at,
            one.bets AS bets, figures.longest_play AS longest_play,
            figures.break_length AS break_length
        FROM (SELECT *, toUInt8(1) AS chain FROM evaluations) AS one
        ASOF INNER JOIN operator_figures AS figures
            ON one.chain = figures.chain AND one.position >= figures.since
    ),
    neighbours AS
    (
        SELECT
            account, who, round, position, evaluated_at, first_placed_at, bets, longest_play,
            break_length,
            lagInFrame(evaluated_at, 1, 0) OVER whole AS evaluated_before,
            row_number() OVER whole = 1 OR first_placed_at - evaluated_before >= break_length
                AS begins,
            leadInFrame(position, 1, {size:Int64}) OVER whole AS next_position
        FROM by_rules
        WINDOW whole AS
        (
            PARTITION BY who ORDER BY position, account
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
        )
    ),
    numbered AS
    (
        SELECT
            account, who, round, position, evaluated_at, first_placed_at, bets, next_position,
            longest_play, break_length,
            sum(begins) OVER
            (
                PARTITION BY who ORDER BY position, account
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS sequence
        FROM neighbours
    ),
    measured AS
    (
        SELECT
            account, who, sequence, round, position, next_position, evaluated_at, bets,
            longest_play, break_length,
            min(first_placed_at) OVER
            (
                PARTITION BY who, sequence ORDER BY position, account
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS started_at
        FROM numbered
    )
SELECT
    account,
    who,
    sequence,
    round,
    position,
    next_position,
    evaluated_at,
    bets,
    started_at,
    evaluated_at - started_at AS length,
    if
    (
        length >= longest_play,
        evaluated_at + break_length,
        0
    ) AS until
FROM measured;

-- Continuous play (SAZKA 5a(3) to (6)): one row for each evaluation of a participant's bets
-- in a round of a streamed table, with the sequence that it belongs to.
-- Source: views bets, rounds and operator_figures, AccountOpened. Key: account, round. Ordering: none. Idempotence: a view,
-- nothing is stored.
--
-- Takes size (messages that count) and account, which gives all accounts of its person ('' for
-- everybody). A sequence is the person's, with whatever account; who is the person where one had
-- several accounts, otherwise the account. Evaluation: the record of the result; a void round has none. A bet counts when it was concluded before the result and was
-- neither given back nor voided before it. The clock is recorded_at: the record decides
-- (SAZKA 13(5)). The first placement of a round 15 minutes or more after the evaluation before
-- begins a new sequence; one less by a microsecond does not. length runs from the first
-- placement of the sequence to this evaluation, in microseconds; until is the end of the break
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
            bet.account AS account,
            if(any(several.person) = '', account, any(several.person)) AS who,
            bet.round AS round,
            round.resulted_position AS position,
            any(round.resulted_at) AS evaluated_at,
            min(bet.placed_at) AS first_placed_at,
            count() AS bets
        FROM bets(size = {size:Int64}, account = '') AS bet
        INNER JOIN rounds(size = {size:Int64}) AS round ON bet.round = round.round
        LEFT JOIN several ON bet.account = several.account
        WHERE ({account:String} = '' OR bet.account IN (SELECT account FROM asked_for))
            AND round.streamed
            AND round.resulted_position > 0
            AND bet.placed_position > 0
            AND bet.concluded_position > bet.placed_position
            AND bet.concluded_position < round.resulted_position
            AND (bet.given_back_position = 0 OR bet.given_back_position > round.resulted_position)
            AND (bet.voided_position = 0 OR bet.voided_position > round.resulted_position)
        GROUP BY account, round, position
    ),
    neighbours AS
    (
        SELECT
            account, who, round, position, evaluated_at, first_placed_at, bets,
            lagInFrame(evaluated_at, 1, 0) OVER whole AS evaluated_before,
            row_number() OVER whole = 1 OR first_placed_at - evaluated_before
                    >= assumeNotNull((SELECT break_length FROM operator_figures)) AS begins,
            leadInFrame(position, 1, {size:Int64}) OVER whole AS next_position
        FROM evaluations
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
        length >= assumeNotNull((SELECT longest_play FROM operator_figures)),
        evaluated_at + assumeNotNull((SELECT break_length FROM operator_figures)),
        0
    ) AS until
FROM measured;

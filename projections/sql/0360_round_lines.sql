-- What settling a round again needs, one row an event, in the columns of all.
-- Source: the events named below. Key: position. Ordering: none. Idempotence: a view, nothing
-- is stored.
--
-- Takes first and size (positions from first, below size) and round ('' for all). amount is
-- haléř: the stake of BetPlaced and PlayerDecided, what BetSettled paid. due is haléř. number:
-- turns of WheelSpun, pocket of BallLanded, index of a card, times of PlayerDecided. flag: wheel
-- and ball in one direction (WheelSpun), succeeded (RoundReconstructed), free (PlayerDecided).
-- code: recipient of CardDealt, decision of PlayerDecided. text: selection as JSON (BetPlaced),
-- outcome as JSON (RoundResulted), result (BetSettled), plan version (RoundOpened), card, field
-- of WheelStopped, hand of PlayerDecided, whose box is who decided and whose table is the street.
-- parent is that of BetPlaced.

CREATE VIEW IF NOT EXISTS round_lines
(
    position Int64 COMMENT 'place of the event in the chain',
    recorded_at Int64 COMMENT 'moment of the record',
    event String COMMENT 'event type',
    round String COMMENT 'round',
    bet String COMMENT 'bet, where there is one',
    account String COMMENT 'account, where there is one',
    table String COMMENT 'table; street of PlayerDecided',
    code String COMMENT 'bet code, recipient of a card, or decision',
    text String COMMENT 'selection, outcome, result, plan version, card, field or hand, by the event',
    box String COMMENT 'box; who decided of PlayerDecided',
    amount Int64 COMMENT 'stake or payment, haléř',
    due Int64 COMMENT 'payment due, haléř',
    number Int32 COMMENT 'turns, pocket, index of a card or times, by the event',
    flag Bool COMMENT 'what the event says with yes or no',
    parent String COMMENT 'bet that a bet adds to'
)
COMMENT 'What settling a round again needs, one row an event.'
AS
WITH lines AS
(
    SELECT
        position, recorded_at, 'RoundOpened' AS event, round, '' AS bet, '' AS account, table,
        game AS code, plan_version AS text, '' AS box, toInt64(0) AS amount, toInt64(0) AS due,
        toInt32(0) AS number, streamed AS flag, '' AS parent
    FROM RoundOpened
    UNION ALL
    SELECT
        position, recorded_at, 'BetPlaced', round, bet, account, table, bet_code, selection, box,
        stake, 0, 0, false, parent
    FROM BetPlaced
    UNION ALL
    SELECT
        position, recorded_at, 'BetConcluded', round, bet, account, table, '', '', '', amount, 0,
        0, false, ''
    FROM BetConcluded
    UNION ALL
    SELECT
        position, recorded_at, 'BetVoided', round, bet, account, '', '', '', '', amount, 0, 0, false,
        ''
    FROM BetVoided
    UNION ALL
    SELECT
        position, recorded_at, 'WheelSpun', round, '', '', '', '', '', '', 0, 0, revolutions,
        wheel_direction = ball_direction, ''
    FROM WheelSpun
    UNION ALL
    SELECT
        position, recorded_at, 'SpinDeclaredInvalid', round, '', '', '', '', '', '', 0, 0, 0, false,
        ''
    FROM SpinDeclaredInvalid
    UNION ALL
    SELECT
        position, recorded_at, 'BallLanded', round, '', '', '', '', '', '', 0, 0, number, false,
        ''
    FROM BallLanded
    UNION ALL
    SELECT
        position, recorded_at, 'RoundReconstructed', round, '', '', '', '', '', '', 0, 0, 0,
        succeeded, ''
    FROM RoundReconstructed
    UNION ALL
    SELECT
        position, recorded_at, 'RoundResulted', round, '', '', table, '', outcome, '', 0, 0, 0,
        streamed, ''
    FROM RoundResulted
    UNION ALL
    SELECT
        position, recorded_at, 'RoundVoided', round, '', '', table, '', '', '', 0, 0, 0, false, ''
    FROM RoundVoided
    UNION ALL
    SELECT
        position, recorded_at, 'BetSettled', round, bet, account, '', '', result, '', paid, due, 0,
        false, ''
    FROM BetSettled
    UNION ALL
    SELECT
        position, recorded_at, 'BetWithdrawn', round, bet, account, '', '', '', '', amount, 0, 0,
        false, ''
    FROM BetWithdrawn
    UNION ALL
    SELECT
        position, recorded_at, 'BetReturned', round, bet, account, '', '', '', '', amount, 0, 0,
        false, ''
    FROM BetReturned
    UNION ALL
    SELECT
        position, recorded_at, 'CardDealt', round, '', '', '', recipient, card, '', 0, 0, `index`,
        face_up, ''
    FROM CardDealt
    UNION ALL
    SELECT
        position, recorded_at, 'CardRevealed', round, '', '', '', '', card, '', 0, 0, `index`,
        false, ''
    FROM CardRevealed
    UNION ALL
    SELECT
        position, recorded_at, 'CardRecordCorrected', round, '', '', '', '', actual, '', 0, 0,
        `index`, false, ''
    FROM CardRecordCorrected
    UNION ALL
    SELECT
        position, recorded_at, 'PlayerDecided', round, '', account, street, decision, hand, by,
        stake, 0, times, free, ''
    FROM PlayerDecided
    UNION ALL
    SELECT
        position, recorded_at, 'WheelStopped', round, '', '', '', '', field, '', 0, 0, 0, false, ''
    FROM WheelStopped
)
SELECT
    position, recorded_at, event, round, bet, account, table, code, text, box, amount, due,
    number, flag, parent
FROM lines
WHERE position >= {first:Int64} AND position < {size:Int64}
    AND ({round:String} = '' OR round = {round:String});

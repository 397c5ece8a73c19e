-- Complaints (SAZKA 16) and objections to a cancellation (SAZKA 12(3), (7)) with their answers.
-- Source: the events named below. Key: case. Ordering: none. Idempotence: a view, nothing is
-- stored.
--
-- Takes size (messages that count). status: open, upheld, dismissed; an objection lapses where
-- its cancellation was withdrawn or the account restored or closed before it was decided.
-- ended_at and ended_position are 0 while a case is open.

CREATE VIEW IF NOT EXISTS cases
(
    kind String COMMENT 'complaint or objection',
    case String COMMENT 'name of the case',
    account String COMMENT 'account',
    position Int64 COMMENT 'position of the filing',
    filed_at Int64 COMMENT 'moment of the filing',
    rounds Array(String) COMMENT 'rounds that it concerns',
    bets Array(String) COMMENT 'bets that it concerns',
    is_moot UInt8 COMMENT '1 where the cancellation ended first',
    status String COMMENT 'open, upheld, dismissed or lapsed',
    ended_at Int64 COMMENT 'moment of the end, 0 while it is open',
    ended_position Int64 COMMENT 'position of the end, 0 while it is open'
)
COMMENT 'Complaints, and objections to a cancellation, with their answers.'
AS
WITH
    filed AS
    (
        SELECT
            'complaint' AS kind, account, case, position, recorded_at,
            arrayFilter(name -> name != '', arrayConcat([round], rounds)) AS all_rounds, bets
        FROM ComplaintFiled
        WHERE position < {size:Int64}
        UNION ALL
        SELECT 'objection', account, case, position, recorded_at, [], []
        FROM ObjectionFiled
        WHERE position < {size:Int64}
    ),
    decided AS
    (
        SELECT account, case, position, recorded_at, upheld
        FROM ComplaintDecided
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, case, position, recorded_at, upheld
        FROM ObjectionDecided
        WHERE position < {size:Int64}
    ),
    answers AS
    (
        SELECT
            account, case, min(decided.position) AS position,
            argMin(recorded_at, decided.position) AS answered_at,
            argMin(upheld, decided.position) AS upheld
        FROM decided
        GROUP BY account, case
    ),
    ends AS
    (
        SELECT account, position, recorded_at
        FROM CancellationWithdrawn
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, recorded_at
        FROM AccountRestored
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, recorded_at
        FROM AccountClosed
        WHERE position < {size:Int64}
    ),
    answered AS
    (
        SELECT
            filed.kind AS kind, filed.case AS case, filed.account AS account,
            filed.position AS position, filed.recorded_at AS filed_at,
            filed.all_rounds AS rounds, filed.bets AS bets,
            answers.position AS answer_position, answers.answered_at AS answered_at,
            answers.upheld AS upheld
        FROM filed
        LEFT JOIN answers ON filed.account = answers.account AND filed.case = answers.case
    )
SELECT
    answered.kind AS kind, answered.case AS case, answered.account AS account,
    answered.position AS position, answered.filed_at AS filed_at,
    answered.rounds AS rounds, answered.bets AS bets,
    ends.position > 0 AND kind = 'objection' AS is_moot,
    multiIf(
        answered.answered_at > 0 AND answered.upheld, 'upheld',
        answered.answered_at > 0, 'dismissed',
        is_moot, 'lapsed',
        'open') AS status,
    multiIf(
        answered.answered_at > 0, answered.answered_at,
        is_moot, ends.recorded_at,
        0) AS ended_at,
    multiIf(
        answered.answered_at > 0, answered.answer_position,
        is_moot, ends.position,
        0) AS ended_position
FROM answered
ASOF LEFT JOIN ends
    ON answered.account = ends.account AND answered.position < ends.position;

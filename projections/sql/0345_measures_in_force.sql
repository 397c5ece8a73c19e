-- The self-restricting measures of accounts, and from when on each value binds (ZHH 15).
-- Source: LimitSet, LimitDeclined. Key: account, measure, effective_at. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). A value binds from effective_at until the next one; it is NULL
-- where the measure was declined. A looser one that still waits is undone by whatever is recorded
-- before it binds. Accounts that never set a measure are not among them.

CREATE VIEW IF NOT EXISTS measures_in_force
(
    account String COMMENT 'account',
    measure String COMMENT 'letter of the measure, a to g',
    effective_at Int64 COMMENT 'moment from which on the value binds',
    value Nullable(Int64) COMMENT 'haléř for a to d, logins for e, minutes for f and g; NULL for none'
)
COMMENT 'Self-restricting measures of accounts, and from when on each value binds.'
AS
WITH
    wishes AS
    (
        SELECT
            account, measure, position, recorded_at, effective_at, toNullable(value) AS value,
            change = 'looser' AS is_looser
        FROM LimitSet
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, measure, position, recorded_at, effective_at, NULL, effective_at > recorded_at
        FROM LimitDeclined
        WHERE position < {size:Int64}
    ),
    followed AS
    (
        SELECT
            account, measure, position, effective_at, value, is_looser,
            leadInFrame(recorded_at, 1, 9223372036854775807) OVER
            (
                PARTITION BY account, measure ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
            ) AS followed_at
        FROM wishes
        WHERE account IN (SELECT account FROM LimitSet WHERE position < {size:Int64})
    )
SELECT account, measure, effective_at, argMax(tuple(value), position).1 AS value
FROM followed
WHERE NOT is_looser OR followed_at >= effective_at
GROUP BY account, measure, effective_at;

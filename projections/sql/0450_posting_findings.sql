-- Postings that do not sum to zero, balances below zero, and claims that are open.
-- Source: postings. Key: code, position. Ordering: none. Idempotence: a view, nothing is
-- stored.
--
-- Takes size (messages that count). amount is the sum, or the first balance of its kind and
-- account below zero, or what a player owes (of which nobody owes less than nothing), at the
-- position that last added to it; haléř. The sum of amount times a hash of its position is zero when
-- every position's sum is zero, and otherwise almost never: only where it is not are
-- positions looked at one by one, since grouping a long log by position needs much memory.

CREATE VIEW IF NOT EXISTS posting_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'the sum, the first balance below zero, or what is owed, haléř',
    detail String COMMENT 'kind of the balance'
)
COMMENT 'Postings that do not sum to zero, balances below zero, and claims that are open.'
AS
WITH
    uneven AS
    (
        SELECT position, sum(amount) AS amount, any(account) AS account
        FROM postings
        WHERE position < {size:Int64}
            AND (
                SELECT sum(toUInt64(amount) * sipHash64(position)) != 0
                FROM postings
                WHERE position < {size:Int64}
            )
        GROUP BY position
        HAVING amount != 0
    ),
    running AS
    (
        SELECT
            kind, account, position, round, bet,
            sum(if(kind = 'claims', -amount, amount)) OVER
            (
                PARTITION BY kind, account ORDER BY position, posting
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS balance
        FROM postings
        WHERE position < {size:Int64} AND kind IN
            ('wallet', 'reserved', 'in_play', 'withdrawals', 'claims')
    ),
    below_zero AS
    (
        SELECT kind, account, position, round, bet, balance
        FROM running
        WHERE balance < 0
        ORDER BY position
        LIMIT 1 BY kind, account
    )
SELECT
    'POSTINGS_UNEVEN' AS code, position, account, '' AS round, '' AS bet, amount, '' AS detail
FROM uneven
UNION ALL
SELECT 'BALANCE_NEGATIVE', position, account, round, bet, balance, kind
FROM below_zero
UNION ALL
SELECT
    'CLAIM_OPEN', maxIf(postings.position, amount < 0), account, '', '', -sum(amount), ''
FROM postings
WHERE postings.position < {size:Int64} AND kind = 'claims'
GROUP BY account
HAVING sum(amount) < 0;

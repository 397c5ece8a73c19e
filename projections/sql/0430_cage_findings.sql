-- Deposits and withdrawals against the rules (SAZKA 10, 11).
-- Source: the events named below. Key: code, position. Ordering: none. Idempotence: a view,
-- nothing is stored.
--
-- Takes size (messages that count). Cash of 24 hours: an amount exactly 24 hours old no longer
-- counts, whatever account of the person it moved on; of records with one moment only those up
-- to the position count. amount of
-- CASH_LIMIT_PASSED is what passes the limit of the operator (10,000 CZK of SAZKA), of
-- TEMPORARY_DEPOSITS_PASSED what passes 3,000 CZK, otherwise the amount that moved; haléř. A temporary
-- account is over 30 days after it was opened; deposits that went back do not count.

CREATE VIEW IF NOT EXISTS cage_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'what passes the limit of cash, or the amount that moved, haléř',
    detail String COMMENT 'deposit, withdrawal or payment method that it is about'
)
COMMENT 'Deposits and withdrawals against the rules.'
AS
WITH
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
    accounts AS
    (
        SELECT account, any(person) AS person
        FROM AccountOpened
        WHERE position < {size:Int64}
        GROUP BY account
    ),
    methods AS
    (
        SELECT
            account, method,
            min(registered.position) AS position,
            argMin(method_class, registered.position) AS class
        FROM PaymentMethodRegistered AS registered
        WHERE registered.position < {size:Int64}
        GROUP BY account, method
    ),
    deposited AS
    (
        SELECT
            account, position,
            sum(amount) OVER
            (
                PARTITION BY account ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS total
        FROM
        (
            SELECT account, position, amount
            FROM DepositCredited
            WHERE position < {size:Int64}
                AND account IN (SELECT account FROM regimes WHERE regime = 'temporary')
            UNION ALL
            SELECT account, position, -amount
            FROM DepositReturned
            WHERE position < {size:Int64} AND credited
                AND account IN (SELECT account FROM regimes WHERE regime = 'temporary')
        )
    ),
    withdrawals AS
    (
        SELECT position, recorded_at, account, withdrawal, amount, method, method_class
        FROM WithdrawalRequested
        WHERE position < {size:Int64}
    ),
    cash_of_accounts AS
    (
        SELECT 'deposits' AS direction, account, position, recorded_at, amount
        FROM DepositCredited
        WHERE position < {size:Int64} AND method_class = 'cash'
        UNION ALL
        SELECT 'withdrawals', account, position, recorded_at, amount
        FROM withdrawals
        WHERE method_class = 'cash'
    ),
    cash AS
    (
        SELECT
            direction, cash_of_accounts.account AS account, position, recorded_at, amount,
            if(person = '', cash_of_accounts.account, person) AS person
        FROM cash_of_accounts
        LEFT JOIN accounts ON cash_of_accounts.account = accounts.account
    ),
    running AS
    (
        SELECT
            direction, account, person, position, recorded_at,
            recorded_at - 86400000000 AS a_day_before,
            sum(amount) OVER
            (
                PARTITION BY direction, person ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS total
        FROM cash
    ),
    moments AS
    (
        SELECT direction, person, recorded_at, max(total) AS total
        FROM running
        GROUP BY direction, person, recorded_at
    ),
    sums AS
    (
        SELECT
            running.direction AS direction, running.account AS account,
            running.position AS position, running.total - moments.total AS of_a_day
        FROM running
        ASOF LEFT JOIN moments
            ON running.direction = moments.direction
            AND running.person = moments.person
            AND running.a_day_before >= moments.recorded_at
    )
SELECT
    'DEPOSIT_METHOD_UNKNOWN' AS code, deposit.position AS position,
    deposit.account AS account, '' AS round, '' AS bet, deposit.amount AS amount,
    deposit.method AS detail
FROM DepositCredited AS deposit
LEFT JOIN methods ON deposit.account = methods.account AND deposit.method = methods.method
WHERE deposit.position < {size:Int64}
    AND deposit.method_class != 'cash'
    AND (methods.method = '' OR methods.position > deposit.position)
UNION ALL
SELECT
    'DEPOSIT_WHILE_TEMPORARY_OVER', deposit.position, deposit.account, '', '', deposit.amount, ''
FROM DepositCredited AS deposit
INNER JOIN AccountOpened AS opened ON deposit.account = opened.account
ASOF INNER JOIN regimes
    ON deposit.account = regimes.account AND deposit.position > regimes.position
WHERE deposit.position < {size:Int64}
    AND opened.position < {size:Int64}
    AND regimes.regime = 'temporary'
    AND deposit.recorded_at >= opened.recorded_at + 2592000000000
UNION ALL
SELECT
    'WITHDRAWAL_METHOD_WRONG', withdrawal.position, withdrawal.account, '', '',
    withdrawal.amount, withdrawal.method
FROM withdrawals AS withdrawal
LEFT JOIN methods ON withdrawal.account = methods.account AND withdrawal.method = methods.method
WHERE withdrawal.method_class != 'cash'
    AND (methods.class != 'account' OR methods.position > withdrawal.position)
UNION ALL
SELECT
    'WITHDRAWAL_NOT_REQUESTED', paid.position, paid.account, '', '', paid.amount, paid.withdrawal
FROM WithdrawalPaid AS paid
LEFT JOIN withdrawals
    ON paid.account = withdrawals.account
    AND paid.withdrawal = withdrawals.withdrawal
    AND paid.amount = withdrawals.amount
    AND paid.method = withdrawals.method
WHERE paid.position < {size:Int64}
    AND (withdrawals.withdrawal = '' OR withdrawals.position > paid.position)
UNION ALL
SELECT
    'CASH_WITHOUT_DOCUMENT', position, account, '', '', amount, 'deposit'
FROM DepositCredited
WHERE position < {size:Int64} AND method_class = 'cash' AND NOT document_shown
UNION ALL
SELECT
    'CASH_WITHOUT_DOCUMENT', position, account, '', '', amount, 'withdrawal'
FROM WithdrawalPaid
WHERE position < {size:Int64} AND method_class = 'cash' AND NOT document_shown
UNION ALL
SELECT
    'CASH_LIMIT_PASSED', position, account, '', '',
    of_a_day - assumeNotNull((SELECT cash_most FROM operator_figures)), direction
FROM sums
WHERE of_a_day > assumeNotNull((SELECT cash_most FROM operator_figures))
UNION ALL
SELECT
    'TEMPORARY_DEPOSITS_PASSED', deposited.position, deposited.account, '', '',
    deposited.total - 300000, ''
FROM deposited
INNER JOIN DepositCredited AS deposit ON deposited.position = deposit.position
ASOF INNER JOIN regimes
    ON deposited.account = regimes.account AND deposited.position > regimes.position
WHERE regimes.regime = 'temporary' AND deposited.total > 300000
UNION ALL
SELECT
    'WITHDRAWAL_WHILE_TEMPORARY', withdrawal.position, withdrawal.account, '', '',
    withdrawal.amount, withdrawal.withdrawal
FROM withdrawals AS withdrawal
ASOF INNER JOIN regimes
    ON withdrawal.account = regimes.account AND withdrawal.position > regimes.position
WHERE regimes.regime = 'temporary';

-- Deposits and withdrawals against the rules (SAZKA 10, 11).
-- Source: the events named below, views account_owners and account_regimes. Key: code, position.
-- Ordering: none. Idempotence: a view, nothing is stored.
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
        SELECT account, position, regime FROM account_regimes(size = {size:Int64})
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
    withdrawals AS
    (
        SELECT position, recorded_at, account, withdrawal, amount, method, method_class
        FROM WithdrawalRequested
        WHERE position < {size:Int64}
    )
{checks};

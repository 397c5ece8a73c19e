-- Postings that do not sum to zero, balances below zero, and claims that are open.
-- Source: postings. Key: code, position. Ordering: none. Idempotence: a view, nothing is
-- stored.
--
-- Takes size (messages that count). amount is the sum, or the first balance of its kind and
-- account below zero, or what a player owes (which is never negative), at the
-- position that last added to it; haléř.

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
{checks};

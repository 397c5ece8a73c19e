-- Books of an account that do not agree with its postings.
-- Source: AccountStatement, postings. Key: position, figure. Ordering: none. Idempotence: a
-- view, nothing is stored.
--
-- Takes size (messages that count). A statement covers the postings behind the one before;
-- opening and closing are wallet and reserved chips. amount is recorded less computed, haléř.

CREATE VIEW IF NOT EXISTS statement_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'recorded less computed, haléř',
    detail String COMMENT 'figure of the statement, recorded against computed',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Books of an account that do not agree with its postings.'
AS
{checks};

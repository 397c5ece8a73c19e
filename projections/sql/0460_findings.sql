-- What the views of findings found, in one.
-- Source: the views of findings. Key: code, position. Ordering: none. Idempotence: a view, nothing
-- is stored.
--
-- Takes size (messages that count). What settling again finds (`gameledger reconcile`) is not here.

CREATE VIEW IF NOT EXISTS findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'haléř, what it means depends on the code',
    detail String COMMENT 'what else there is to say'
)
COMMENT 'What is wrong with the facts, as far as it can be found without settling bets again.'
AS
SELECT code, position, account, round, bet, amount, detail
FROM bet_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM round_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM entry_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM protection_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM presence_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM measure_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM cage_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM statement_findings(size = {size:Int64})
UNION ALL
SELECT code, position, account, round, bet, amount, detail
FROM posting_findings(size = {size:Int64});

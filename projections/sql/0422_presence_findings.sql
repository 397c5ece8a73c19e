-- Play at two streamed tables at a time, and bets during a break of continuous play.
-- Source: views bets, rounds and break_violations, TableOpened, SeatTaken, SeatLeft. Key: code,
-- position, account. Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). Participation at a table: from taking a seat to leaving it, and
-- from the first placement to the result or void.

CREATE VIEW IF NOT EXISTS presence_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'stake of a bet during a break, haléř; otherwise 0',
    detail String COMMENT 'both tables, or the minutes of play before the break',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Play at two streamed tables at a time, and bets during a break.'
AS
{checks};

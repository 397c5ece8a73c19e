-- Regimes of accounts: which one begins at which fact (ZHH 77, 80).
-- Source: AccountOpened, AccountModeChanged. Key: account, position. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count).

CREATE VIEW IF NOT EXISTS account_regimes
(
    account String COMMENT 'account',
    position Int64 COMMENT 'place of the fact in the chain',
    recorded_at Int64 COMMENT 'moment of the record',
    regime String COMMENT 'permanent or temporary, from this record on'
)
COMMENT 'Regimes of accounts, and from which fact on each one applies.'
AS
SELECT account, position, recorded_at, regime FROM AccountOpened WHERE position < {size:Int64}
UNION ALL
SELECT account, position, recorded_at, regime FROM AccountModeChanged WHERE position < {size:Int64};

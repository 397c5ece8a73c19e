-- Owners of accounts: whose measures, logins and money are counted together.
-- Source: AccountOpened. Key: account. Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). An account without a person is its own owner.

CREATE VIEW IF NOT EXISTS account_owners
(
    account String COMMENT 'account',
    owner String COMMENT 'person of the account; the account itself where it has none'
)
COMMENT 'Owners of accounts, whose measures, logins and money are counted together.'
AS
SELECT account, if(any(person) = '', account, any(person)) AS owner
FROM AccountOpened
WHERE position < {size:Int64}
GROUP BY account;

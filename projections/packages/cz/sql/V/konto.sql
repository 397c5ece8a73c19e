-- Accounts (static): those that a row of this package refers to, or all that are open by then.
-- Source: AccountOpened, and the account of every event that a file is made from.
WITH referenced AS
(
    SELECT account FROM AccountOpened WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM AccountModeChanged
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM AccountClosed WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM BetConcluded WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM BetSettled WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM FeeCharged WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM LoggedIn WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM LoggedOut WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM LimitSet WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM LimitDeclined WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM DepositCredited WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM DepositReturned
    WHERE credited AND position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM WithdrawalPaid WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM BalanceReturned WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION DISTINCT
    SELECT account FROM ClaimSettled
    WHERE way = 'wallet' AND position >= {first:Int64} AND position < {end:Int64}
)
SELECT
    account AS IDUzivKonto,
    {operator:String} AS IDProvozovatel,
    recorded_at AS ZrizeniCas,
    position,
    [position] AS positions
FROM AccountOpened
WHERE position < {end:Int64}
    AND ({static_rows:String} = 'all' OR account IN (SELECT account FROM referenced))

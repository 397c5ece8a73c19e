-- Money into the account (positive) and out of it (negative).
-- Source: DepositCredited, DepositReturned (of a credited one), WithdrawalPaid, BalanceReturned,
-- ClaimSettled (from the wallet). What a wallet did not hold did not go out of it.
WITH movements AS
(
    SELECT position, recorded_at, account, amount, method_class AS class
    FROM DepositCredited
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT position, recorded_at, account, claimed - amount, method_class
    FROM DepositReturned
    WHERE credited AND claimed != amount AND position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT position, recorded_at, account, -amount, method_class
    FROM WithdrawalPaid
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT position, recorded_at, account, -amount, way
    FROM BalanceReturned
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT position, recorded_at, account, -amount, 'other'
    FROM ClaimSettled
    WHERE way = 'wallet' AND position >= {first:Int64} AND position < {end:Int64}
)
SELECT
    toString(position) AS IDTransakce,
    account AS IDUzivKonto,
    amount AS TransakceVyse,
    recorded_at AS TransakceCas,
    transform(class, {way_classes:Array(String)}, {way_flags:Array(String)}, '') AS TransakceZpusob,
    transform(class, {way_classes:Array(String)}, {way_words:Array(String)}, class)
        AS TransakceZpusobUpresneni,
    'CZK' AS MenaKod,
    position,
    [position] AS positions
FROM movements

-- needs = ["DepositCredited", "WithdrawalRequested", "FeeCharged", "FeeReturned"]
-- view = "cage_findings"
--
-- [PAYMENT_CONTRADICTED]
-- name.en = "Payment against its own record"
-- name.cs = "Platba v rozporu s vlastním záznamem"
-- text.en = """\
--   Payment {detail} of {amount:money} was recorded against what the chain holds of it: a second \
--   time, after its end, or above what was charged."""
-- text.cs = """\
--   Platba {detail} ve výši {amount} odporuje svému dřívějšímu záznamu: byla zaznamenána podruhé, \
--   po svém ukončení, nebo nad účtovanou částku."""
-- paragraph = "ZHH (user account)"

WITH
    payments AS
    (
        SELECT 'deposit' AS kind, account, deposit AS payment, position, amount, true AS is_judged
        FROM DepositCredited WHERE position < {size:Int64}
        UNION ALL
        SELECT 'deposit', account, deposit, position, amount, false
        FROM DepositReturned WHERE position < {size:Int64}
        UNION ALL
        SELECT 'request', account, withdrawal, position, amount, true
        FROM WithdrawalRequested WHERE position < {size:Int64}
        UNION ALL
        SELECT 'end', account, withdrawal, position, amount, true
        FROM WithdrawalPaid WHERE position < {size:Int64}
        UNION ALL
        SELECT 'end', account, withdrawal, position, amount, true
        FROM WithdrawalCancelled WHERE position < {size:Int64}
        UNION ALL
        SELECT 'fee', account, fee, position, amount, true
        FROM FeeCharged WHERE position < {size:Int64}
    ),
    fees AS
    (
        SELECT account, fee, position, amount, amount AS left
        FROM FeeCharged WHERE position < {size:Int64}
        UNION ALL
        SELECT account, fee, position, amount, -amount
        FROM FeeReturned WHERE position < {size:Int64}
    )
SELECT position, account, '' AS round, '' AS bet, amount, payment AS detail
FROM payments
QUALIFY is_judged AND row_number() OVER (PARTITION BY kind, account, payment ORDER BY position) > 1
UNION ALL
SELECT position, account, '', '', amount, fee
FROM fees
QUALIFY left < 0 AND sum(left) OVER
(
    PARTITION BY account, fee ORDER BY position
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
) < 0;

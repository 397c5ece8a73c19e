-- needs = ["BalanceReturned"]
-- view = "cage_findings"
--
-- [REFUND_METHOD_WRONG]
-- name.en = "Balance returned to a wrong means of payment"
-- name.cs = "Zůstatek vrácený na nesprávný platební prostředek"
-- text.en = """\
--   {amount:money} of the balance were returned to {detail}, which is neither the registered \
--   payment account nor a card or other means that so much had come from."""
-- text.cs = """\
--   Zůstatek {amount} byl vrácen na {detail}: není to zaregistrovaný platební účet a z karty \
--   ani jiného prostředku tolik nepřišlo."""
-- paragraph = "SAZKA 12(8)"

WITH
    moves AS
    (
        SELECT account, method, position, amount AS received, toInt64(0) AS returned
        FROM DepositCredited WHERE position < {size:Int64}
        UNION ALL
        SELECT account, method, position, -amount, 0
        FROM DepositReturned WHERE position < {size:Int64} AND credited
        UNION ALL
        SELECT account, method, position, 0, amount
        FROM BalanceReturned WHERE position < {size:Int64}
    ),
    sums AS
    (
        SELECT
            account, method, position, returned,
            sum(received - returned) OVER
            (
                PARTITION BY account, method ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS left
        FROM moves
        WHERE account IN (SELECT account FROM BalanceReturned)
    )
SELECT
    refund.position AS position, refund.account AS account, '' AS round, '' AS bet,
    if(refund.way = 'account', refund.amount, least(refund.amount, -sums.left)) AS amount,
    refund.method AS detail
FROM BalanceReturned AS refund
INNER JOIN sums ON refund.position = sums.position
LEFT JOIN methods ON refund.account = methods.account AND refund.method = methods.method
WHERE refund.position < {size:Int64} AND
(
    (refund.way = 'account' AND (methods.class != 'account' OR methods.position > refund.position))
    OR (refund.way IN ('card', 'other') AND sums.left < 0)
);

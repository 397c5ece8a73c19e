-- needs = ["BalanceReturned"]
-- view = "cage_findings"
--
-- [REFUND_METHOD_WRONG]
-- name.en = "Balance returned to a wrong means of payment"
-- name.cs = "Zůstatek vrácený na nesprávný platební prostředek"
-- text.en = """\
--   {amount:money} of the balance were returned to {detail}, which is neither the registered \
--   payment account nor a card or other means that so much had come from; a postal order is for \
--   what these can't take."""
-- text.cs = """\
--   Zůstatek {amount} byl vrácen na {detail}: není to zaregistrovaný platební účet ani karta či \
--   jiný prostředek, z něhož tolik přišlo; poštovní poukázka je pro částku, kterou takto vrátit \
--   nelze."""
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
    ),
    ways AS
    (
        SELECT
            methods.account AS account,
            minIf(methods.position, class = 'account') AS account_position,
            sumIf(greatest(last.left, 0), class != 'account') AS left
        FROM methods
        LEFT JOIN
        (
            SELECT account, method, argMax(sums.left, sums.position) AS left
            FROM sums
            GROUP BY account, method
        ) AS last ON methods.account = last.account AND methods.method = last.method
        GROUP BY account
    )
SELECT
    refund.position AS position, refund.account AS account, '' AS round, '' AS bet,
    multiIf(
        refund.way IN ('card', 'other'), least(refund.amount, -sums.left),
        refund.way = 'account' OR ways.account_position BETWEEN 1 AND refund.position,
        refund.amount,
        least(refund.amount, ways.left)) AS amount,
    refund.method AS detail
FROM BalanceReturned AS refund
INNER JOIN sums ON refund.position = sums.position
LEFT JOIN methods ON refund.account = methods.account AND refund.method = methods.method
LEFT JOIN ways ON refund.account = ways.account
WHERE refund.position < {size:Int64} AND
(
    (refund.way = 'account' AND (methods.class != 'account' OR methods.position > refund.position))
    OR (refund.way IN ('card', 'other') AND sums.left < 0)
    OR (refund.way = 'postal'
        AND (ways.account_position BETWEEN 1 AND refund.position OR ways.left > 0))
);

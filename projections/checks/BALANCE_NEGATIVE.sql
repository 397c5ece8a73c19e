-- view = "posting_findings"
--
-- [BALANCE_NEGATIVE]
-- name.en = "Balance below zero"
-- name.cs = "Záporný zůstatek"
-- text.en = "The balance `{detail}` fell to {amount:money}."
-- text.cs = "Zůstatek `{detail}` klesl na {amount}."
-- identity = "named"

SELECT position, account, round, bet, balance AS amount, kind AS detail
FROM
(
    SELECT
        kind, account, position, round, bet,
        sum(if(kind = 'claims', -amount, amount)) OVER
        (
            PARTITION BY kind, account ORDER BY position, posting
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS balance
    FROM postings
    WHERE position < {size:Int64} AND kind IN
        ('wallet', 'reserved', 'in_play', 'withdrawals', 'claims')
)
WHERE balance < 0
ORDER BY position
LIMIT 1 BY kind, account;

-- view = "posting_findings"
--
-- [POSTINGS_UNEVEN]
-- name.en = "Postings that do not sum to zero"
-- name.cs = "Pohyby jedné události nejsou vyrovnané"
-- text.en = "Postings of one event sum to {amount:money}, not to zero."
-- text.cs = "Zápisy jedné události dávají v součtu {amount}, nikoli nulu."

-- The sum of amount times a hash of its position is zero when every position's sum is zero, and
-- otherwise almost never: only where it is not are positions looked at one by one, since grouping a
-- long log by position needs much memory.
SELECT
    position, any(account) AS account, '' AS round, '' AS bet, sum(postings.amount) AS amount,
    '' AS detail
FROM postings
WHERE position < {size:Int64}
    AND (
        SELECT sum(toUInt64(amount) * sipHash64(position)) != 0
        FROM postings
        WHERE position < {size:Int64}
    )
GROUP BY position
HAVING amount != 0;

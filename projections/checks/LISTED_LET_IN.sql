-- view = "entry_findings"
--
-- [LISTED_LET_IN]
-- name.en = "Person in the register let in"
-- name.cs = "Osoba zapsaná v rejstříku byla vpuštěna"
-- text.en = "A person listed in the register was let in at the {detail:phrase}."
-- text.cs = "Osoba zapsaná v rejstříku vyloučených osob byla vpuštěna při tomto úkonu: {detail}."

SELECT
    entries.position AS position, entries.account AS account, '' AS round, '' AS bet,
    toInt64(0) AS amount, entries.occasion AS detail
FROM entries
LEFT JOIN checks
    ON entries.account = checks.account AND entries.decision = checks.decision
    AND entries.occasion = checks.occasion
WHERE checks.occasion != '' AND checks.answer = 'listed' AND is_let_in
UNION ALL
SELECT position, '', '', '', 0, 'entrance'
FROM GuestAdmitted
WHERE position < {size:Int64} AND answer = 'listed';

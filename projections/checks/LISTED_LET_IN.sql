-- needs = ["RegisterChecked", "GuestAdmitted"]
-- view = "entry_findings"
--
-- [LISTED_LET_IN]
-- name.en = "Person in the register let in"
-- name.cs = "Osoba zapsaná v rejstříku byla vpuštěna"
-- text.en = "A person listed in the register was let in at the {detail:phrase}."
-- text.cs = "Osoba zapsaná v rejstříku vyloučených osob byla vpuštěna při tomto úkonu: {detail}."
-- phrase = "OCCASION_{}"

SELECT
    position, account, '' AS round, '' AS bet, toInt64(0) AS amount, occasion AS detail
FROM asked_entries
WHERE is_asked AND answer = 'listed' AND is_let_in
UNION ALL
SELECT position, '', '', '', 0, 'entrance'
FROM GuestAdmitted
WHERE position < {size:Int64} AND answer = 'listed';

-- needs = ["LimitSet"]
-- view = "measure_findings"
--
-- [MEASURE_PASSED]
-- name.en = "Self-restricting measure passed"
-- name.cs = "Sázka přesáhla sebeomezující opatření"
-- text.en = "The bet passed self-restricting measure {detail} by {amount:money}."
-- text.cs = "Sázka překročila sebeomezující opatření {detail} o {amount}."
-- identity = "named"

SELECT
    position, account, round, bet, used - allowed AS amount, measure AS detail,
    CAST([] AS Array(String)) AS parts
FROM measures_used
WHERE measure NOT IN ('f', 'g') AND used > allowed;

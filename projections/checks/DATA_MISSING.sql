-- needs = ["AccountOpened"]
-- view = "entry_findings"
--
-- [DATA_MISSING]
-- name.en = "Account without contact data"
-- name.cs = "Konto bez kontaktních údajů"
-- text.en = "The account has no identification or contact data: {detail:names}."
-- text.cs = "Konto nemá identifikační nebo kontaktní údaje: {detail}."

WITH
    changed AS
    (
        SELECT
            account, max(name != '') AS has_name, max(address != '') AS has_address,
            max(email != '') AS has_email
        FROM PersonChanged
        WHERE position < {size:Int64}
        GROUP BY account
    )
SELECT
    opened.position AS position, opened.account AS account, '' AS round, '' AS bet,
    toInt64(0) AS amount,
    arrayStringConcat(arrayFilter(field -> field != '',
    [
        if(opened.name = '' AND changed.has_name = 0, 'name', ''),
        if(opened.address = '' AND changed.has_address = 0, 'address', ''),
        if(opened.email = '' AND changed.has_email = 0, 'email', '')
    ]), ', ') AS detail
FROM AccountOpened AS opened
LEFT JOIN changed ON opened.account = changed.account
WHERE opened.position < {size:Int64} AND detail != '';

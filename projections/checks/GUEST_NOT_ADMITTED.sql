-- needs = ["ChipsSold"]
-- view = "entry_findings"
--
-- [GUEST_NOT_ADMITTED]
-- name.en = "Guest not identified at the entrance"
-- name.cs = "Host neidentifikovaný při vstupu"
-- text.en = "A guest got chips and was not identified at the entrance on that day: {detail}."
-- text.cs = """\
--   Host získal žetony, aniž byl v daném provozním dni při vstupu identifikován: {detail}."""

SELECT position, '' AS account, '' AS round, '' AS bet, amount, guest AS detail
FROM
(
    SELECT sold.position AS position, sold.place AS place, sold.guest AS guest,
        sold.amount AS amount, admitted.position AS admitted_position
    FROM (SELECT position, place, guest, amount, corrects FROM ChipsSold WHERE position < {size:Int64}) AS sold
    ASOF LEFT JOIN
    (
        SELECT place, guest, position FROM GuestAdmitted WHERE position < {size:Int64}
    ) AS admitted
        ON sold.place = admitted.place AND sold.guest = admitted.guest
        AND sold.position > admitted.position
    WHERE sold.guest != '' AND sold.corrects = ''
) AS sale
ASOF LEFT JOIN
(
    SELECT place, position AS closed_position
    FROM OperatingDayClosed
    WHERE position < {size:Int64}
) AS closed ON sale.place = closed.place AND sale.position > closed.closed_position
WHERE admitted_position = 0 OR admitted_position < closed_position;

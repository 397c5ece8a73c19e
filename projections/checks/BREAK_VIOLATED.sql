-- needs = ["BetPlaced", "SeatTaken"]
-- view = "presence_findings"
--
-- [BREAK_VIOLATED]
-- name.en = "Bet taken during a break"
-- name.cs = "Sázka přijatá během přestávky"
-- text.en = """\
--   The bet was taken before the break of continuous play was over, {detail:phrase} of play."""
-- text.cs = "Sázka byla přijata před koncem povinné přestávky, po {detail} nepřetržité hry."
-- phrase = "AFTER_MINUTES"

SELECT
    position, account, round, bet, stake AS amount,
    concat('after ', parts[1], ' minutes') AS detail,
    [toString(intDiv(length, 60000000))] AS parts
FROM break_violations(size = {size:Int64}, account = '');

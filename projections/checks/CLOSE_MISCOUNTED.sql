-- view = "round_findings"
-- reads = []
--
-- [CLOSE_MISCOUNTED]
-- name.en = "Bets miscounted at the close"
-- name.cs = "Konec sázek uvádí jiné sázky, než byly uzavřeny"
-- text.en = """\
--   The close names other bets than were concluded: {detail:phrase}, {amount:money} too much."""
-- text.cs = "Konec sázek uvádí jiné sázky, než byly uzavřeny: {detail}, o {amount} více."
-- identity = "moving"
-- phrase = "BETS_OF_CLOSE"

WITH
    concluded AS
    (
        SELECT round, position, amount
        FROM BetConcluded
        WHERE position < {size:Int64}
    ),
    counted AS
    (
        SELECT
            round.round AS round,
            any(round.closed_position) AS position,
            any(round.closed_bets) AS bets_closed,
            any(round.closed_stakes) AS stakes_closed,
            countIf(concluded.position > round.closed_position
                AND concluded.position < round.closed_end) AS bets,
            sumIf(concluded.amount, concluded.position > round.closed_position
                AND concluded.position < round.closed_end) AS stakes
        FROM rounds(size = {size:Int64}) AS round
        LEFT JOIN concluded ON round.round = concluded.round
        WHERE round.closed > 0
        GROUP BY round
    )
SELECT
    position, '' AS account, round, '' AS bet, stakes_closed - stakes AS amount,
    arrayStringConcat(parts, ' bets against ') AS detail,
    [toString(bets_closed), toString(bets)] AS parts
FROM counted
WHERE bets_closed != bets OR stakes_closed != stakes;

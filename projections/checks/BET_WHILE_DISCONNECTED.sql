-- needs = ["PlayerDisconnected"]
-- view = "presence_findings"
--
-- [BET_WHILE_DISCONNECTED]
-- name.en = "Bet of a disconnected participant"
-- name.cs = "Sázka odpojeného účastníka"
-- text.en = """\
--   Chips of {amount:money} became a bet at the close although the participant had been \
--   disconnected before it: they go back."""
-- text.cs = """\
--   Žetony za {amount} se staly sázkou při konci sázek, přestože byl účastník předtím odpojen: \
--   mají se vrátit."""
-- paragraph = "SAZKA 14(2)"

WITH
    presence AS
    (
        SELECT account, table, position, true AS is_gone
        FROM PlayerDisconnected WHERE position < {size:Int64}
        UNION ALL
        SELECT account, table, position, false
        FROM PlayerReconnected WHERE position < {size:Int64}
        UNION ALL
        SELECT account, table, position, false FROM SeatTaken WHERE position < {size:Int64}
    ),
    concluded AS
    (
        SELECT
            taken.position AS position, taken.account AS account, taken.round AS round,
            taken.bet AS bet, taken.amount AS amount, taken.table AS table,
            closed.closed_position AS closed_position
        FROM BetConcluded AS taken
        INNER JOIN rounds(size = {size:Int64}) AS closed ON taken.round = closed.round
        WHERE closed.closed > 0 AND taken.position < {size:Int64}
            AND (taken.account, taken.table) IN (SELECT account, table FROM PlayerDisconnected)
    ),
    placed AS
    (
        SELECT account, bet, min(fact.position) AS position
        FROM BetPlaced AS fact
        WHERE fact.position < {size:Int64} AND bet IN (SELECT bet FROM concluded)
        GROUP BY account, bet
    )
SELECT
    concluded.position AS position, concluded.account AS account, concluded.round AS round,
    concluded.bet AS bet, concluded.amount AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM concluded
ASOF INNER JOIN presence
    ON concluded.account = presence.account AND concluded.table = presence.table
    AND concluded.closed_position > presence.position
INNER JOIN placed ON concluded.account = placed.account AND concluded.bet = placed.bet
WHERE presence.is_gone AND placed.position < concluded.closed_position;

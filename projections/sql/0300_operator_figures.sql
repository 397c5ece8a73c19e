-- The figures of the operator's rules that other views ask for.
-- Source: OperatorRulesPublished. Key: since, one row for each publication. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Lengths are microseconds, money is haléř. Rules judge the play from their publication on; the first
-- ones also what was recorded before them. A figure beyond the bounds of its unit
-- (ledger.rules.law.UNIT_BOUNDS) counts as the nearest one within them. chain is the same in all
-- rows, for an ASOF join by since.

CREATE VIEW IF NOT EXISTS operator_figures
(
    chain UInt8 COMMENT 'the same in all rows',
    since Int64 COMMENT 'position from which on the rules are in force; 0 for the first ones',
    longest_play Int64 COMMENT 'continuous play that asks for a break, in microseconds',
    break_length Int64 COMMENT 'length of the break, in microseconds',
    panic_block Int64 COMMENT 'least length of a block by the panic button, in microseconds',
    cash_most Int64 COMMENT 'most cash of 24 hours, haléř',
    credited_within Int64 COMMENT 'longest time from a result to the credit of a win, in microseconds'
)
COMMENT 'Figures that the rules of the chain\'s operator fix.'
AS
WITH (name, most) ->
    toInt64(least(greatest(JSONExtractFloat(figures, name, 'value'), 0), most)) AS bounded
SELECT
    1 AS chain,
    if(position = min(position) OVER (), 0, position) AS since,
    bounded('play_minutes', 527040) * 60000000 AS longest_play,
    bounded('break_minutes', 527040) * 60000000 AS break_length,
    bounded('panic_hours', 8784) * 3600000000 AS panic_block,
    bounded('cash_haler', 1e13) AS cash_most,
    bounded('credited_minutes', 527040) * 60000000 AS credited_within
FROM
(
    SELECT position, JSONExtractRaw(rules, 'figures') AS figures
    FROM OperatorRulesPublished
);

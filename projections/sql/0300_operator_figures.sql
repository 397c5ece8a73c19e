-- The figures of the operator's rules that other views ask for.
-- Source: OperatorRulesPublished. Key: none, one row. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Lengths are microseconds, money is haléř. The last rules published count, for earlier play as well.

CREATE VIEW IF NOT EXISTS operator_figures
(
    longest_play Int64 COMMENT 'continuous play that asks for a break, in microseconds',
    break_length Int64 COMMENT 'length of the break, in microseconds',
    panic_block Int64 COMMENT 'least length of a block by the panic button, in microseconds',
    cash_most Int64 COMMENT 'most cash of 24 hours, haléř',
    credited_within Int64 COMMENT 'longest time from a result to the credit of a win, in microseconds'
)
COMMENT 'Figures that the rules of the chain\'s operator fix.'
AS
SELECT
    JSONExtractInt(figures, 'play_minutes', 'value') * 60000000 AS longest_play,
    JSONExtractInt(figures, 'break_minutes', 'value') * 60000000 AS break_length,
    JSONExtractInt(figures, 'panic_hours', 'value') * 3600000000 AS panic_block,
    JSONExtractInt(figures, 'cash_haler', 'value') AS cash_most,
    JSONExtractInt(figures, 'credited_minutes', 'value') * 60000000 AS credited_within
FROM
(
    SELECT JSONExtractRaw(argMax(rules, position), 'figures') AS figures
    FROM OperatorRulesPublished
);

-- The figures of the chain's operator that the views ask for. Generated from
-- ledger/rules/operators/: do not edit. Source: ChainOpened. Key: none, one row. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Lengths are microseconds, money is haléř. "*" is every operator without rules of its own.

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
    transform(operator, ['26493993'], CAST([7200000000], 'Array(Int64)'), toInt64(7200000000)) AS longest_play,
    transform(operator, ['26493993'], CAST([900000000], 'Array(Int64)'), toInt64(900000000)) AS break_length,
    transform(operator, ['26493993'], CAST([172800000000], 'Array(Int64)'), toInt64(172800000000)) AS panic_block,
    transform(operator, ['26493993'], CAST([1000000], 'Array(Int64)'), toInt64(1000000)) AS cash_most,
    transform(operator, ['26493993'], CAST([3600000000], 'Array(Int64)'), toInt64(3600000000)) AS credited_within
FROM
(
    SELECT any(operator) AS operator FROM ChainOpened
);

-- Who reports: the operator of the chain. One row.
-- Source: ChainOpened.
SELECT
    operator AS IDProvozovatel,
    operator_name AS ProvozovatelNazev,
    position,
    [position] AS positions
FROM ChainOpened
WHERE position = 0

-- Statements of banks, payment providers and game providers, and which of them count.
-- Source: StatementImported. Key: statement. Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). A statement counts while superseded_position is 0; its
-- neighbour is the one that counts and ends last before it begins, of the same issuer.

CREATE VIEW IF NOT EXISTS statements
(
    statement String COMMENT 'statement',
    issuer String COMMENT 'issuer: bank account, payment provider or game provider',
    issuer_kind String COMMENT 'BANK, PAYMENTS or GAMES',
    format String COMMENT 'camt.053, mt940, gpc, csv, jsonl or xlsx',
    number String COMMENT 'number or name that the issuer gave it',
    currency String COMMENT 'currency of all amounts, ISO 4217',
    covers Array(String) COMMENT 'scope of the issuer: payment classes, methods or systems; for games: tables or games',
    first_day Date COMMENT 'first day of the period in Prague',
    last_day Date COMMENT 'last day of the period in Prague',
    opening Nullable(Int64) COMMENT 'balance before its first line, if stated',
    closing Nullable(Int64) COMMENT 'balance after its last line, if stated',
    lines Int64 COMMENT 'number of its lines',
    incoming Int64 COMMENT 'sum received by all lines',
    outgoing Int64 COMMENT 'sum paid out by all lines',
    fees Int64 COMMENT 'fees withheld from all lines',
    stakes Int64 COMMENT 'stakes of all lines',
    paid Int64 COMMENT 'paid to players by all lines',
    file String COMMENT 'name of the file',
    file_digest String COMMENT 'SHA-256 of the file, hexadecimal',
    position Int64 COMMENT 'position of the import',
    imported_at Int64 COMMENT 'moment of the import',
    supersedes Array(String) COMMENT 'statements that no longer count because of this one',
    reason String COMMENT 'why it supersedes them',
    superseded_position Int64 COMMENT 'position of the import that superseded it; 0 while it counts',
    gap_days Int64 COMMENT 'days between its neighbour and its first day; 0 for none',
    opens_at_closing UInt8 COMMENT '0 where it begins the day after its neighbour with another balance than that ended with'
)
COMMENT 'Statements of banks, payment providers and game providers that were imported.'
AS
WITH
    gone AS
    (
        SELECT arrayJoin(supersedes) AS statement, min(position) AS superseded_position
        FROM StatementImported
        WHERE position < {size:Int64}
        GROUP BY statement
    ),
    imported AS
    (
        SELECT
            statement, issuer, toDateOrZero(first_day) AS from_day, toDateOrZero(last_day) AS until_day,
            opening, closing, position, superseded_position
        FROM StatementImported
        LEFT JOIN gone USING (statement)
        WHERE position < {size:Int64}
    ),
    neighbours AS
    (
        SELECT
            statement,
            lagInFrame(until_day, 1, from_day - 1) OVER before AS until_before,
            lagInFrame(closing, 1, opening) OVER before AS closing_before,
            greatest(from_day - until_before - 1, 0) AS gap_days,
            gap_days > 0 OR ifNull(closing_before = opening, 1) AS opens_at_closing
        FROM imported
        WHERE superseded_position = 0
        WINDOW before AS
            (PARTITION BY issuer ORDER BY from_day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
    )
SELECT
    facts.statement AS statement, facts.issuer AS issuer, facts.issuer_kind AS issuer_kind,
    facts.format AS format, facts.number AS number, facts.currency AS currency,
    facts.covers AS covers, imported.from_day AS first_day, imported.until_day AS last_day,
    facts.opening AS opening, facts.closing AS closing, facts.lines AS lines,
    facts.incoming AS incoming, facts.outgoing AS outgoing, facts.fees AS fees,
    facts.stakes AS stakes, facts.paid AS paid, facts.file AS file,
    facts.file_digest AS file_digest, facts.position AS position,
    facts.recorded_at AS imported_at, facts.supersedes AS supersedes, facts.reason AS reason,
    imported.superseded_position AS superseded_position, neighbours.gap_days AS gap_days,
    if(superseded_position = 0, neighbours.opens_at_closing, 1) AS opens_at_closing
FROM StatementImported AS facts
INNER JOIN imported ON facts.statement = imported.statement
LEFT JOIN neighbours ON facts.statement = neighbours.statement
WHERE facts.position < {size:Int64};

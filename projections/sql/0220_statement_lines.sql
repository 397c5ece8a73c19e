-- Lines of the statements of banks, payment providers and game providers.
-- Source: StatementLinesRecorded. Key: statement, line. Ordering: issuer, statement, line.
-- Idempotence: rows above the watermark are deleted before the projector goes on. Where arrays of
-- an event have different lengths, places gives the number of lines.
--
-- A line counts once its statement is imported and while it is not superseded: the view statements.

CREATE TABLE IF NOT EXISTS statement_lines
(
    position Int64 COMMENT 'place of the event in the chain',
    statement String COMMENT 'statement',
    line Int64 COMMENT 'number of the line in its statement, from 1',
    place Int64 COMMENT 'line or row of the file',
    issuer LowCardinality(String) COMMENT 'issuer: bank account, payment provider or game provider',
    issuer_kind LowCardinality(String) COMMENT 'BANK, PAYMENTS or GAMES',
    kind LowCardinality(String) COMMENT 'payment, fee, interest, chargeback, reversal, settlement or other; of games bet, round or total',
    amount Int64 COMMENT 'what came to us, below zero what left us, hundredths of the currency; 0 of games',
    fee Int64 COMMENT 'fee withheld from the amount',
    stake Int64 COMMENT 'stake of a bet, round or total',
    paid Int64 COMMENT 'paid to players of a bet, round or total',
    currency LowCardinality(String) COMMENT 'currency, ISO 4217',
    booked_on Date COMMENT 'day of booking in Prague',
    valued_on Date COMMENT 'value date; 1970-01-01 for none',
    occurred_at Int64 COMMENT 'moment that the file gives; 0 where it has days only',
    reference String COMMENT 'our reference: deposit, withdrawal; empty: none, as in all following fields',
    end_to_end String COMMENT 'keyed digest of the end-to-end identifier of the payment',
    variable_symbol String COMMENT 'keyed digest of the variable symbol without leading zeros',
    padded_symbol String COMMENT 'keyed digest of the variable symbol, filled up to ten digits',
    their_reference String COMMENT 'identifier of the line with its issuer',
    settlement String COMMENT 'batch that is paid out as one',
    batch String COMMENT 'keyed digest of the batch, by which a line of the bank names it',
    round String COMMENT 'round, as the issuer names it',
    bet String COMMENT 'bet, as the issuer names it',
    game String COMMENT 'game, as the issuer names it',
    table String COMMENT 'table, as the issuer names it',
    account String COMMENT 'account, as the issuer names it',
    counterparty String COMMENT 'keyed digest of the account at the other end',
    INDEX above_watermark position TYPE minmax GRANULARITY 4
)
ENGINE = MergeTree
ORDER BY (issuer, statement, line)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What banks, payment providers and game providers say, line by line.';

CREATE MATERIALIZED VIEW IF NOT EXISTS lines_of_statements TO statement_lines AS
SELECT
    position, statement, first_line + number - 1 AS line, place, issuer, issuer_kind, kind, amount,
    fee, stake, line_paid_one AS paid, currency, toDate(booked_day) AS booked_on,
    toDate(valued_day) AS valued_on, moment AS occurred_at, reference, end_to_end,
    variable_symbol, padded_symbol, their_reference, settlement, batch, round, bet, game, table, account, counterparty
FROM StatementLinesRecorded
ARRAY JOIN
    arrayEnumerate(places) AS number,
    places AS place,
    arrayResize(kinds, length(places)) AS kind,
    arrayResize(amounts, length(places)) AS amount,
    arrayResize(line_fees, length(places)) AS fee,
    arrayResize(line_stakes, length(places)) AS stake,
    arrayResize(line_paid, length(places)) AS line_paid_one,
    arrayResize(booked_days, length(places)) AS booked_day,
    arrayResize(valued_days, length(places)) AS valued_day,
    arrayResize(moments, length(places)) AS moment,
    arrayResize(references, length(places)) AS reference,
    arrayResize(ends_to_end, length(places)) AS end_to_end,
    arrayResize(variable_symbols, length(places)) AS variable_symbol,
    arrayResize(padded_symbols, length(places)) AS padded_symbol,
    arrayResize(their_references, length(places)) AS their_reference,
    arrayResize(settlements, length(places)) AS settlement,
    arrayResize(batches, length(places)) AS batch,
    arrayResize(their_rounds, length(places)) AS round,
    arrayResize(their_bets, length(places)) AS bet,
    arrayResize(their_games, length(places)) AS game,
    arrayResize(their_tables, length(places)) AS table,
    arrayResize(their_accounts, length(places)) AS account,
    arrayResize(counterparties, length(places)) AS counterparty;

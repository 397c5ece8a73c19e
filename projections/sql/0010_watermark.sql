-- How far the log is projected: number of messages, hash of the last one, and how many rows the
-- tables with a position held then, so that rows that were lost since are missed.
-- Source: the projector. Ordering: size. Idempotence: written last, after every row of the
-- messages it covers; the row with the greatest size counts, older ones merge away.
-- One set of tables belongs to one chain, so that the key is constant.

CREATE TABLE IF NOT EXISTS watermark
(
    size Int64,
    hash FixedString(32),
    rows UInt64
)
ENGINE = ReplacingMergeTree(size)
ORDER BY tuple()
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Which tables and views were made: a digest of their definitions, as this version of the engine
-- writes them. Source: this folder. One row, written when all are made.

CREATE TABLE IF NOT EXISTS made
(
    engine String,
    tables UInt64
)
ENGINE = MergeTree
ORDER BY engine
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

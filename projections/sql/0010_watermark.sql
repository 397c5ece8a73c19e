-- How far the log is projected: number of messages, hash of the last one, and how many rows the
-- tables with a position held then, so that rows that were lost since are missed.
-- Source: the projector. Ordering: size. Idempotence: written last, after every row of the
-- messages it covers; the row with the greatest size counts, older ones merge away.
-- One set of tables belongs to one chain, so that the key is constant.

CREATE TABLE IF NOT EXISTS watermark
(
    size Int64 COMMENT 'number of messages projected; positions below it are complete',
    hash FixedString(32) COMMENT 'SHA-256 of the last of them',
    recorded_at Int64 COMMENT 'when the last of them was recorded',
    rows UInt64 COMMENT 'rows that the tables with a position held then'
)
ENGINE = ReplacingMergeTree(size)
ORDER BY tuple()
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'How far the log is projected; the row of the greatest size counts.';

-- Which tables and views there were when the watermark was written, each with a digest of its
-- definition, as that version of the engine writes it, so that one that is lost is missed.
-- Source: the engine. Key: name. Ordering: name. Idempotence: a name that is noted is not noted
-- again.

CREATE TABLE IF NOT EXISTS made
(
    version String COMMENT 'version of ClickHouse that wrote the definition',
    name String COMMENT 'name of the table or view',
    definition UInt64 COMMENT 'digest of its definition'
)
ENGINE = MergeTree
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Which tables and views there were.';

-- How far the log is projected: number of messages and hash of the last one.
-- Source: the projector. Ordering: size. Idempotence: written last, after every row of the
-- messages it covers; the row with the greatest size counts, older ones merge away.
-- One set of tables belongs to one chain, so that the key is constant.

CREATE TABLE IF NOT EXISTS watermark
(
    size Int64,
    hash FixedString(32)
)
ENGINE = ReplacingMergeTree(size)
ORDER BY tuple()
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- One table per event type. Generated from schemas/: do not edit.
-- Source: the log. Key and ordering: position. Idempotence: rows above the watermark
-- are deleted before the projector goes on.

CREATE TABLE IF NOT EXISTS AccountClosed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    ground String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS AccountModeChanged
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    regime String,
    internet Bool,
    land_based Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS AccountOpened
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    person String,
    regime String,
    internet Bool,
    land_based Bool,
    plan_version String,
    earlier_account String,
    name String,
    birth_date String,
    address String,
    email String,
    document String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS AccountRestored
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    case String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS AccountStatement
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    gaming_day String,
    opening Int64,
    deposits Int64,
    withdrawals Int64,
    fees Int64,
    stakes Int64,
    winnings Int64,
    corrections Int64,
    closing Int64,
    reserved Int64,
    in_play Int64,
    state_version Int32,
    state String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BalanceReturned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    amount Int64,
    method String,
    way String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BallLanded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    number Int32,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetConcluded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    table String,
    amount Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetCorrected
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    difference Int64,
    cause String,
    claimed Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetPlaced
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    table String,
    box String,
    bet_code String,
    selection String,
    wording String,
    stake Int64,
    parent String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetRefused
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    table String,
    bet_code String,
    selection String,
    stake Int64,
    code String,
    sentence String,
    paragraph String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetReturned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    amount Int64,
    cause String,
    paragraph String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetSettled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    result String,
    stake Int64,
    due Int64,
    paid Int64,
    rule String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetVoided
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    amount Int64,
    ground String,
    paragraph String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetWithdrawn
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    amount Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BetsClosed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    bets Int32,
    stakes Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS BreakImposed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    sequence_started_at Int64,
    last_evaluated_at Int64,
    until Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CancellationConfirmed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    notice String,
    objections_until Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CancellationRequested
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    by String,
    ground String,
    explanation String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CancellationWithdrawn
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CardDealt
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    shoe String,
    `index` Int32,
    recipient String,
    face_up Bool,
    card String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CardRecordCorrected
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    `index` Int32,
    recorded String,
    actual String,
    by String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CardRevealed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    `index` Int32,
    card String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CasinoOpened
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    place String,
    name String,
    kind String,
    address String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ChainOpened
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    operator String,
    operator_name String,
    chain String,
    format_version Int32,
    hash_algorithm String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CheckpointSigned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    size Int64,
    head String,
    key_id String,
    signature String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ClaimSettled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    amount Int64,
    way String,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CommandRefused
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    command String,
    account String,
    round String,
    table String,
    code String,
    sentence String,
    paragraph String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ComplaintDecided
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    case String,
    upheld Bool,
    explanation String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ComplaintFiled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    case String,
    round String,
    grounds String,
    rounds Array(String),
    bets Array(String),
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ConfirmationReceived
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    series String,
    version Int32,
    confirmation String,
    verdict String,
    file_digest String,
    files Array(String),
    keys Array(String),
    columns Array(String),
    codes Array(String),
    messages Array(String)
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ContradictionRecorded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    about String,
    code String,
    sentence String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS CorrectionRequested
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    series String,
    version Int32,
    kind String,
    request String,
    explanation String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DCBEventRecorded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    event_type String,
    tags Array(String),
    data String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DealAgreed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    accounts Array(String),
    shares Array(Int64),
    playout_percent String,
    playout Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DealerSeated
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    dealer String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DepositCredited
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    deposit String,
    amount Int64,
    method String,
    method_class String,
    document_shown Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DepositRefused
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    deposit String,
    amount Int64,
    method String,
    method_class String,
    code String,
    sentence String,
    paragraph String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DepositReturned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    deposit String,
    amount Int64,
    method String,
    method_class String,
    credited Bool,
    reason String,
    claimed Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS DeviceAssigned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    device String,
    kind String,
    serial String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ExclusionEnded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    ground String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ExclusionImposed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    ground String,
    until Nullable(Int64)
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS FeeCharged
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    fee String,
    amount Int64,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS FeeReturned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    fee String,
    amount Int64,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS GameLaunched
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    game String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS GameListed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    game String,
    name String,
    category String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS GameResumed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    game String,
    cause String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS GameSuspended
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    game String,
    cause String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS GameWithdrawn
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    game String,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS HandAction
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    bet String,
    account String,
    street String,
    action String,
    amount Int64,
    total Int64,
    in_hand Int64,
    all_in Bool,
    by String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS HandStarted
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    game String,
    plan_version String,
    accounts Array(String),
    button String,
    small_blind_of String,
    big_blind_of String,
    small_blind Int64,
    big_blind Int64,
    ante Int64,
    fee String,
    time_fee Int64,
    point_value Int64,
    value_pairs Array(String),
    pair_values Array(Int64),
    stop_loss_of Array(String),
    stop_losses Array(Int64),
    in_fantasyland Array(String),
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS HandsSet
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    account String,
    front Array(String),
    middle Array(String),
    back Array(String),
    discards Array(String),
    foul Bool,
    royalties Int32,
    fantasyland Int32,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LimitDeclined
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    measure String,
    previous Nullable(Int64),
    effective_at Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LimitSet
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    measure String,
    value Int64,
    previous Nullable(Int64),
    change String,
    effective_at Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LoggedIn
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    session String,
    account String,
    mode String,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LoggedOut
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    session String,
    account String,
    cause String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LoginRefused
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    code String,
    sentence String,
    paragraph String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LongExclusionOffered
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    answer String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS LongExclusionRequested
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    forwarded Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS MisdealDeclared
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    ground String,
    paragraph String,
    acted Int32,
    accounts Array(String),
    bets Array(String),
    amounts Array(Int64),
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ObjectionConfirmed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    case String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ObjectionDecided
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    case String,
    upheld Bool,
    explanation String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ObjectionFiled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    case String,
    grounds String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PackageBuilt
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    series String,
    version Int32,
    known_at Int64,
    cause String,
    files Array(String),
    rows Array(Int64),
    digests Array(String),
    digest String,
    settings String,
    software_version String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PackagePublished
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    series String,
    version Int32,
    digest String,
    file String,
    file_digest String,
    size Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PanicButtonPressed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    until Int64,
    channel String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PanicButtonReported
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    acknowledged Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PaymentMethodRegistered
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    method String,
    method_class String,
    masked String,
    country String,
    verified_how String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PersonChanged
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    person String,
    name String,
    address String,
    email String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PersonErased
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    person String,
    account String,
    fields Array(String)
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PersonVerified
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    what String,
    how String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PlayerDecided
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    account String,
    box String,
    hand String,
    decision String,
    by String,
    street String,
    times Int32,
    free Bool,
    stake Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PlayerDisconnected
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    round String,
    table String,
    phase String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PlayerEliminated
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    round String,
    accounts Array(String),
    place Int32,
    left Int32,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PlayerReconnected
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    round String,
    table String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PointsSettled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    accounts Array(String),
    bets Array(String),
    stakes Array(Int64),
    due Array(Int64),
    paid Array(Int64),
    pairs Array(String),
    points Array(Int64),
    amounts Array(Int64),
    fouled Array(String),
    rule String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PotAwarded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    pot Int32,
    amount Int64,
    rake Int64,
    eligible Array(String),
    winners Array(String),
    accounts Array(String),
    bets Array(String),
    stakes Array(Int64),
    due Array(Int64),
    paid Array(Int64),
    rule String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PrizePoolFixed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    entries Int32,
    players Int32,
    column String,
    money_pool Int64,
    fee Int64,
    top_up Int64,
    prize_pool Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS PrizeWithheld
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    amount Int64,
    collected Int64,
    paragraph String,
    cause String,
    claimed Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RakeTaken
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    amount Int64,
    due Int64,
    cap Int64,
    pot Int64,
    players Int32,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RateFixed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    currency String,
    rate Int64,
    day String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RegisterChecked
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    occasion String,
    answer String,
    live Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RegistrationRefused
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    person String,
    code String,
    sentence String,
    paragraph String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RoundOpened
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    game String,
    plan_version String,
    dealer String,
    shoe String,
    streamed Bool,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RoundReconstructed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    how String,
    by String,
    succeeded Bool,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RoundResulted
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    outcome String,
    wording String,
    streamed Bool,
    accounts Array(String),
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RoundVoided
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    ground String,
    paragraph String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS RulesPublished
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    game String,
    plan_version String,
    effective_from Int64,
    document_digest String,
    rules String,
    pay_table String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS SchemaPublished
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    name String,
    version Int32,
    fingerprint String,
    schema String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS SeatLeft
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    table String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS SeatTaken
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    table String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS ShoeLoaded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    shoe String,
    table String,
    decks Int32,
    shuffle_method String,
    cut Int32
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS SigningKeyAdded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    key_id String,
    public_key String,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS SigningKeyRevoked
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    key_id String,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS SpinDeclaredInvalid
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    cause String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TableClosed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TableLimitsSet
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    bet_codes Array(String),
    minimums Array(Int64),
    maximums Array(Int64),
    round_maximum Int64,
    effective_from Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TableOpened
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    registration String,
    game String,
    place String,
    streamed Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TableResumed
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    cause String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TableSuspended
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    cause String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TimeCollectionTaken
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    table String,
    account String,
    amount Int64,
    period_from Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentAnnounced
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    game String,
    plan_version String,
    name String,
    format String,
    structure String,
    limit String,
    fee_percent String,
    currency String,
    guarantee Int64,
    buy_in Int64,
    rebuy Int64,
    addon Int64,
    starting_stack Int64,
    deal_conditions String,
    starts_at Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentCancelled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    cause String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentEnded
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    accounts Array(String),
    stakes Array(Int64),
    fee Int64,
    top_up Int64,
    prize_pool Int64,
    outcome String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentEntryPaid
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    entry String,
    account String,
    kind String,
    amount Int64
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentEntryReturned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    entry String,
    account String,
    amount Int64,
    cause String,
    paragraph String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentPrizePaid
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    entry String,
    account String,
    place Int32,
    due Int64,
    paid Int64,
    rule String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS TournamentStarted
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    tournament String,
    entries Int32
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS UncalledReturned
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    table String,
    tournament String,
    bet String,
    account String,
    amount Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WheelSpun
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    wheel_direction String,
    ball_direction String,
    revolutions Int32,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WheelStopped
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    round String,
    field String,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WinCorrected
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    bet String,
    account String,
    round String,
    difference Int64,
    cause String,
    claimed Int64,
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WithdrawalCancelled
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    withdrawal String,
    amount Int64,
    reason String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WithdrawalPaid
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    withdrawal String,
    amount Int64,
    method String,
    method_class String,
    document_shown Bool
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WithdrawalRefused
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    withdrawal String,
    amount Int64,
    method String,
    method_class String,
    code String,
    sentence String,
    paragraph String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WithdrawalRequested
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    account String,
    withdrawal String,
    amount Int64,
    method String,
    method_class String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

CREATE TABLE IF NOT EXISTS WriterStarted
(
    previous_hash FixedString(32),
    command_id FixedString(16),
    command_digest FixedString(16),
    position Int64,
    decision_index Int32,
    decision_size Int32,
    recorded_at Int64,
    occurred_at Int64,
    actor String,
    source String,
    writer String,
    epoch Int64,
    software_version String
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728;

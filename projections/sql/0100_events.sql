-- One table per event type. Generated from schemas/: do not edit.
-- Source: the log. Key and ordering: position. Idempotence: rows above the watermark
-- are deleted before the projector goes on.

CREATE TABLE IF NOT EXISTS AccessHeadRecorded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    chain String COMMENT 'name of the chain of accesses',
    size Int64 COMMENT 'number of its messages',
    root String COMMENT 'root of the tree over these messages (RFC 6962)'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The chain of accesses had this size and its tree this root.';

CREATE TABLE IF NOT EXISTS AccessRecorded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    scope String COMMENT 'right under which it was given',
    question String COMMENT 'method and address, such as GET /api/rounds/{round}',
    parameters String COMMENT 'what was asked, as JSON',
    purpose String COMMENT 'what for, where the reader said it; empty otherwise',
    account String COMMENT 'account that was asked for; empty: none in particular',
    round String COMMENT 'round that was asked for; empty: none in particular',
    size Int64 COMMENT 'messages of the chain that the answer rests on',
    head String COMMENT 'hash of the last of them, hexadecimal',
    rows Nullable(Int64) COMMENT 'rows given; missing: they were not counted',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader was given an answer, or was about to be.';

CREATE TABLE IF NOT EXISTS AccessRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service; empty: nobody who is let in',
    scope String COMMENT 'right that was lacking; empty: another reason',
    question String COMMENT 'method and address, such as GET /api/rounds/{round}',
    why String COMMENT 'scope, token, certificate or form: what was lacking or wrong',
    attempts Int32 COMMENT 'how many such attempts, this one with those before that have no record of their own'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader, or somebody who is none, was refused an answer.';

CREATE TABLE IF NOT EXISTS AccountCashIn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage or tournament',
    station String COMMENT 'cage or tournament',
    station_kind String COMMENT 'what the station is: cage or tournament',
    account String COMMENT 'account',
    slip String COMMENT 'deposit of the account',
    purpose String COMMENT 'account, tournament_entry or fee',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Cash was taken at a desk of the casino for an account.';

CREATE TABLE IF NOT EXISTS AccountCashOut
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    account String COMMENT 'account',
    slip String COMMENT 'withdrawal of the account',
    purpose String COMMENT 'account, tournament_prize, tournament_return or fee_return',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Cash was paid at a cage out of an account.';

CREATE TABLE IF NOT EXISTS AccountClosed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    ground String COMMENT 'paragraph of the ground'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The account was cancelled.';

CREATE TABLE IF NOT EXISTS AccountModeChanged
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    regime String COMMENT 'temporary or permanent',
    internet Bool COMMENT 'takes part in games over the internet',
    land_based Bool COMMENT 'takes part in games outside the internet'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What an account may do changed.';

CREATE TABLE IF NOT EXISTS AccountOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    person String COMMENT 'keyed digest of the identity, one per person',
    regime String COMMENT 'temporary or permanent',
    internet Bool COMMENT 'takes part in games over the internet',
    land_based Bool COMMENT 'takes part in games outside the internet',
    plan_version String COMMENT 'version of the game plan that was accepted (SAZKA 8(13))',
    earlier_account String COMMENT 'account of the same person closed in the 7 calendar days before, whose measures bind (ZHH 14a); empty: none',
    name String COMMENT 'name',
    birth_date String COMMENT 'date of birth',
    address String COMMENT 'address',
    email String COMMENT 'electronic mail address',
    document String COMMENT 'number of the identity document'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A user account (uživatelské konto).';

CREATE TABLE IF NOT EXISTS AccountRestored
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    case String COMMENT 'case'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An objection was upheld: the account is as before.';

CREATE TABLE IF NOT EXISTS AccountStatement
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    gaming_day String COMMENT 'calendar day in Prague, year-month-day',
    opening Int64 COMMENT 'money at the statement before: wallet and reserved chips',
    deposits Int64 COMMENT 'deposits credited less deposits returned',
    withdrawals Int64 COMMENT 'money set aside for withdrawals, less what was cancelled, and balances returned',
    fees Int64 COMMENT 'fees charged less fees returned',
    stakes Int64 COMMENT 'stakes of concluded bets less stakes returned by voids',
    winnings Int64 COMMENT 'payments on settled bets',
    corrections Int64 COMMENT 'corrections and prizes taken back, signed from the wallet\'s side',
    closing Int64 COMMENT 'money at this statement: wallet and reserved chips',
    reserved Int64 COMMENT 'part of it in chips on betting positions, not yet a bet',
    in_play Int64 COMMENT 'stakes of concluded bets without settlement',
    state_version Int32 COMMENT 'version of the state that follows',
    state String COMMENT 'what later decisions need to know of the account, as JSON'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The books of an account are closed: for a gaming day, or within it after a thousand events.';

CREATE TABLE IF NOT EXISTS BalanceReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or postal',
    way String COMMENT 'account, card, other or postal'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Money of an account that is being closed went back to the participant.';

CREATE TABLE IF NOT EXISTS BallLanded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    number Int32 COMMENT 'pocket',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The ball came to rest.';

CREATE TABLE IF NOT EXISTS BetConcluded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    amount Int64 COMMENT 'stake',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The record of a bet (záznam sázky): the reserved money is debited.';

CREATE TABLE IF NOT EXISTS BetCorrected
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    difference Int64 COMMENT 'change of the stake, signed; positive is a higher stake',
    cause String COMMENT 'why',
    claimed Int64 COMMENT 'part that the wallet did not hold; a claim of the operator',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The stake of a settled bet was corrected.';

CREATE TABLE IF NOT EXISTS BetImprisoned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    chip Int64 COMMENT 'value of the chip in prison',
    paragraph String COMMENT 'rule of the game plan',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Zero fell: half of the chips was lost, and the odd one waits for the next valid spin.';

CREATE TABLE IF NOT EXISTS BetPlaced
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    box String COMMENT 'box, or empty',
    bet_code String COMMENT 'bet code of the game plan',
    selection String COMMENT 'selection as JSON, or empty',
    wording String COMMENT 'selection in words',
    stake Int64 COMMENT 'stake',
    parent String COMMENT 'bet that this one raises, or empty',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips lie on a betting position; the money is reserved, a bet it is at the close.';

CREATE TABLE IF NOT EXISTS BetRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    bet_code String COMMENT 'bet code',
    selection String COMMENT 'selection as JSON, or empty',
    stake Int64 COMMENT 'stake',
    code String COMMENT 'stable code of the refusal',
    sentence String COMMENT 'the refusal in words',
    paragraph String COMMENT 'rule that asks for it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips were not accepted.';

CREATE TABLE IF NOT EXISTS BetReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    amount Int64 COMMENT 'stake that is free again',
    cause String COMMENT 'disconnected, left, panic, exclusion, cancellation or voided',
    paragraph String COMMENT 'rule that asks for it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips given back before they became a bet.';

CREATE TABLE IF NOT EXISTS BetSettled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    result String COMMENT 'win, lose, push or void',
    stake Int64 COMMENT 'stake of the bet',
    due Int64 COMMENT 'payment due by the game plan, stake included',
    paid Int64 COMMENT 'payment made, stake included',
    rule String COMMENT 'paragraph that decided it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A bet was evaluated; also recorded for a loss, with 0.';

CREATE TABLE IF NOT EXISTS BetVoided
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    amount Int64 COMMENT 'stake returned',
    ground String COMMENT 'ground',
    paragraph String COMMENT 'rule that asks for it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A concluded bet does not count; its stake goes back.';

CREATE TABLE IF NOT EXISTS BetWithdrawn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    amount Int64 COMMENT 'stake that is free again',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips taken back before the close ("Zpět").';

CREATE TABLE IF NOT EXISTS BetsClosed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    bets Int32 COMMENT 'number of bets concluded',
    stakes Int64 COMMENT 'their sum',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'No more bets. The records of the concluded bets follow in the same decision.';

CREATE TABLE IF NOT EXISTS BonusAnnounced
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bonus String COMMENT 'name of the bonus',
    kind String COMMENT 'deposit, bet, login, competition or other: what it is given for',
    terms String COMMENT 'the terms in words',
    effective_from Int64 COMMENT 'from when on it may be given',
    stake_day_max Nullable(Int64) COMMENT 'most that a participant may stake a day for a competition; missing: no competition'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Terms of a bonus were made known.';

CREATE TABLE IF NOT EXISTS BonusGranted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    bonus String COMMENT 'name of the bonus',
    amount Int64 COMMENT 'what it is worth'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A bonus was given to a participant; the platform keeps it, it is no money of the wallet.';

CREATE TABLE IF NOT EXISTS BoxOwned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    account String COMMENT 'account',
    box String COMMENT 'box',
    absent String COMMENT 'owner of the seat in whose absence the account decides, or empty',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Somebody decides on a box with several players in a round.';

CREATE TABLE IF NOT EXISTS BoxTaken
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    table String COMMENT 'table',
    box String COMMENT 'box'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A seated player took a box as the seat\'s owner.';

CREATE TABLE IF NOT EXISTS BreakImposed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    sequence_started_at Int64 COMMENT 'placement of the first bet of the sequence',
    last_evaluated_at Int64 COMMENT 'evaluation of the last round of the sequence',
    until Int64 COMMENT 'first moment at which a bet is accepted again'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Continuous play reached 120 minutes: no bets until the break is over.';

CREATE TABLE IF NOT EXISTS CageCounted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    stage String COMMENT 'opening or closing',
    means String COMMENT 'cash, chips or tronc',
    till String COMMENT 'what was counted: cage: and the name, or tronc: and the casino',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'counted, hundredths of the currency',
    expected Int64 COMMENT 'what the books said before, hundredths of the currency',
    denominations Array(Int64) COMMENT 'values counted one by one, hundredths of the currency; empty where only the sum is told',
    pieces Array(Int64) COMMENT 'how many of each value',
    against String COMMENT 'where the difference is booked: stock at the first count ever, differences, or guests (what play brought or cost)',
    counted_by String COMMENT 'who counted'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The cash or chips of a cage, or the tronc, were counted.';

CREATE TABLE IF NOT EXISTS CageFunded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Cash kept apart until then came into a cage.';

CREATE TABLE IF NOT EXISTS CageOtherIn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference',
    reason String COMMENT 'from what'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Cash came into a cage from other movements of money or chips.';

CREATE TABLE IF NOT EXISTS CageWithdrawn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Cash was taken away from a cage, to be kept apart.';

CREATE TABLE IF NOT EXISTS CancellationConfirmed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    notice String COMMENT 'what was sent and how',
    objections_until Int64 COMMENT 'end of the 15 days for objections'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Notice or receipt was sent to the participant.';

CREATE TABLE IF NOT EXISTS CancellationRequested
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    by String COMMENT 'participant or operator',
    ground String COMMENT 'paragraph of the ground, such as 12(4)',
    explanation String COMMENT 'the ground in words'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The cancellation of an account began.';

CREATE TABLE IF NOT EXISTS CancellationWithdrawn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The participant took the own request back.';

CREATE TABLE IF NOT EXISTS CardDealt
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    shoe String COMMENT 'shoe',
    `index` Int32 COMMENT 'running number in the round, from 0',
    recipient String COMMENT 'dealer, board, burn, player, banker, a hand such as 1 or 1.2, shared or shared.1 for a box of all, an account in a hand among players',
    face_up Bool COMMENT 'lies face up',
    card String COMMENT 'rank and suit such as TD; empty while it lies face down',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A card was dealt.';

CREATE TABLE IF NOT EXISTS CardRecordCorrected
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    `index` Int32 COMMENT 'running number in the round',
    recorded String COMMENT 'card as recorded',
    actual String COMMENT 'card as it lay',
    by String COMMENT 'who established it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The record of a card was wrong.';

CREATE TABLE IF NOT EXISTS CardRevealed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    `index` Int32 COMMENT 'running number in the round',
    card String COMMENT 'rank and suit',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A face-down card was turned.';

CREATE TABLE IF NOT EXISTS CardsPlaced
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    account String COMMENT 'account',
    tournament String COMMENT 'tournament, or empty',
    street Int32 COMMENT 'first to fifth placement',
    front Array(String) COMMENT 'cards put in front',
    middle Array(String) COMMENT 'cards put in the middle',
    back Array(String) COMMENT 'cards put behind',
    discards Array(String) COMMENT 'cards thrown away',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player of open-face put the cards of a street into rows.';

CREATE TABLE IF NOT EXISTS CasinoHoursBegan
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A casino opened its doors.';

CREATE TABLE IF NOT EXISTS CasinoHoursEnded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A casino closed its doors.';

CREATE TABLE IF NOT EXISTS CasinoOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'place',
    name String COMMENT 'name',
    kind String COMMENT 'studio or casino',
    address String COMMENT 'postal address'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A casino or studio where tables stand.';

CREATE TABLE IF NOT EXISTS ChainOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    operator String COMMENT 'company number (IČO) of the licence holder',
    operator_name String COMMENT 'name of the licence holder',
    chain String COMMENT 'name of the chain, one per licence; origin of its checkpoints',
    format_version Int32 COMMENT 'version of docs/format.md that the chain follows',
    hash_algorithm String COMMENT 'hash that links the messages; RFC6962-SHA256'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Position 0: whose chain this is and how it is hashed.';

CREATE TABLE IF NOT EXISTS CheckpointCosigned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    size Int64 COMMENT 'number of messages that the checkpoint covers',
    witness String COMMENT 'name of the witness\'s key',
    public_key String COMMENT 'Ed25519 public key of the witness, 32 bytes',
    cosigned_at Int64 COMMENT 'moment that the witness names; whole seconds',
    signature String COMMENT 'Ed25519 signature over moment and checkpoint, see docs/format.md'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A witness said of a checkpoint that it has seen no other history of this log.';

CREATE TABLE IF NOT EXISTS CheckpointSigned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    size Int64 COMMENT 'number of messages covered, from position 0 on',
    root String COMMENT 'root of the tree over these messages (RFC 6962)',
    map_root String COMMENT 'root of the tag map of these messages, see docs/format.md',
    key_id String COMMENT 'key ID of the key that signed',
    signature String COMMENT 'Ed25519 signature over the checkpoint, see docs/format.md'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A signed statement that the chain had this size, and its tree and tag map these roots.';

CREATE TABLE IF NOT EXISTS CheckpointStamped
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    size Int64 COMMENT 'number of messages that the checkpoint covers',
    authority String COMMENT 'whom the operator asked',
    stamped_at Int64 COMMENT 'moment that the stamp names',
    stamp String COMMENT 'answer of the authority (TimeStampResp), over the note with the signature of the log alone'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A time-stamp authority said when the signed note of a checkpoint existed.';

CREATE TABLE IF NOT EXISTS ChipBetSettled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table',
    station String COMMENT 'table',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    round String COMMENT 'round of the table',
    seat Int32 COMMENT 'seat at the table, from 1',
    bet_code String COMMENT 'kind of bet',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'stake, hundredths of the currency; in a correction the signed difference',
    paid Int64 COMMENT 'paid back in all, the stake included where it stands, hundredths of the currency; in a correction the signed difference',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A bet of a guest without account, laid with chips at a seat, was settled.';

CREATE TABLE IF NOT EXISTS ChipRaceHeld
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    table String COMMENT 'table',
    chip Int64 COMMENT 'value of the chips that were changed, hundredths of a chip',
    higher Int64 COMMENT 'value of the chips given for them, hundredths of a chip',
    accounts Array(String) COMMENT 'players with odd chips',
    odd Array(Int64) COMMENT 'their odd chips, parallel to accounts',
    won Array(String) COMMENT 'players who got a higher chip'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips of a low value were changed; players drew for the odd ones.';

CREATE TABLE IF NOT EXISTS ChipsHandedBack
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    account String COMMENT 'account',
    chips Int64 COMMENT 'hundredths of a chip'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player handed the chips that were left back, to enter again.';

CREATE TABLE IF NOT EXISTS ChipsLaid
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    chip Int64 COMMENT 'value of a chip',
    chips Int64 COMMENT 'number of chips',
    colour String COMMENT 'colour of the player\'s chips, or empty for value chips',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A stake was recorded as a number of chips of a value.';

CREATE TABLE IF NOT EXISTS ChipsMissing
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the station',
    station String COMMENT 'cage, table or tournament',
    station_kind String COMMENT 'what the station is: cage, table or tournament',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference',
    reason String COMMENT 'what is known of it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips were not given back or are lost.';

CREATE TABLE IF NOT EXISTS ChipsRedeemed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference',
    method String COMMENT 'cash, card or other',
    holder String COMMENT 'whose chips: guests or staff',
    guest String COMMENT 'number under which the casino admitted the guest, or empty',
    document_shown Bool COMMENT 'an identity document was shown'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips were paid for at a cage.';

CREATE TABLE IF NOT EXISTS ChipsSold
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage or table',
    station String COMMENT 'cage or table',
    station_kind String COMMENT 'what the station is: cage or table',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference',
    method String COMMENT 'cash, card or other',
    guest String COMMENT 'number under which the casino admitted the guest, or empty',
    seat Int32 COMMENT 'seat at the table, or 0',
    document_shown Bool COMMENT 'an identity document was shown'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips were sold to a guest.';

CREATE TABLE IF NOT EXISTS ClaimSettled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    amount Int64 COMMENT 'amount',
    way String COMMENT 'wallet, or outside: paid or given up without the account',
    reason String COMMENT 'how, or why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A claim of the operator was settled, whole or in part.';

CREATE TABLE IF NOT EXISTS ClockMeasured
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    source_of_time String COMMENT 'host that gave the time',
    skew Nullable(Int64) COMMENT 'microseconds by which the clock of the record was ahead of it, below zero behind; missing: it gave no answer',
    uncertainty Nullable(Int64) COMMENT 'half the microseconds that question and answer took: the skew is known no better'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The clock of the record was compared with a source of time.';

CREATE TABLE IF NOT EXISTS ColourChipsIssued
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    account String COMMENT 'account, or empty for a guest',
    guest String COMMENT 'number of the guest\'s admission, or empty',
    colour String COMMENT 'colour of the chips',
    chip Int64 COMMENT 'value of a chip',
    chips Int64 COMMENT 'number of chips',
    paid_with String COMMENT 'cash or value chips'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player got chips of a colour at a table.';

CREATE TABLE IF NOT EXISTS ColourChipsReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    account String COMMENT 'account, or empty for a guest',
    guest String COMMENT 'number of the guest\'s admission, or empty',
    colour String COMMENT 'colour of the chips',
    chip Int64 COMMENT 'value of a chip; the minimum of the table once the player had left it',
    chips Int64 COMMENT 'number of chips',
    has_left Bool COMMENT 'true if the player had left the table before',
    is_last Bool COMMENT 'true if the player has no more chips of the colour'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player exchanged chips of a colour for value chips.';

CREATE TABLE IF NOT EXISTS CommandRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    command String COMMENT 'command that was refused',
    account String COMMENT 'account concerned, or empty',
    round String COMMENT 'round concerned, or empty',
    table String COMMENT 'table concerned, or empty',
    code String COMMENT 'stable code of the refusal',
    sentence String COMMENT 'the refusal in words',
    paragraph String COMMENT 'rule that asks for it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A command that the rules did not allow, where no event of its own names the refusal.';

CREATE TABLE IF NOT EXISTS CommitmentRecorded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    day String COMMENT 'day that it stands for, in Prague',
    commitment String COMMENT 'keyed digest over that day, the size and the root of the chain apart'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What is kept apart from this chain was bound to it, as every day, whether or not anything was added.';

CREATE TABLE IF NOT EXISTS ComplaintDecided
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    case String COMMENT 'case',
    upheld Bool COMMENT 'outcome',
    explanation String COMMENT 'explanation sent'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The complaint was decided.';

CREATE TABLE IF NOT EXISTS ComplaintFiled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    case String COMMENT 'case',
    round String COMMENT 'first round concerned, or empty',
    grounds String COMMENT 'grounds given',
    rounds Array(String) COMMENT 'other rounds concerned',
    bets Array(String) COMMENT 'bets concerned, of the account',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A complaint (reklamace).';

CREATE TABLE IF NOT EXISTS ConfirmationFetched
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    confirmation String COMMENT 'name of the file',
    verdict String COMMENT 'OK or ERR, as it was asked for',
    file_digest String COMMENT 'SHA-256 of the file, hexadecimal',
    size Int64 COMMENT 'bytes of the file',
    server String COMMENT 'SHA-256 of the certificate that the server showed, hexadecimal'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A confirmation was fetched from the authority\'s server and kept; it is not read yet.';

CREATE TABLE IF NOT EXISTS ConfirmationReceived
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    confirmation String COMMENT 'name of the confirmation package',
    verdict String COMMENT 'OK or ERR',
    file_digest String COMMENT 'SHA-256 of the confirmation as it was received, hexadecimal',
    files Array(String) COMMENT 'file of each finding; parallel to keys, columns, codes and messages',
    keys Array(String) COMMENT 'line or primary key of each finding',
    columns Array(String) COMMENT 'column of each finding, or empty',
    codes Array(String) COMMENT 'code of each finding',
    messages Array(String) COMMENT 'text of each finding',
    cut Bool COMMENT 'whether findings were left out or shortened; the file of that digest holds them all'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The authority confirmed that a package was processed.';

CREATE TABLE IF NOT EXISTS ConfirmationRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    confirmation String COMMENT 'name of the file',
    verdict String COMMENT 'OK or ERR, as it was asked for',
    file_digest String COMMENT 'SHA-256 of the file, hexadecimal',
    reason String COMMENT 'what is wrong with it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A confirmation that was fetched could not be taken for one of this package.';

CREATE TABLE IF NOT EXISTS ContradictionRecorded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    about String COMMENT 'event type of the fact, which is the previous event of this decision',
    code String COMMENT 'stable code of the contradiction',
    sentence String COMMENT 'the contradiction in words',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A studio fact was recorded although it contradicts the record; this says what is wrong with it.';

CREATE TABLE IF NOT EXISTS CorrectionRequested
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    kind String COMMENT 'formal or material',
    request String COMMENT 'reference of the authority\'s request or confirmation, or empty',
    explanation String COMMENT 'what is wrong'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The authority asked for a correction, or a fault was found that needs one.';

CREATE TABLE IF NOT EXISTS CreditReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table',
    station String COMMENT 'table',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    cage_section String COMMENT 'operating section of the cage on the other side',
    cage String COMMENT 'cage on the other side',
    cage_till String COMMENT 'where the other side is booked: cage: and the name, or differences in a correction after the count at the close',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference',
    denominations Array(Int64) COMMENT 'values counted one by one, hundredths of the currency; empty where only the sum is told',
    pieces Array(Int64) COMMENT 'how many of each value'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips went from a table to a cage.';

CREATE TABLE IF NOT EXISTS CurrencyExchanged
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the cage',
    station String COMMENT 'cage',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'brought by the guest, hundredths of the currency; in a correction the signed difference',
    given_currency String COMMENT 'currency that the guest got, three letters',
    given Int64 COMMENT 'given to the guest, hundredths of that currency; in a correction the signed difference',
    guest String COMMENT 'number under which the casino admitted the guest, or empty',
    document_shown Bool COMMENT 'an identity document was shown'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A guest changed cash of one currency into another.';

CREATE TABLE IF NOT EXISTS DCBEventRecorded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    event_type String COMMENT 'the application\'s event type',
    tags Array(String) COMMENT 'the application\'s tags',
    data String COMMENT 'the application\'s bytes'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An event of an application built on the eventsourcing library, kept as it came.';

CREATE TABLE IF NOT EXISTS DealAgreed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    accounts Array(String) COMMENT 'players',
    shares Array(Int64) COMMENT 'share of each, parallel to accounts',
    playout_percent String COMMENT 'part that is played for, or empty',
    playout Int64 COMMENT 'part that is played for'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The players left agreed to share the prizes that are open.';

CREATE TABLE IF NOT EXISTS DealerSeated
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    dealer String COMMENT 'dealer, as a pseudonym'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A dealer took over a table.';

CREATE TABLE IF NOT EXISTS DepositCredited
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    deposit String COMMENT 'deposit',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or cash',
    method_class String COMMENT 'cash, account, card or other',
    document_shown Bool COMMENT 'an identity document was shown (cash)'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Money came into the account.';

CREATE TABLE IF NOT EXISTS DepositRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    deposit String COMMENT 'deposit',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or cash',
    method_class String COMMENT 'cash, account, card or other',
    code String COMMENT 'stable code of the refusal',
    sentence String COMMENT 'the refusal in words',
    paragraph String COMMENT 'rule that asks for it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A deposit was not accepted.';

CREATE TABLE IF NOT EXISTS DepositReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    deposit String COMMENT 'deposit',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or cash',
    method_class String COMMENT 'cash, account, card or other',
    credited Bool COMMENT 'it had been credited to the wallet before',
    reason String COMMENT 'rule that was broken',
    claimed Int64 COMMENT 'part that the wallet did not hold; a claim of the operator'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A deposit that came in against the rules went back.';

CREATE TABLE IF NOT EXISTS DeviceAssigned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    round String COMMENT 'round that ran at the table, or empty',
    device String COMMENT 'device',
    kind String COMMENT 'wheel, shoe, shuffler or machine',
    serial String COMMENT 'serial number',
    replaced String COMMENT 'device of the kind that was part of the table before, or empty',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A device that makes results is part of a table.';

CREATE TABLE IF NOT EXISTS DeviceInspected
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    round String COMMENT 'round that ran at the table, or empty',
    device String COMMENT 'device',
    kind String COMMENT 'wheel, shoe, shuffler or machine',
    by String COMMENT 'who inspected it',
    passed Bool COMMENT 'fit to be played with',
    findings String COMMENT 'what was checked and found',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A device of a table was inspected; one that failed is taken off in the same decision.';

CREATE TABLE IF NOT EXISTS DeviceRemoved
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    round String COMMENT 'round that ran at the table, or empty',
    device String COMMENT 'device',
    kind String COMMENT 'wheel, shoe, shuffler or machine',
    reason String COMMENT 'why',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A device is no longer part of a table.';

CREATE TABLE IF NOT EXISTS DownloadEnded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    access Int64 COMMENT 'position of its AccessRecorded in the chain of accesses',
    rows Nullable(Int64) COMMENT 'rows given; missing: it has none',
    bytes Int64 COMMENT 'bytes given',
    digest String COMMENT 'SHA-256 of the bytes given, hexadecimal',
    whole Bool COMMENT 'everything was given; otherwise it was cut off'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A download that an access was recorded for came to its end.';

CREATE TABLE IF NOT EXISTS DropCounted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table or tournament',
    station String COMMENT 'table or tournament',
    station_kind String COMMENT 'what the station is: table or tournament',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'counted, hundredths of the currency',
    expected Int64 COMMENT 'what the books said before, hundredths of the currency',
    denominations Array(Int64) COMMENT 'values counted one by one, hundredths of the currency; empty where only the sum is told',
    pieces Array(Int64) COMMENT 'how many of each value',
    against String COMMENT 'where the difference is booked: stock at the first count ever, differences, or guests (what play brought or cost)',
    counted_by String COMMENT 'who counted'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The cash box of a table or tournament was counted.';

CREATE TABLE IF NOT EXISTS DropMovedToCage
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table or tournament',
    station String COMMENT 'table or tournament',
    station_kind String COMMENT 'what the station is: table or tournament',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    cage_section String COMMENT 'operating section of the cage on the other side',
    cage String COMMENT 'cage on the other side',
    cage_till String COMMENT 'where the other side is booked: cage: and the name, or differences in a correction after the count at the close',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Cash went from the cash box of a table or tournament to a cage.';

CREATE TABLE IF NOT EXISTS ErasureDeferred
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    person String COMMENT 'keyed digest of the identity',
    account String COMMENT 'account of the person',
    code String COMMENT 'stable code of what keeps them',
    sentence String COMMENT 'what keeps them, in a sentence',
    paragraph String COMMENT 'paragraph of law that keeps them',
    until Nullable(Int64) COMMENT 'end of the period of retention, if it runs'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The data of a person were to be erased and must still be kept; they go when nothing keeps them any more.';

CREATE TABLE IF NOT EXISTS ExclusionEnded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    ground String COMMENT 'ground of the exclusion that ended'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An exclusion ended.';

CREATE TABLE IF NOT EXISTS ExclusionImposed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    ground String COMMENT 'register, operator or other ground',
    until Nullable(Int64) COMMENT 'end, if it has one'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The person is excluded from gaming.';

CREATE TABLE IF NOT EXISTS FaultTold
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    round String COMMENT 'round that ran at the table, or empty',
    channels Array(String) COMMENT 'voice, chat or screen',
    wording String COMMENT 'what they were told',
    by String COMMENT 'who told them',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Participants at a table were told of a fault.';

CREATE TABLE IF NOT EXISTS FeeCharged
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    fee String COMMENT 'fee',
    amount Int64 COMMENT 'amount',
    reason String COMMENT 'for what'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A payment for something other than a bet.';

CREATE TABLE IF NOT EXISTS FeeReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    fee String COMMENT 'fee',
    amount Int64 COMMENT 'amount',
    reason String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A fee, or part of it, went back.';

CREATE TABLE IF NOT EXISTS FeedMessageUnmapped
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    provider String COMMENT 'whose feed',
    feed String COMMENT 'the provider\'s name of the table that the message is about, or empty',
    number Int64 COMMENT 'number of the message in that feed, of the first if there are several; 0 if it could not be read',
    messages Int64 COMMENT 'how many messages this is about',
    message String COMMENT 'the provider\'s identifier of the message; empty if it never came',
    kind String COMMENT 'what the provider calls such a message, or empty',
    round String COMMENT 'round that it names, as the chain calls it, or empty',
    digest String COMMENT 'SHA-256 of the body as it came, hexadecimal; empty if it never came',
    reason String COMMENT 'unmapped, refused, late, altered or missing',
    detail String COMMENT 'what stood against it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What a provider\'s feed reported, or left out, and the chain does not follow; people have to look.';

CREATE TABLE IF NOT EXISTS FillReceived
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table',
    station String COMMENT 'table',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    cage_section String COMMENT 'operating section of the cage on the other side',
    cage String COMMENT 'cage on the other side',
    cage_till String COMMENT 'where the other side is booked: cage: and the name, or differences in a correction after the count at the close',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference',
    denominations Array(Int64) COMMENT 'values counted one by one, hundredths of the currency; empty where only the sum is told',
    pieces Array(Int64) COMMENT 'how many of each value'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips came from a cage to a table.';

CREATE TABLE IF NOT EXISTS FindingAssigned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run',
    assignee String COMMENT 'who looks after it from now on',
    by String COMMENT 'who did it: a person\'s or a department\'s sign in the operator\'s house',
    reason String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Somebody was made to look after a finding.';

CREATE TABLE IF NOT EXISTS FindingClosed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run',
    reason String COMMENT 'why nothing more is to be done',
    by String COMMENT 'who did it: a person\'s or a department\'s sign in the operator\'s house',
    evidence String COMMENT 'what it rests on: a document\'s number or the digest of a file; empty where there is nothing',
    fingerprint String COMMENT 'fingerprint of the facts of the finding as they were recorded last'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A finding was closed: as long as its facts stay as they are, it is open no more.';

CREATE TABLE IF NOT EXISTS FindingCommented
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run',
    comment String COMMENT 'what was noted',
    by String COMMENT 'who did it: a person\'s or a department\'s sign in the operator\'s house',
    evidence String COMMENT 'what it rests on: a document\'s number or the digest of a file; empty where there is nothing'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Somebody noted something on a finding.';

CREATE TABLE IF NOT EXISTS FindingExplained
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run',
    explanation String COMMENT 'how it came about',
    by String COMMENT 'who did it: a person\'s or a department\'s sign in the operator\'s house',
    evidence String COMMENT 'what it rests on: a document\'s number or the digest of a file; empty where there is nothing',
    fingerprint String COMMENT 'fingerprint of the facts of the finding as they were recorded last'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Somebody said how a finding came about; it stays open.';

CREATE TABLE IF NOT EXISTS FindingGone
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reconciliation no longer found what was open.';

CREATE TABLE IF NOT EXISTS FindingRaised
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run',
    code String COMMENT 'what is wrong, one of docs/findings.md',
    fingerprint String COMMENT 'fingerprint of its facts',
    about String COMMENT 'what tells it from others of its code, account, round and bet; empty where its place does',
    shown_at Int64 COMMENT 'position of the event that shows it',
    of_account String COMMENT 'account that it is about; empty where it is no matter of one',
    of_round String COMMENT 'round that it is about; empty where it is no matter of one',
    of_bet String COMMENT 'bet that it is about; empty where it is no matter of one',
    amount Int64 COMMENT 'what it is about, in haléř; its meaning depends on the code',
    detail String COMMENT 'what its place can say',
    paragraph String COMMENT 'rule that it breaks; empty where there is none',
    ours_reference String COMMENT 'name under which we have it; empty where that side has nothing, and where nothing outside was compared',
    ours_amount Nullable(Int64) COMMENT 'what we have, in haléř; none where that side has nothing',
    ours_at Int64 COMMENT 'moment of what we have, midnight in Prague where a day is known alone; 0 where nothing is known',
    ours_position Int64 COMMENT 'position of the event that says what we have; -1 for none',
    ours_count Int64 COMMENT 'how many facts or lines the amount sums',
    theirs_reference String COMMENT 'name under which the world outside has it; empty where that side has nothing, and where nothing outside was compared',
    theirs_amount Nullable(Int64) COMMENT 'what the world outside has, in haléř; none where that side has nothing',
    theirs_at Int64 COMMENT 'moment of what the world outside has, midnight in Prague where a day is known alone; 0 where nothing is known',
    theirs_position Int64 COMMENT 'position of the event that says what the world outside has; -1 for none',
    theirs_count Int64 COMMENT 'how many facts or lines the amount sums',
    theirs_statement String COMMENT 'statement in which it stands; empty for none',
    theirs_line Int64 COMMENT 'line of the statement, from 1; 0 for none'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reconciliation found something that was not open, or an open finding with other facts.';

CREATE TABLE IF NOT EXISTS FindingReopened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    finding String COMMENT 'name of the finding: 16 hexadecimal digits, the same in every run',
    reason String COMMENT 'why',
    by String COMMENT 'who did it: a person\'s or a department\'s sign in the operator\'s house',
    evidence String COMMENT 'what it rests on: a document\'s number or the digest of a file; empty where there is nothing'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A closed finding was opened again by somebody.';

CREATE TABLE IF NOT EXISTS GameLaunched
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    game String COMMENT 'game'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Operation of a game began.';

CREATE TABLE IF NOT EXISTS GameListed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    game String COMMENT 'game',
    name String COMMENT 'name in Czech',
    category String COMMENT 'category of the code list HraKategorie'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A game of the licence.';

CREATE TABLE IF NOT EXISTS GameResumed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    game String COMMENT 'game',
    cause String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Bets are accepted on the game again.';

CREATE TABLE IF NOT EXISTS GameSuspended
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    game String COMMENT 'game',
    cause String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'No bets are accepted on a game until it is resumed.';

CREATE TABLE IF NOT EXISTS GameWithdrawn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    game String COMMENT 'game',
    reason String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A game is no longer offered.';

CREATE TABLE IF NOT EXISTS GuestAdmitted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    guest String COMMENT 'number of the admission',
    person String COMMENT 'keyed digest of the identity',
    answer String COMMENT 'answer of the register: clear, listed or not_checked',
    live Bool COMMENT 'false if the register was away',
    verified_how String COMMENT 'document by which identity and age were checked'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A guest was identified and let into a casino.';

CREATE TABLE IF NOT EXISTS HandAction
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    bet String COMMENT 'the account\'s money in the hand: round, hyphen, seat',
    account String COMMENT 'account',
    street String COMMENT 'ante, preflop, flop, turn or river; stack for chips brought to open-face',
    action String COMMENT 'post, ante, check, bet, call, raise, fold, muck, show or stack',
    amount Int64 COMMENT 'put in with this action, or 0',
    total Int64 COMMENT 'what the player has in on the street',
    in_hand Int64 COMMENT 'what the player has in the hand',
    all_in Bool COMMENT 'it was the last chip',
    by String COMMENT 'player or timeout',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player acted in a hand; what was put in is a bet at once.';

CREATE TABLE IF NOT EXISTS HandStarted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    game String COMMENT 'game',
    plan_version String COMMENT 'version of the game plan in force',
    accounts Array(String) COMMENT 'all players at the table, clockwise',
    button String COMMENT 'player on the button',
    small_blind_of String COMMENT 'player who owes the small blind, or empty',
    big_blind_of String COMMENT 'player who owes the big blind, or empty',
    small_blind Int64 COMMENT 'small blind',
    big_blind Int64 COMMENT 'big blind',
    ante Int64 COMMENT 'ante of each player or of the button, or 0',
    fee String COMMENT 'rake, time, or none in a tournament',
    time_fee Int64 COMMENT 'time collection of half an hour, or 0',
    point_value Int64 COMMENT 'open-face: agreed value of a point, or 0',
    value_pairs Array(String) COMMENT 'open-face: pairs with another value, as account|account',
    pair_values Array(Int64) COMMENT 'open-face: value of a point, parallel to value_pairs',
    stop_loss_of Array(String) COMMENT 'open-face: accounts with a stop-loss',
    stop_losses Array(Int64) COMMENT 'open-face: greatest loss, parallel to stop_loss_of',
    in_fantasyland Array(String) COMMENT 'open-face: players in Fantasyland',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A hand among players began; its round was opened in the same decision.';

CREATE TABLE IF NOT EXISTS HandsSet
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    account String COMMENT 'account',
    front Array(String) COMMENT 'front, three cards',
    middle Array(String) COMMENT 'middle, five cards',
    back Array(String) COMMENT 'back, five cards',
    discards Array(String) COMMENT 'cards thrown away',
    foul Bool COMMENT 'the rows are in the wrong order',
    royalties Int32 COMMENT 'points of the royalties',
    fantasyland Int32 COMMENT 'cards of the next hand in Fantasyland, or 0',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player\'s open-face cards were set.';

CREATE TABLE IF NOT EXISTS InformationShown
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    kind String COMMENT 'play_time, net_result, warning or rules',
    text String COMMENT 'words or name of the warning, or which rules; empty where a figure says it',
    play_minutes Nullable(Int64) COMMENT 'minutes of play that were shown',
    net_result Nullable(Int64) COMMENT 'result that was shown, below zero for a loss'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The participant was shown something that protects, as the platform says.';

CREATE TABLE IF NOT EXISTS JackpotDefined
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    jackpot String COMMENT 'jackpot',
    place String COMMENT 'casino',
    name String COMMENT 'name',
    game String COMMENT 'game that it belongs to',
    station String COMMENT 'table or tournament that it belongs to; empty for one of the game as a whole',
    currency String COMMENT 'currency, three letters'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A jackpot was set up.';

CREATE TABLE IF NOT EXISTS JackpotState
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    jackpot String COMMENT 'jackpot',
    place String COMMENT 'casino',
    day String COMMENT 'day of the operating day',
    section String COMMENT 'operating section; empty for the jackpot of a game as a whole',
    stage String COMMENT 'opening or closing',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'value, hundredths of the currency'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The value of a jackpot was read at an end of a section or operating day.';

CREATE TABLE IF NOT EXISTS LegalHoldEnded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    hold String COMMENT 'name of the hold',
    account String COMMENT 'account whose person is held; empty if a round is',
    person String COMMENT 'keyed digest of the identity of that person; empty if a round is held',
    round String COMMENT 'round whose participants are held; empty if an account is',
    ordered_by String COMMENT 'who ended it',
    reason String COMMENT 'why they are needed no longer',
    reference String COMMENT 'the decision that it rests on; empty if there is none',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Data that were held as evidence are needed no longer.';

CREATE TABLE IF NOT EXISTS LegalHoldPlaced
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    hold String COMMENT 'name of the hold',
    account String COMMENT 'account whose person is held; empty if a round is',
    person String COMMENT 'keyed digest of the identity of that person; empty if a round is held',
    round String COMMENT 'round whose participants are held; empty if an account is',
    ordered_by String COMMENT 'who asked for it, such as a court, an authority or the legal department',
    reason String COMMENT 'what the data are needed for',
    reference String COMMENT 'the case or the evidence that it belongs to',
    until Nullable(Int64) COMMENT 'end, if it has one from the beginning',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Personal data of a person, or of all who took part in a round, are held as evidence and must not be erased.';

CREATE TABLE IF NOT EXISTS LimitDeclined
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    measure String COMMENT 'a to g of the code list TypSO',
    previous Nullable(Int64) COMMENT 'value in force before, if any',
    effective_at Int64 COMMENT 'moment from which no value binds'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A self-restricting measure was declined.';

CREATE TABLE IF NOT EXISTS LimitSet
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    measure String COMMENT 'a to g of the code list TypSO',
    value Int64 COMMENT 'haléř for a to d, logins for e, minutes for f and g',
    previous Nullable(Int64) COMMENT 'value in force before, if any',
    change String COMMENT 'first, stricter or looser',
    effective_at Int64 COMMENT 'moment from which it binds'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A self-restricting measure (sebeomezující opatření) was set.';

CREATE TABLE IF NOT EXISTS LoggedIn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    session String COMMENT 'session',
    account String COMMENT 'account',
    mode String COMMENT 'full, or restricted to viewing and withdrawing',
    reason String COMMENT 'why it is restricted, or empty'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A session began.';

CREATE TABLE IF NOT EXISTS LoggedOut
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    session String COMMENT 'session',
    account String COMMENT 'account',
    cause String COMMENT 'user, automatic, panic, exclusion or time_limit'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A session ended.';

CREATE TABLE IF NOT EXISTS LoginRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    code String COMMENT 'stable code of the refusal',
    sentence String COMMENT 'the refusal in words',
    paragraph String COMMENT 'rule that asks for it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A login was refused.';

CREATE TABLE IF NOT EXISTS LongExclusionOffered
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    answer String COMMENT 'accepted or declined'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A long entry in the register was offered.';

CREATE TABLE IF NOT EXISTS LongExclusionRequested
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    forwarded Bool COMMENT 'passed on to the ministry'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An application for a long entry in the register.';

CREATE TABLE IF NOT EXISTS MisdealDeclared
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    ground String COMMENT 'reason of the plan',
    paragraph String COMMENT 'paragraph of the plan',
    acted Int32 COMMENT 'players who had acted',
    accounts Array(String) COMMENT 'who had put something in',
    bets Array(String) COMMENT 'their money in the hand, parallel to accounts',
    amounts Array(Int64) COMMENT 'returned, parallel to accounts',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The hand was misdealt; everything that was put in went back.';

CREATE TABLE IF NOT EXISTS NoticeReceived
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    verdict String COMMENT 'OK or ERR, by the address that it used',
    client String COMMENT 'SHA-256 of the certificate that the authority showed, hexadecimal'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The authority gave notice that it had processed a package.';

CREATE TABLE IF NOT EXISTS ObjectionConfirmed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    case String COMMENT 'case'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Receipt of the objection was confirmed.';

CREATE TABLE IF NOT EXISTS ObjectionDecided
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    case String COMMENT 'case',
    upheld Bool COMMENT 'true restores the account',
    explanation String COMMENT 'explanation sent'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The objection was decided.';

CREATE TABLE IF NOT EXISTS ObjectionFiled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    case String COMMENT 'case',
    grounds String COMMENT 'grounds given'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The participant objects to the cancellation.';

CREATE TABLE IF NOT EXISTS OperatingDayClosed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    day String COMMENT 'calendar day in Prague on which it began, year-month-day',
    books_kinds Array(String) COMMENT 'places of cash and chips in the books',
    books_amounts Array(Int64) COMMENT 'what is in each, hundredths of its currency'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An operating day of a casino was over.';

CREATE TABLE IF NOT EXISTS OperatingDayOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    day String COMMENT 'calendar day in Prague on which it began, year-month-day'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An operating day of a casino began.';

CREATE TABLE IF NOT EXISTS OperatorRulesPublished
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    name String COMMENT 'name of the rules, such as sazka',
    rules String COMMENT 'the rules as JSON, with the keys of the operator\'s rules file'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Rules of operation of the operator: figures, periods and the paragraphs that refusals and findings cite. They hold from here on until the next.';

CREATE TABLE IF NOT EXISTS PackageBuilt
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    known_at Int64 COMMENT 'knowledge cut-off: number of messages of the chain that the package counts',
    cause String COMMENT 'why there is another version, empty for the first',
    files Array(String) COMMENT 'names of its files, parallel to rows and digests',
    rows Array(Int64) COMMENT 'records of each file',
    digests Array(String) COMMENT 'SHA-256 of each file, hexadecimal',
    digest String COMMENT 'SHA-256 of the lines that name each file\'s digest; stands for the whole package',
    settings String COMMENT 'readings of the law that the package was built by, as JSON',
    software_version String COMMENT 'version of gameledger that built it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A version of a package for the regulator was built from the ledger.';

CREATE TABLE IF NOT EXISTS PackageFetched
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    file_digest String COMMENT 'SHA-256 of the sealed file, hexadecimal',
    client String COMMENT 'SHA-256 of the certificate that the authority showed, hexadecimal'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The authority took the sealed file of a package.';

CREATE TABLE IF NOT EXISTS PackagePublished
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    series String COMMENT 'package without its version, such as 12345678-V-2026112108-Z',
    version Int32 COMMENT 'version of the package, 1 to 99',
    digest String COMMENT 'digest of the package as it was built',
    file String COMMENT 'name of the sealed file',
    file_digest String COMMENT 'SHA-256 of the sealed file, hexadecimal',
    size Int64 COMMENT 'bytes of the sealed file'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A sealed package was laid out for the authority to fetch.';

CREATE TABLE IF NOT EXISTS PanicButtonPressed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    until Int64 COMMENT 'end of the block',
    channel String COMMENT 'where it was pressed'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The participant blocked gaming for 48 hours.';

CREATE TABLE IF NOT EXISTS PanicButtonReported
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    acknowledged Bool COMMENT 'the ministry confirmed it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The press was passed on to the ministry.';

CREATE TABLE IF NOT EXISTS PaymentMethodRegistered
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    method String COMMENT 'payment method',
    method_class String COMMENT 'account, card or other',
    masked String COMMENT 'masked identifier',
    country String COMMENT 'state of the issuer, two letters',
    verified_how String COMMENT 'proof of ownership; a declaration is none'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A payment account, card or other means whose owner was proved.';

CREATE TABLE IF NOT EXISTS PayoutHeld
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    account String COMMENT 'account',
    by String COMMENT 'who ordered it',
    paragraph String COMMENT 'by which the payment may be kept back',
    cause String COMMENT 'what is investigated',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What a round pays to a participant waits until an investigation ends.';

CREATE TABLE IF NOT EXISTS PayoutReleased
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    account String COMMENT 'account',
    by String COMMENT 'who ordered it',
    cause String COMMENT 'what was found',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What was on hold may be settled.';

CREATE TABLE IF NOT EXISTS PayoutsChecked
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    by String COMMENT 'inspector',
    correct Bool COMMENT 'true if every payout was right',
    findings String COMMENT 'what was found, or empty',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An inspector checked the payouts of a round.';

CREATE TABLE IF NOT EXISTS PersonChanged
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    person String COMMENT 'keyed digest of the identity',
    name String COMMENT 'name',
    address String COMMENT 'address',
    email String COMMENT 'electronic mail address'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Identification or contact data changed.';

CREATE TABLE IF NOT EXISTS PersonChecked
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    check String COMMENT 'identification, control, source_of_funds, exposed_person or sanctions',
    how String COMMENT 'by what: document, register, questionnaire'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The person of an account was checked against money laundering; what was found is not said.';

CREATE TABLE IF NOT EXISTS PersonErased
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    person String COMMENT 'keyed digest of the identity',
    account String COMMENT 'account of the person',
    fields Array(String) COMMENT 'event type and field of what was made unreadable'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The key of a person\'s data was destroyed; the fields can no longer be read.';

CREATE TABLE IF NOT EXISTS PersonUnmasked
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    account String COMMENT 'account',
    person String COMMENT 'keyed digest of the identity',
    purpose String COMMENT 'what for',
    fields Array(String) COMMENT 'names of the fields that were shown'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader was shown personal data of a person.';

CREATE TABLE IF NOT EXISTS PersonVerified
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    what String COMMENT 'what was verified',
    how String COMMENT 'by what means'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Identity and age were verified.';

CREATE TABLE IF NOT EXISTS PlayerDecided
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    account String COMMENT 'account',
    box String COMMENT 'box, or empty where players have none',
    hand String COMMENT 'hand such as 1 or 1.2, or empty where a player has one decision',
    decision String COMMENT 'type of the action, such as hit, double, call or raise',
    by String COMMENT 'player, timeout, disconnect or absent',
    street String COMMENT 'street of a poker hand: preflop, flop or river; or empty',
    times Int32 COMMENT 'how many antes a raise adds, or 0',
    free Bool COMMENT 'a token stands in place of the stake',
    stake Int64 COMMENT 'stake that the decision names (insurance), or 0 where the plan gives it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A decision of a player, or of the time limit in the player\'s place; stakes that it adds are bets of the same decision.';

CREATE TABLE IF NOT EXISTS PlayerDisconnected
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    phase String COMMENT 'before_close or after_close',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The connection of a participant broke.';

CREATE TABLE IF NOT EXISTS PlayerEliminated
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    round String COMMENT 'hand in which it happened, or empty',
    accounts Array(String) COMMENT 'players; several are equals',
    place Int32 COMMENT 'their first place, or 0 while registration is open',
    left Int32 COMMENT 'players left',
    disqualified_for String COMMENT 'breach of the rules for which they were disqualified; empty where the last chip was lost',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Players lost their last chip in one hand.';

CREATE TABLE IF NOT EXISTS PlayerReconnected
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The connection of a participant is back.';

CREATE TABLE IF NOT EXISTS PointsSettled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    accounts Array(String) COMMENT 'players, in the order of the seats',
    bets Array(String) COMMENT 'their chips in the game, parallel to accounts',
    stakes Array(Int64) COMMENT 'chips brought, parallel to accounts',
    due Array(Int64) COMMENT 'chips due back, parallel to accounts',
    paid Array(Int64) COMMENT 'chips paid back, parallel to accounts',
    pairs Array(String) COMMENT 'pairs in the order of payment, as account|account',
    points Array(Int64) COMMENT 'points of the first of the pair, parallel to pairs',
    amounts Array(Int64) COMMENT 'paid to the first of the pair, parallel to pairs',
    fouled Array(String) COMMENT 'players with a foul',
    rule String COMMENT 'paragraph that decided',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The points of an open-face game were paid between the players.';

CREATE TABLE IF NOT EXISTS PotAwarded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    pot Int32 COMMENT '0 is the main pot, side pots follow',
    amount Int64 COMMENT 'the closed pot',
    rake Int64 COMMENT 'rake that it bears',
    eligible Array(String) COMMENT 'players who reach the pot',
    winners Array(String) COMMENT 'players with a due share, in seat order',
    accounts Array(String) COMMENT 'everybody with money in the pot or out of it',
    bets Array(String) COMMENT 'their money in the hand, parallel to accounts',
    stakes Array(Int64) COMMENT 'put into the pot, parallel to accounts',
    due Array(Int64) COMMENT 'due share, parallel to accounts',
    paid Array(Int64) COMMENT 'paid share, parallel to accounts',
    rule String COMMENT 'paragraph that decided',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A pot went to its winners.';

CREATE TABLE IF NOT EXISTS PrisonDecided
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    table String COMMENT 'table',
    next_round String COMMENT 'round of the spin that decided',
    next_number Int32 COMMENT 'its number',
    released Bool COMMENT 'true if the chip goes back to the player',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The next valid spin decided about a chip in prison.';

CREATE TABLE IF NOT EXISTS PrizePoolFixed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    entries Int32 COMMENT 'buy-ins and re-entries',
    players Int32 COMMENT 'players who take part',
    column String COMMENT 'column of the payout table',
    money_pool Int64 COMMENT 'sum of the payments',
    fee Int64 COMMENT 'fee of the operator',
    top_up Int64 COMMENT 'what the operator adds for the guarantee',
    prize_pool Int64 COMMENT 'prize pool'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Registration was closed and the prize pool is fixed.';

CREATE TABLE IF NOT EXISTS PrizeWithheld
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    amount Int64 COMMENT 'prize that is not due',
    collected Int64 COMMENT 'part of it that was taken back from the wallet',
    paragraph String COMMENT 'rule that was breached',
    cause String COMMENT 'what happened',
    claimed Int64 COMMENT 'part that the wallet did not hold; a claim of the operator',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A prize is not due because the game plan was breached.';

CREATE TABLE IF NOT EXISTS RakeTaken
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    amount Int64 COMMENT 'taken',
    due Int64 COMMENT 'due by the plan',
    cap Int64 COMMENT 'greatest rake of the table',
    pot Int64 COMMENT 'sum of the closed pots; of the stacks in open-face',
    players Int32 COMMENT 'players at the table',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The operator\'s rake of a hand was taken.';

CREATE TABLE IF NOT EXISTS RateFixed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    currency String COMMENT 'currency, three letters',
    rate Int64 COMMENT 'thousandths of a Czech crown for one unit of the currency',
    day String COMMENT 'day of the rate, year-month-day'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An exchange rate for the tax base was fixed.';

CREATE TABLE IF NOT EXISTS ReaderAdded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    roles Array(String) COMMENT 'roles, each a set of scopes',
    token_digest String COMMENT 'SHA-256 of the bearer token, hexadecimal; empty: none',
    certificate String COMMENT 'SHA-256 of the client certificate, hexadecimal; empty: none',
    expires_at Int64 COMMENT 'moment from which the reader is let in no more'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Somebody was allowed to read through the access service.';

CREATE TABLE IF NOT EXISTS ReaderRenewed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    token_digest String COMMENT 'SHA-256 of the bearer token, hexadecimal; empty: none',
    certificate String COMMENT 'SHA-256 of the client certificate, hexadecimal; empty: none',
    expires_at Int64 COMMENT 'moment from which the reader is let in no more'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader got another end, and perhaps another token or certificate.';

CREATE TABLE IF NOT EXISTS ReaderRevoked
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    reason String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader was let in no more.';

CREATE TABLE IF NOT EXISTS ReaderSignedIn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service',
    way String COMMENT 'token, certificate or trial',
    expires_at Int64 COMMENT 'end of the session at the latest'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader began a session in a browser.';

CREATE TABLE IF NOT EXISTS ReaderSignedOut
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    reader String COMMENT 'reader of the access service'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reader ended a session.';

CREATE TABLE IF NOT EXISTS ReconciliationConcluded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    until Int64 COMMENT 'number of messages that were looked at',
    since Int64 COMMENT 'number of messages of the reconciliation that it went on from; 0 for one of all',
    codes Array(String) COMMENT 'codes of what it found',
    counts Array(Int64) COMMENT 'how many findings of each code',
    digest String COMMENT 'SHA-256 over the lines `name fingerprint` of all that it found, in order, hexadecimal',
    software_version String COMMENT 'version of the program that judged'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A reconciliation ended; what is open after it stands before it in the chain.';

CREATE TABLE IF NOT EXISTS RecordingKept
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    camera String COMMENT 'camera',
    recording String COMMENT 'name of the recording where it is kept',
    begins_at Int64 COMMENT 'first moment that it shows',
    ends_at Int64 COMMENT 'last moment that it shows',
    sound Bool COMMENT 'sound is part of it',
    digest String COMMENT 'SHA-256 of the recording in hexadecimal, or empty',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Picture and sound of a round are kept.';

CREATE TABLE IF NOT EXISTS RegisterChecked
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    occasion String COMMENT 'registration, login or daily',
    answer String COMMENT 'clear, listed or not_checked',
    live Bool COMMENT 'false when the register was away and the last known state was taken'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The register of excluded persons was asked.';

CREATE TABLE IF NOT EXISTS RegistrationRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account that was asked for',
    person String COMMENT 'keyed digest of the identity',
    code String COMMENT 'stable code of the refusal',
    sentence String COMMENT 'the refusal in words',
    paragraph String COMMENT 'rule that asks for it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An account was not opened.';

CREATE TABLE IF NOT EXISTS RoundOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    registration String COMMENT 'registration number shown on the table',
    game String COMMENT 'game',
    plan_version String COMMENT 'version of the game plan in force',
    dealer String COMMENT 'dealer, as a pseudonym',
    shoe String COMMENT 'shoe in use, or empty',
    devices Array(String) COMMENT 'devices of the table in use',
    device_kinds Array(String) COMMENT 'wheel, shoe, shuffler or machine, parallel to devices',
    serials Array(String) COMMENT 'serial numbers, parallel to devices',
    wheel_turned String COMMENT 'direction of the wheel in the table\'s last spin that counted, where the plan asks for a change; otherwise empty',
    streamed Bool COMMENT 'true for a streamed live game',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A round of a game: bets are allowed.';

CREATE TABLE IF NOT EXISTS RoundReconstructed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    how String COMMENT 'how',
    by String COMMENT 'who established it',
    succeeded Bool COMMENT 'the round can go on',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The course of a round was reconstructed, so that it can be finished.';

CREATE TABLE IF NOT EXISTS RoundResulted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    outcome String COMMENT 'outcome as JSON',
    wording String COMMENT 'outcome in words',
    streamed Bool COMMENT 'true for a streamed live game',
    accounts Array(String) COMMENT 'participants with a bet that this result evaluates',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The record of the result; it decides in doubt.';

CREATE TABLE IF NOT EXISTS RoundVoided
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    table String COMMENT 'table',
    ground String COMMENT 'ground',
    paragraph String COMMENT 'rule that asks for it',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The round does not count; the stakes go back in the same decision.';

CREATE TABLE IF NOT EXISTS RulesPublished
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    game String COMMENT 'game',
    plan_version String COMMENT 'version of the game plan',
    effective_from Int64 COMMENT 'first moment of validity',
    document_digest String COMMENT 'SHA-256 of the plan\'s data file, hexadecimal',
    rules String COMMENT 'the rules in words',
    pay_table String COMMENT 'pay table in words'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A version of the game plan that is in force for rounds opened from a moment on.';

CREATE TABLE IF NOT EXISTS RulingGiven
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round, or empty',
    table String COMMENT 'table, or empty',
    tournament String COMMENT 'tournament, or empty',
    account String COMMENT 'participant whom it concerns, or empty',
    role String COMMENT 'inspector, floorman or management',
    by String COMMENT 'who decided',
    matter String COMMENT 'what was to be decided',
    ruling String COMMENT 'what was decided',
    penalty String COMMENT 'warning, sit_out, or empty',
    hands Int32 COMMENT 'hands to sit out, or 0',
    paragraph String COMMENT 'rule that it applies, or empty',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'An inspector, a floorman or the management decided what the rules leave to them.';

CREATE TABLE IF NOT EXISTS SchemaPublished
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    name String COMMENT 'event type',
    version Int32 COMMENT 'version of the event type, from 1',
    fingerprint String COMMENT 'CRC-64-AVRO of the schema\'s parsing canonical form, 16 hexadecimal digits as they stand in a message',
    schema String COMMENT 'the schema as JSON'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The writer schema of later messages, in full; stands before their first use.';

CREATE TABLE IF NOT EXISTS SeatDrawn
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    account String COMMENT 'player',
    table String COMMENT 'table',
    seat Int32 COMMENT 'seat at the table, from 1',
    from_table String COMMENT 'table where the player sat before, or empty',
    occasion String COMMENT 'drawn, late, balance, table_closed or reserved'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player of a tournament got a seat at a table.';

CREATE TABLE IF NOT EXISTS SeatLeft
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    table String COMMENT 'table'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A participant left a table.';

CREATE TABLE IF NOT EXISTS SeatTaken
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    table String COMMENT 'table'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A participant joined a table.';

CREATE TABLE IF NOT EXISTS SectionClosed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    section String COMMENT 'operating section',
    place String COMMENT 'casino',
    day String COMMENT 'day of the operating day',
    station_kind String COMMENT 'what the station is: cage, table or tournament',
    station String COMMENT 'cage, table or tournament',
    currency String COMMENT 'currency, three letters; empty for a cage',
    result Nullable(Int64) COMMENT 'net result of a table: closing float, drop and credits less opening float and fills, hundredths of the currency; null for a cage or tournament'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A cage, table or tournament ended its part of an operating day.';

CREATE TABLE IF NOT EXISTS SectionOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    section String COMMENT 'operating section',
    place String COMMENT 'casino',
    day String COMMENT 'day of the operating day',
    station_kind String COMMENT 'what the station is: cage, table or tournament',
    station String COMMENT 'cage, table or tournament',
    game String COMMENT 'game played there; empty for a cage',
    currency String COMMENT 'currency, three letters; empty for a cage'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A cage, table or tournament began its part of an operating day.';

CREATE TABLE IF NOT EXISTS ShoeLoaded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    shoe String COMMENT 'shoe',
    table String COMMENT 'table',
    decks Int32 COMMENT 'number of 52-card decks',
    shuffle_method String COMMENT 'how it was shuffled',
    cut Int32 COMMENT 'cards behind the cut card',
    cut_by String COMMENT 'who cut the cards, or empty'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A shoe stands ready at a table.';

CREATE TABLE IF NOT EXISTS SigningKeyAdded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    key_id String COMMENT 'key ID, eight hexadecimal digits; see docs/format.md',
    public_key String COMMENT 'Ed25519 public key, 32 bytes',
    reason String COMMENT 'why it was added'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A public key whose signatures count from here on.';

CREATE TABLE IF NOT EXISTS SigningKeyRevoked
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    key_id String COMMENT 'key ID, eight hexadecimal digits; see docs/format.md',
    reason String COMMENT 'why it was revoked'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Signatures of this key made at later positions do not count.';

CREATE TABLE IF NOT EXISTS SpinDeclaredInvalid
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    cause String COMMENT 'too_few_revolutions, wrong_direction, wheel_stopped, ball_left_wheel or foreign_object',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The spin does not count and is repeated.';

CREATE TABLE IF NOT EXISTS StatementImported
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    statement String COMMENT 'its name here, 16 hexadecimal digits',
    issuer String COMMENT 'bank account, payment provider or game provider that says so',
    issuer_kind String COMMENT 'BANK, PAYMENTS or GAMES',
    issuer_months Array(String) COMMENT 'issuer, colon and each month of the period, such as kb:2026-11',
    format String COMMENT 'camt.053, mt940, gpc, csv, jsonl or xlsx',
    number String COMMENT 'number or name that the issuer gave it; empty for none',
    currency String COMMENT 'currency of all amounts, ISO 4217',
    covers Array(String) COMMENT 'what the issuer answers for: payment classes, methods or systems; of games tables or games',
    first_day String COMMENT 'first day of the period in Prague, year-month-day',
    last_day String COMMENT 'last day of the period in Prague, year-month-day',
    opening Nullable(Int64) COMMENT 'balance before its first line, where it has balances',
    closing Nullable(Int64) COMMENT 'balance behind its last line, where it has balances',
    lines Int64 COMMENT 'number of its lines',
    incoming Int64 COMMENT 'what came to us by all lines',
    outgoing Int64 COMMENT 'what left us by all lines',
    fees Int64 COMMENT 'fees withheld from all lines',
    stakes Int64 COMMENT 'stakes of all lines',
    paid Int64 COMMENT 'paid to players by all lines',
    file String COMMENT 'name of the file',
    file_digest String COMMENT 'SHA-256 of the file, hexadecimal; the file stays with the accounts',
    settings String COMMENT 'how the file was read, as JSON: the issuer\'s file of that day',
    supersedes Array(String) COMMENT 'statements that no longer count, because this one corrects them',
    reason String COMMENT 'why it supersedes them; empty where it does not',
    software_version String COMMENT 'version of gameledger that read it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A statement of a bank, a payment provider or a game provider was imported whole.';

CREATE TABLE IF NOT EXISTS StatementLinesRecorded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    statement String COMMENT 'statement that they are of, 16 hexadecimal digits',
    issuer String COMMENT 'bank account, payment provider or game provider that says so',
    issuer_kind String COMMENT 'BANK, PAYMENTS or GAMES',
    currency String COMMENT 'currency of all amounts, ISO 4217',
    first_line Int64 COMMENT 'number of the first of these lines in its statement, from 1',
    incoming Int64 COMMENT 'what came to us by all lines up to the last of these',
    outgoing Int64 COMMENT 'what left us by all lines up to the last of these',
    fees Int64 COMMENT 'fees withheld from all lines up to the last of these',
    stakes Int64 COMMENT 'stakes of all lines up to the last of these',
    paid Int64 COMMENT 'paid to players by all lines up to the last of these',
    places Array(Int64) COMMENT 'line or row of the file that each stands in; all arrays are parallel',
    kinds Array(String) COMMENT 'payment, fee, interest, chargeback, reversal, settlement or other; of games bet, round or total',
    amounts Array(Int64) COMMENT 'what came to us, below zero what left us; 0 of games',
    line_fees Array(Int64) COMMENT 'fee withheld from the amount',
    line_stakes Array(Int64) COMMENT 'stake of a bet, round or total',
    line_paid Array(Int64) COMMENT 'paid to players of a bet, round or total',
    booked_days Array(Int64) COMMENT 'day of booking in Prague, days since 1970-01-01',
    valued_days Array(Int64) COMMENT 'value date, days since 1970-01-01; 0 for none',
    moments Array(Int64) COMMENT 'moment that the file gives, in microseconds; 0 where it has days only',
    references Array(String) COMMENT 'our reference: deposit, withdrawal; empty for none, as in all that follow',
    ends_to_end Array(String) COMMENT 'end-to-end identifier of the payment',
    variable_symbols Array(String) COMMENT 'variable symbol, without leading zeros',
    their_references Array(String) COMMENT 'identifier of the line with its issuer',
    settlements Array(String) COMMENT 'batch that is paid out as one',
    their_rounds Array(String) COMMENT 'round, as the issuer names it',
    their_bets Array(String) COMMENT 'bet, as the issuer names it',
    their_games Array(String) COMMENT 'game, as the issuer names it',
    their_tables Array(String) COMMENT 'table, as the issuer names it',
    their_accounts Array(String) COMMENT 'account, as the issuer names it',
    counterparties Array(String) COMMENT 'keyed digest of the account at the other end, 32 hexadecimal digits'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Lines of a statement from outside were recorded; they count once the statement is imported.';

CREATE TABLE IF NOT EXISTS SuspicionReported
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    report String COMMENT 'name of the report',
    person String COMMENT 'keyed digest of the account, under the key of the chain apart: no other chain has it',
    about String COMMENT 'account that it is about',
    transactions String COMMENT 'which transactions, by their names or in words',
    grounds String COMMENT 'why they are suspicious',
    sent String COMMENT 'when and how the authority was told, and its reference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A suspicious transaction was reported to the authority; stands only in a chain apart.';

CREATE TABLE IF NOT EXISTS TableClosed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    reason String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A gaming table taken out of operation.';

CREATE TABLE IF NOT EXISTS TableFloatCounted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table',
    station String COMMENT 'table',
    stage String COMMENT 'opening or closing',
    till String COMMENT 'where it is booked: cage:, table: or tournament: and the name; in a correction after the count at the close differences, or guests for chips of a table',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'counted, hundredths of the currency',
    expected Int64 COMMENT 'what the books said before, hundredths of the currency',
    denominations Array(Int64) COMMENT 'values counted one by one, hundredths of the currency; empty where only the sum is told',
    pieces Array(Int64) COMMENT 'how many of each value',
    against String COMMENT 'where the difference is booked: stock at the first count ever, differences, or guests (what play brought or cost)',
    counted_by String COMMENT 'who counted'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The chips of a table were counted.';

CREATE TABLE IF NOT EXISTS TableLimitsSet
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    bet_codes Array(String) COMMENT 'bet codes, parallel to minimums and maximums',
    minimums Array(Int64) COMMENT 'least stake per bet code',
    maximums Array(Int64) COMMENT 'greatest stake per bet code',
    round_maximum Int64 COMMENT 'greatest sum of one participant\'s stakes in a round',
    effective_from Int64 COMMENT 'first moment of validity'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Limits of a table, within those of the game plan.';

CREATE TABLE IF NOT EXISTS TableOpened
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    registration String COMMENT 'registration number shown on the table',
    game String COMMENT 'game played on it',
    place String COMMENT 'studio or casino',
    streamed Bool COMMENT 'true for a streamed live game played over the internet'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A gaming table taken into operation.';

CREATE TABLE IF NOT EXISTS TableResumed
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    cause String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Bets are accepted at the table again.';

CREATE TABLE IF NOT EXISTS TableSuspended
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    cause String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'No bets are accepted at a table until it is resumed.';

CREATE TABLE IF NOT EXISTS TimeCollectionAnnounced
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    amount Int64 COMMENT 'for half an hour',
    by String COMMENT 'who told it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'The floorman told the players of a table what half an hour costs.';

CREATE TABLE IF NOT EXISTS TimeCollectionTaken
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    table String COMMENT 'table',
    account String COMMENT 'account',
    amount Int64 COMMENT 'taken',
    period_from Int64 COMMENT 'beginning of the half hour'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Time money for half an hour was taken before the first deal.';

CREATE TABLE IF NOT EXISTS TipGiven
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the station',
    station String COMMENT 'cage, table or tournament',
    station_kind String COMMENT 'what the station is: cage, table or tournament',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips were given as a tip otherwise than into the tronc.';

CREATE TABLE IF NOT EXISTS TipReceived
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table or tournament',
    station String COMMENT 'table or tournament',
    station_kind String COMMENT 'what the station is: table or tournament',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'tronc: and the casino, or differences in a correction after the operating day closed',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips were given as a tip into the tronc.';

CREATE TABLE IF NOT EXISTS TournamentAnnounced
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    game String COMMENT 'game',
    plan_version String COMMENT 'version of the game plan in force',
    name String COMMENT 'name',
    format String COMMENT 'freezeout, one_rebuy, re_entry or unlimited_rebuys_addon',
    structure String COMMENT 'blinds, levels and limits in words',
    limit String COMMENT 'no limit, pot limit, or empty in open-face',
    fee_percent String COMMENT 'fee in percent of the money pool',
    currency String COMMENT 'currency',
    guarantee Int64 COMMENT 'guaranteed prize pool, or 0',
    buy_in Int64 COMMENT 'price of a buy-in and of a re-entry',
    rebuy Int64 COMMENT 'price of a rebuy, or 0',
    addon Int64 COMMENT 'price of an add-on, or 0',
    starting_stack Int64 COMMENT 'chips of a buy-in',
    deal_conditions String COMMENT 'conditions of deals',
    starts_at Int64 COMMENT 'announced beginning'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A tournament was announced.';

CREATE TABLE IF NOT EXISTS TournamentCancelled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    cause String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A tournament was cancelled; all payments went back.';

CREATE TABLE IF NOT EXISTS TournamentEnded
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    accounts Array(String) COMMENT 'players who took part',
    stakes Array(Int64) COMMENT 'sum of the payments of each, parallel to accounts',
    fee Int64 COMMENT 'fee of the operator',
    top_up Int64 COMMENT 'added by the operator',
    prize_pool Int64 COMMENT 'prize pool',
    outcome String COMMENT 'the tournament as the settlement takes it, JSON'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A tournament ended; what was paid in is the prize pool and the fee.';

CREATE TABLE IF NOT EXISTS TournamentEntryPaid
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    entry String COMMENT 'payment: tournament, hyphen, number',
    account String COMMENT 'account',
    kind String COMMENT 'buy_in, re_entry, rebuy or addon',
    amount Int64 COMMENT 'paid, the fee included'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player paid into a tournament.';

CREATE TABLE IF NOT EXISTS TournamentEntryReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    entry String COMMENT 'payment',
    account String COMMENT 'account',
    amount Int64 COMMENT 'returned',
    cause String COMMENT 'withdrawn or cancelled',
    paragraph String COMMENT 'paragraph of the plan'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A player got a payment back.';

CREATE TABLE IF NOT EXISTS TournamentPrizePaid
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    entry String COMMENT 'payment that the prize is booked on',
    account String COMMENT 'account',
    place Int32 COMMENT 'place, or 0 by a deal',
    due Int64 COMMENT 'due',
    paid Int64 COMMENT 'paid',
    rule String COMMENT 'paragraph that decided'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A prize was paid.';

CREATE TABLE IF NOT EXISTS TournamentStarted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    tournament String COMMENT 'tournament',
    entries Int32 COMMENT 'entries so far'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A tournament began.';

CREATE TABLE IF NOT EXISTS TroncMovedToCage
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    place String COMMENT 'casino',
    section String COMMENT 'operating section of the table or tournament',
    station String COMMENT 'table or tournament',
    station_kind String COMMENT 'what the station is: table or tournament',
    slip String COMMENT 'number of the slip',
    corrects String COMMENT 'slip that a correction is about, or empty',
    cause String COMMENT 'cause of a correction, or empty',
    till String COMMENT 'tronc: and the casino, or differences in a correction after the operating day closed',
    cage_section String COMMENT 'operating section of the cage on the other side',
    cage String COMMENT 'cage on the other side',
    cage_till String COMMENT 'where the other side is booked: cage: and the name, or differences in a correction after the count at the close',
    currency String COMMENT 'currency, three letters',
    amount Int64 COMMENT 'amount, hundredths of the currency; in a correction the signed difference'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Chips went from the tronc to a cage.';

CREATE TABLE IF NOT EXISTS UncalledReturned
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round of the hand',
    table String COMMENT 'table',
    tournament String COMMENT 'tournament whose chips are played for, or empty; then amounts are hundredths of a chip and no money moves',
    bet String COMMENT 'the account\'s money in the hand: round, hyphen, seat',
    account String COMMENT 'account',
    amount Int64 COMMENT 'returned',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'What nobody called went back; it was never in a closed pot.';

CREATE TABLE IF NOT EXISTS WheelSpun
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    wheel_direction String COMMENT 'clockwise or counterclockwise',
    ball_direction String COMMENT 'clockwise or counterclockwise; empty where there is no ball',
    revolutions Int32 COMMENT 'full turns of the ball, or of a wheel without one',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Wheel and ball were set in motion.';

CREATE TABLE IF NOT EXISTS WheelStopped
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    round String COMMENT 'round',
    field String COMMENT 'code of the field that the pointer shows; empty while it stands between two',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A wheel of fortune came to rest.';

CREATE TABLE IF NOT EXISTS WinCorrected
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    bet String COMMENT 'bet',
    account String COMMENT 'account',
    round String COMMENT 'round',
    difference Int64 COMMENT 'change of the payment, signed from the wallet\'s side',
    cause String COMMENT 'why',
    claimed Int64 COMMENT 'part that the wallet did not hold; a claim of the operator',
    INDEX of_round round TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A payment was corrected after settlement.';

CREATE TABLE IF NOT EXISTS WithdrawalCancelled
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    withdrawal String COMMENT 'withdrawal',
    amount Int64 COMMENT 'amount',
    reason String COMMENT 'why'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Money set aside for a withdrawal is back in the wallet.';

CREATE TABLE IF NOT EXISTS WithdrawalPaid
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    withdrawal String COMMENT 'withdrawal',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or cash',
    method_class String COMMENT 'cash or account',
    document_shown Bool COMMENT 'an identity document was shown (cash)'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A withdrawal left the account.';

CREATE TABLE IF NOT EXISTS WithdrawalRefused
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    withdrawal String COMMENT 'withdrawal',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or cash',
    method_class String COMMENT 'cash, account, card or other',
    code String COMMENT 'stable code of the refusal',
    sentence String COMMENT 'the refusal in words',
    paragraph String COMMENT 'rule that asks for it'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A withdrawal was refused before money was set aside.';

CREATE TABLE IF NOT EXISTS WithdrawalRequested
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    account String COMMENT 'account',
    withdrawal String COMMENT 'withdrawal',
    amount Int64 COMMENT 'amount',
    method String COMMENT 'payment method, or cash',
    method_class String COMMENT 'cash or account'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'Money is set aside for a withdrawal.';

CREATE TABLE IF NOT EXISTS WriterStarted
(
    previous_hash FixedString(32) COMMENT 'hash of the message before, SHA-256 over 00 and its bytes; zeros at position 0',
    command_id FixedString(16) COMMENT 'identifier of the command that was decided',
    command_digest FixedString(16) COMMENT 'keyed digest of the command\'s content; tells a repeat from a reuse of its identifier',
    position Int64 COMMENT 'place in the chain, from 0 without gaps',
    decision_index Int32 COMMENT 'place in the decision, from 0',
    decision_size Int32 COMMENT 'events of the decision',
    recorded_at Int64 COMMENT 'moment of the record; never goes back',
    occurred_at Int64 COMMENT 'moment of the fact, as its source gave it',
    actor String COMMENT 'who caused it',
    source String COMMENT 'system it came from',
    writer String COMMENT 'name of the writing process',
    epoch Int64 COMMENT 'rises by one with every take-over',
    software_version String COMMENT 'version of gameledger'
)
ENGINE = MergeTree
ORDER BY position
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728
COMMENT 'A process took over the right to write to the chain.';

-- Money of hands among players and of tournaments: signed postings in haléř, as in 0200.
-- Source: the events named by the views. Key: position, posting. Ordering and idempotence: as
-- the table postings.
--
-- Chips of a tournament are no money: events of its hands have no posting. Money put into a
-- hand is in play at once; a pot clears what each player put into it against what was paid
-- out of it, so that the game result of a hand is its rake, which RakeTaken moves to the
-- charges. Entries of a tournament are in play until it ends; then they are the prize pool
-- (kind prize_pool) and the fee, and the bet is `tournament:` and its name. Where arrays of an
-- event have different lengths, what is missing counts 0.

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_hand_action TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    round,
    tupleElement(leg, 4) AS bet,
    'HandAction' AS event,
    tupleElement(leg, 5) AS amount
FROM HandAction
ARRAY JOIN
    [
        (0, 'in_play', HandAction.account, HandAction.bet, HandAction.amount),
        (1, 'wallet', HandAction.account, HandAction.bet, -HandAction.amount)
    ] AS leg
WHERE tupleElement(leg, 5) != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_uncalled_returned TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    round,
    tupleElement(leg, 4) AS bet,
    'UncalledReturned' AS event,
    tupleElement(leg, 5) AS amount
FROM UncalledReturned
ARRAY JOIN
    [
        (0, 'wallet', UncalledReturned.account, UncalledReturned.bet, UncalledReturned.amount),
        (1, 'in_play', UncalledReturned.account, UncalledReturned.bet, -UncalledReturned.amount)
    ] AS leg
WHERE tupleElement(leg, 5) != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_misdeal_declared TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    round,
    tupleElement(leg, 4) AS bet,
    'MisdealDeclared' AS event,
    tupleElement(leg, 5) AS amount
FROM MisdealDeclared
ARRAY JOIN
    arrayConcat(
        arrayMap(seat -> (toInt64(2 * seat - 2), 'wallet', accounts[seat], bets[seat],
            amounts[seat]), arrayEnumerate(accounts)),
        arrayMap(seat -> (toInt64(2 * seat - 1), 'in_play', accounts[seat], bets[seat],
            -amounts[seat]), arrayEnumerate(accounts))) AS leg
WHERE tupleElement(leg, 5) != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_pot_awarded TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    round,
    tupleElement(leg, 4) AS bet,
    'PotAwarded' AS event,
    tupleElement(leg, 5) AS amount
FROM PotAwarded
ARRAY JOIN
    arrayConcat(
        arrayMap(seat -> (toInt64(3 * seat - 3), 'game_result', accounts[seat], bets[seat],
            stakes[seat] - paid[seat]), arrayEnumerate(accounts)),
        arrayMap(seat -> (toInt64(3 * seat - 2), 'wallet', accounts[seat], bets[seat],
            paid[seat]), arrayEnumerate(accounts)),
        arrayMap(seat -> (toInt64(3 * seat - 1), 'in_play', accounts[seat], bets[seat],
            -stakes[seat]), arrayEnumerate(accounts))) AS leg
WHERE tupleElement(leg, 5) != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_points_settled TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    round,
    tupleElement(leg, 4) AS bet,
    'PointsSettled' AS event,
    tupleElement(leg, 5) AS amount
FROM PointsSettled
ARRAY JOIN
    arrayConcat(
        arrayMap(seat -> (toInt64(3 * seat - 3), 'game_result', accounts[seat], bets[seat],
            stakes[seat] - paid[seat]), arrayEnumerate(accounts)),
        arrayMap(seat -> (toInt64(3 * seat - 2), 'wallet', accounts[seat], bets[seat],
            paid[seat]), arrayEnumerate(accounts)),
        arrayMap(seat -> (toInt64(3 * seat - 1), 'in_play', accounts[seat], bets[seat],
            -stakes[seat]), arrayEnumerate(accounts))) AS leg
WHERE tupleElement(leg, 5) != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_rake_taken TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    round,
    tupleElement(leg, 4) AS bet,
    'RakeTaken' AS event,
    tupleElement(leg, 5) AS amount
FROM RakeTaken
ARRAY JOIN
    [
        (0, 'charges', '', '', RakeTaken.amount),
        (1, 'game_result', '', '', -RakeTaken.amount)
    ] AS leg
WHERE tupleElement(leg, 5) != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_time_collection_taken TO postings AS
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    '' AS round,
    tupleElement(leg, 4) AS bet,
    'TimeCollectionTaken' AS event,
    tupleElement(leg, 5) AS amount
FROM TimeCollectionTaken
ARRAY JOIN
    [
        (0, 'charges', TimeCollectionTaken.account, '', TimeCollectionTaken.amount),
        (1, 'wallet', TimeCollectionTaken.account, '', -TimeCollectionTaken.amount)
    ] AS leg
WHERE tupleElement(leg, 5) != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_entry_paid TO postings AS
WITH concat('tournament:', tournament) AS stake_name
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    '' AS round,
    tupleElement(leg, 4) AS bet,
    'TournamentEntryPaid' AS event,
    tupleElement(leg, 5) AS amount
FROM TournamentEntryPaid
ARRAY JOIN
    [
        (0, 'in_play', TournamentEntryPaid.account, stake_name, TournamentEntryPaid.amount),
        (1, 'wallet', TournamentEntryPaid.account, stake_name, -TournamentEntryPaid.amount)
    ] AS leg
WHERE tupleElement(leg, 5) != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_entry_returned TO postings AS
WITH concat('tournament:', tournament) AS stake_name
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    '' AS round,
    tupleElement(leg, 4) AS bet,
    'TournamentEntryReturned' AS event,
    tupleElement(leg, 5) AS amount
FROM TournamentEntryReturned
ARRAY JOIN
    [
        (0, 'wallet', TournamentEntryReturned.account, stake_name, TournamentEntryReturned.amount),
        (1, 'in_play', TournamentEntryReturned.account, stake_name, -TournamentEntryReturned.amount)
    ] AS leg
WHERE tupleElement(leg, 5) != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_ended TO postings AS
WITH concat('tournament:', tournament) AS stake_name
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    '' AS round,
    tupleElement(leg, 4) AS bet,
    'TournamentEnded' AS event,
    tupleElement(leg, 5) AS amount
FROM TournamentEnded
ARRAY JOIN
    arrayConcat(
        arrayMap(seat -> (toInt64(2 * seat - 2), 'prize_pool', accounts[seat], stake_name,
            stakes[seat]), arrayEnumerate(accounts)),
        arrayMap(seat -> (toInt64(2 * seat - 1), 'in_play', accounts[seat], stake_name,
            -stakes[seat]), arrayEnumerate(accounts)),
        [
            (toInt64(2 * length(accounts)), 'charges', '', stake_name, fee),
            (toInt64(2 * length(accounts) + 1), 'prize_pool', '', stake_name, -fee),
            (toInt64(2 * length(accounts) + 2), 'prize_pool', '', stake_name, top_up),
            (toInt64(2 * length(accounts) + 3), 'game_result', '', stake_name, -top_up)
        ]) AS leg
WHERE tupleElement(leg, 5) != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_prize_paid TO postings AS
WITH concat('tournament:', tournament) AS stake_name
SELECT
    position,
    toUInt16(tupleElement(leg, 1)) AS posting,
    recorded_at,
    tupleElement(leg, 2) AS kind,
    tupleElement(leg, 3) AS account,
    '' AS round,
    tupleElement(leg, 4) AS bet,
    'TournamentPrizePaid' AS event,
    tupleElement(leg, 5) AS amount
FROM TournamentPrizePaid
ARRAY JOIN
    [
        (0, 'wallet', TournamentPrizePaid.account, stake_name, paid),
        (1, 'prize_pool', TournamentPrizePaid.account, stake_name, -paid)
    ] AS leg
WHERE tupleElement(leg, 5) != 0;

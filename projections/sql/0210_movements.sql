-- The postings of each event that moves money. Generated from ledger/decisions/movements.py: do
-- not edit. Source: the events named by the views. Key, ordering and idempotence: as the table
-- postings. Where arrays of an event have different lengths, what is missing counts 0.

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_deposit_credited TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'DepositCredited' AS event, moved AS amount
FROM DepositCredited
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', concat('channel_', method_class)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_deposit_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'DepositReturned' AS event, moved AS amount
FROM DepositReturned
ARRAY JOIN
    [0, 1, 2] AS posting,
    [concat('channel_', method_class), 'wallet', 'claims'] AS kind,
    [amount, claimed - amount, -claimed] AS moved
WHERE moved != 0 AND credited;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_withdrawal_requested TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'WithdrawalRequested' AS event, moved AS amount
FROM WithdrawalRequested
ARRAY JOIN
    [0, 1] AS posting,
    ['withdrawals', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_withdrawal_paid TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'WithdrawalPaid' AS event, moved AS amount
FROM WithdrawalPaid
ARRAY JOIN
    [0, 1] AS posting,
    [concat('channel_', method_class), 'withdrawals'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_withdrawal_cancelled TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'WithdrawalCancelled' AS event, moved AS amount
FROM WithdrawalCancelled
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'withdrawals'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_fee_charged TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'FeeCharged' AS event, moved AS amount
FROM FeeCharged
ARRAY JOIN
    [0, 1] AS posting,
    ['charges', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_fee_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'FeeReturned' AS event, moved AS amount
FROM FeeReturned
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'charges'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_balance_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'BalanceReturned' AS event, moved AS amount
FROM BalanceReturned
ARRAY JOIN
    [0, 1] AS posting,
    [concat('channel_', way), 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_claim_settled TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'ClaimSettled' AS event, moved AS amount
FROM ClaimSettled
ARRAY JOIN
    [0, 1] AS posting,
    ['claims', if(way = 'wallet', 'wallet', 'claims_settled')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_write_off_confirmed TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'WriteOffConfirmed' AS event, moved AS amount
FROM WriteOffConfirmed
ARRAY JOIN
    [0, 1] AS posting,
    ['write_offs', if(item = 'claim', 'claims', concat('channel_', method_class))] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_placed TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetPlaced' AS event, moved AS amount
FROM BetPlaced
ARRAY JOIN
    [0, 1] AS posting,
    ['reserved', 'wallet'] AS kind,
    [stake, -stake] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_withdrawn TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetWithdrawn' AS event, moved AS amount
FROM BetWithdrawn
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'reserved'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetReturned' AS event, moved AS amount
FROM BetReturned
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'reserved'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_concluded TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetConcluded' AS event, moved AS amount
FROM BetConcluded
ARRAY JOIN
    [0, 1] AS posting,
    ['in_play', 'reserved'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_settled TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetSettled' AS event, moved AS amount
FROM BetSettled
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['game_result', 'wallet', 'in_play'] AS kind,
    [stake - paid, paid, -stake] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_voided TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetVoided' AS event, moved AS amount
FROM BetVoided
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'in_play'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_win_corrected TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'WinCorrected' AS event, moved AS amount
FROM WinCorrected
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['wallet', 'game_result', 'claims'] AS kind,
    [difference + claimed, -difference, -claimed] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_bet_corrected TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'BetCorrected' AS event, moved AS amount
FROM BetCorrected
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['game_result', 'wallet', 'claims'] AS kind,
    [difference, claimed - difference, -claimed] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_prize_withheld TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'PrizeWithheld' AS event, moved AS amount
FROM PrizeWithheld
ARRAY JOIN
    [0, 1, 2] AS posting,
    ['game_result', 'wallet', 'claims'] AS kind,
    [collected + claimed, -collected, -claimed] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_hand_action TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'HandAction' AS event, moved AS amount
FROM HandAction
ARRAY JOIN
    [0, 1] AS posting,
    ['in_play', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_uncalled_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, round, bet,
    'UncalledReturned' AS event, moved AS amount
FROM UncalledReturned
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'in_play'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_misdeal_declared TO postings AS
WITH
    arrayFlatten(arrayMap(seat -> [
        ('wallet', accounts[seat], bets[seat], amounts[seat]),
        ('in_play', accounts[seat], bets[seat], -amounts[seat])
    ], arrayEnumerate(accounts))) AS legs
SELECT
    position, number - 1 AS posting, recorded_at, leg.1 AS kind,
    leg.2 AS account, round, leg.3 AS bet,
    'MisdealDeclared' AS event, leg.4 AS amount
FROM MisdealDeclared
ARRAY JOIN
    legs AS leg,
    arrayEnumerate(legs) AS number
WHERE leg.4 != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_pot_awarded TO postings AS
WITH
    arrayFlatten(arrayMap(seat -> [
        ('game_result', accounts[seat], bets[seat], stakes[seat] - paid[seat]),
        ('wallet', accounts[seat], bets[seat], paid[seat]),
        ('in_play', accounts[seat], bets[seat], -stakes[seat])
    ], arrayEnumerate(accounts))) AS legs
SELECT
    position, number - 1 AS posting, recorded_at, leg.1 AS kind,
    leg.2 AS account, round, leg.3 AS bet,
    'PotAwarded' AS event, leg.4 AS amount
FROM PotAwarded
ARRAY JOIN
    legs AS leg,
    arrayEnumerate(legs) AS number
WHERE leg.4 != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_points_settled TO postings AS
WITH
    arrayFlatten(arrayMap(seat -> [
        ('game_result', accounts[seat], bets[seat], stakes[seat] - paid[seat]),
        ('wallet', accounts[seat], bets[seat], paid[seat]),
        ('in_play', accounts[seat], bets[seat], -stakes[seat])
    ], arrayEnumerate(accounts))) AS legs
SELECT
    position, number - 1 AS posting, recorded_at, leg.1 AS kind,
    leg.2 AS account, round, leg.3 AS bet,
    'PointsSettled' AS event, leg.4 AS amount
FROM PointsSettled
ARRAY JOIN
    legs AS leg,
    arrayEnumerate(legs) AS number
WHERE leg.4 != 0 AND tournament = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_rake_taken TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, round, '' AS bet,
    'RakeTaken' AS event, moved AS amount
FROM RakeTaken
ARRAY JOIN
    [0, 1] AS posting,
    ['charges', 'game_result'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_time_collection_taken TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'TimeCollectionTaken' AS event, moved AS amount
FROM TimeCollectionTaken
ARRAY JOIN
    [0, 1] AS posting,
    ['charges', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_entry_paid TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, concat('tournament:', tournament) AS bet,
    'TournamentEntryPaid' AS event, moved AS amount
FROM TournamentEntryPaid
ARRAY JOIN
    [0, 1] AS posting,
    ['in_play', 'wallet'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_entry_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, concat('tournament:', tournament) AS bet,
    'TournamentEntryReturned' AS event, moved AS amount
FROM TournamentEntryReturned
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'in_play'] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_ended TO postings AS
WITH
    arrayConcat(arrayFlatten(arrayMap(seat -> [
        ('prize_pool', accounts[seat], concat('tournament:', tournament), stakes[seat]),
        ('in_play', accounts[seat], concat('tournament:', tournament), -stakes[seat])
    ], arrayEnumerate(accounts))), [
        ('charges', '', concat('tournament:', tournament), fee),
        ('prize_pool', '', concat('tournament:', tournament), -fee),
        ('prize_pool', '', concat('tournament:', tournament), top_up),
        ('game_result', '', concat('tournament:', tournament), -top_up)
    ]) AS legs
SELECT
    position, number - 1 AS posting, recorded_at, leg.1 AS kind,
    leg.2 AS account, '' AS round, leg.3 AS bet,
    'TournamentEnded' AS event, leg.4 AS amount
FROM TournamentEnded
ARRAY JOIN
    legs AS leg,
    arrayEnumerate(legs) AS number
WHERE leg.4 != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tournament_prize_paid TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, concat('tournament:', tournament) AS bet,
    'TournamentPrizePaid' AS event, moved AS amount
FROM TournamentPrizePaid
ARRAY JOIN
    [0, 1] AS posting,
    ['wallet', 'prize_pool'] AS kind,
    [paid, -paid] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_cage_counted TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'CageCounted' AS event, moved AS amount
FROM CageCounted
ARRAY JOIN
    [0, 1] AS posting,
    [if(means = 'cash', concat('cash_', currency, ':', till), concat('chips_', currency, ':', till)), if(means = 'cash', concat('cash_', currency, ':', against), concat('chips_', currency, ':', against))] AS kind,
    [amount - expected, expected - amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_table_float_counted TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'TableFloatCounted' AS event, moved AS amount
FROM TableFloatCounted
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':', till), concat('chips_', currency, ':', against)] AS kind,
    [amount - expected, expected - amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_drop_counted TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'DropCounted' AS event, moved AS amount
FROM DropCounted
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':', till), concat('cash_', currency, ':', against)] AS kind,
    [amount - expected, expected - amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_chips_sold TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'ChipsSold' AS event, moved AS amount
FROM ChipsSold
ARRAY JOIN
    [0, 1, 2, 3] AS posting,
    [concat('chips_', currency, ':guests'), concat('chips_', currency, ':', till), concat(method, '_', currency, ':', till), concat(method, '_', currency, ':guests')] AS kind,
    [amount, -amount, amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_chips_redeemed TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'ChipsRedeemed' AS event, moved AS amount
FROM ChipsRedeemed
ARRAY JOIN
    [0, 1, 2, 3] AS posting,
    [concat('chips_', currency, ':', till), concat('chips_', currency, ':', holder), concat(method, '_', currency, ':', holder), concat(method, '_', currency, ':', till)] AS kind,
    [amount, -amount, amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_cage_funded TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'CageFunded' AS event, moved AS amount
FROM CageFunded
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':', till), concat('cash_', currency, ':apart')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_cage_withdrawn TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'CageWithdrawn' AS event, moved AS amount
FROM CageWithdrawn
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':apart'), concat('cash_', currency, ':', till)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_cage_other_in TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'CageOtherIn' AS event, moved AS amount
FROM CageOtherIn
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':', till), concat('cash_', currency, ':other')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_currency_exchanged TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'CurrencyExchanged' AS event, moved AS amount
FROM CurrencyExchanged
ARRAY JOIN
    [0, 1, 2, 3] AS posting,
    [concat('cash_', currency, ':', till), concat('cash_', currency, ':guests'), concat('cash_', given_currency, ':guests'), concat('cash_', given_currency, ':', till)] AS kind,
    [amount, -amount, given, -given] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_fill_received TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'FillReceived' AS event, moved AS amount
FROM FillReceived
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':', till), concat('chips_', currency, ':', cage_till)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_credit_returned TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'CreditReturned' AS event, moved AS amount
FROM CreditReturned
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':', cage_till), concat('chips_', currency, ':', till)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_drop_moved_to_cage TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'DropMovedToCage' AS event, moved AS amount
FROM DropMovedToCage
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':', cage_till), concat('cash_', currency, ':', till)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tip_received TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'TipReceived' AS event, moved AS amount
FROM TipReceived
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':', till), concat('chips_', currency, ':guests')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tip_given TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'TipGiven' AS event, moved AS amount
FROM TipGiven
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':staff'), concat('chips_', currency, ':guests')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_tronc_moved_to_cage TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'TroncMovedToCage' AS event, moved AS amount
FROM TroncMovedToCage
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':', cage_till), concat('chips_', currency, ':', till)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_chips_missing TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, '' AS round, '' AS bet,
    'ChipsMissing' AS event, moved AS amount
FROM ChipsMissing
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':missing'), concat('chips_', currency, ':guests')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_account_cash_in TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'AccountCashIn' AS event, moved AS amount
FROM AccountCashIn
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':', till), concat('cash_', currency, ':guests')] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_account_cash_out TO postings AS
SELECT
    position, posting, recorded_at, kind,
    account, '' AS round, '' AS bet,
    'AccountCashOut' AS event, moved AS amount
FROM AccountCashOut
ARRAY JOIN
    [0, 1] AS posting,
    [concat('cash_', currency, ':guests'), concat('cash_', currency, ':', till)] AS kind,
    [amount, -amount] AS moved
WHERE moved != 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_chip_bet_settled TO postings AS
SELECT
    position, posting, recorded_at, kind,
    '' AS account, round, '' AS bet,
    'ChipBetSettled' AS event, moved AS amount
FROM ChipBetSettled
ARRAY JOIN
    [0, 1] AS posting,
    [concat('chips_', currency, ':', till), concat('chips_', currency, ':guests')] AS kind,
    [amount - paid, paid - amount] AS moved
WHERE moved != 0;

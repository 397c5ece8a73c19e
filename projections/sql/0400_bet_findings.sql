-- Bets whose facts do not fit together, or do not fit their round.
-- Source: views bets and rounds, BetPlaced, BetConcluded, BetSettled, BetVoided, BetImprisoned,
-- PrisonDecided, PayoutHeld, PayoutReleased, RoundResulted, RoundVoided. Key: code, bet. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). Every view of findings has the same columns, except
-- parts: only views whose details have several values have it. projections/checks
-- has the codes. amount is haléř.

CREATE VIEW IF NOT EXISTS bet_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'stake, difference of stakes or payment, haléř',
    detail String COMMENT 'bet that is missing',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Bets whose facts do not fit together, or do not fit their round.'
AS
WITH
    holds AS
    (
        SELECT
            account, round,
            groupArrayIf(position, is_held) AS held,
            groupArrayIf(position, NOT is_held) AS released
        FROM
        (
            SELECT account, round, position, true AS is_held
            FROM PayoutHeld WHERE position < {size:Int64}
            UNION ALL
            SELECT account, round, position, false
            FROM PayoutReleased WHERE position < {size:Int64}
        )
        GROUP BY account, round
    ),
    prison AS
    (
        SELECT
            imprisoned.bet AS bet,
            any(imprisoned.account) AS account,
            any(imprisoned.round) AS round,
            any(imprisoned.table) AS table,
            any(imprisoned.chip) AS chip,
            min(imprisoned.position) AS position,
            min(decided.position) AS decided_position,
            any(decided.next_number) AS decided_by
        FROM BetImprisoned AS imprisoned
        LEFT JOIN
        (
            SELECT bet, position, next_number
            FROM PrisonDecided
            WHERE position < {size:Int64}
        ) AS decided ON imprisoned.bet = decided.bet
        WHERE imprisoned.position < {size:Int64}
        GROUP BY bet
    ),
    spun_after AS
    (
        SELECT
            prison.bet AS bet,
            min(resulted.position) AS position,
            argMin(JSONExtractInt(resulted.outcome, 'number'), resulted.position) AS number
        FROM prison
        INNER JOIN RoundResulted AS resulted ON prison.table = resulted.table
        WHERE resulted.position < {size:Int64} AND resulted.position > prison.position
            AND resulted.position >= (SELECT minOrNull(position) FROM prison)
        GROUP BY bet
    ),
    facts AS
    (
        SELECT
            length(holds.held) > length(holds.released) AS on_hold,
            arrayCount(at -> at < bet.settled_position, holds.held)
                > arrayCount(at -> at < bet.settled_position, holds.released) AS paid_on_hold,
            bet.account AS account, bet.round AS round, bet.bet AS bet, bet.parent AS parent,
            bet.stake AS stake, bet.paid AS paid,
            bet.stake_greatest - bet.stake_least AS difference,
            bet.placed AS placed, bet.concluded AS concluded, bet.given_back AS given_back,
            bet.voided AS voided, bet.settled AS settled,
            bet.first_position AS first_position,
            bet.placed_position AS placed_position,
            bet.concluded_position AS concluded_position,
            bet.settled_position AS settled_position,
            bet.taken_last_position AS taken_last, bet.ended_last_position AS ended_last,
            round.opened_position AS round_opened, round.closed_position AS round_closed,
            round.closed_end AS close_end, round.resulted_position AS round_resulted,
            round.voided_position AS round_voided,
            given_back + voided + settled AS ended
        FROM bets(size = {size:Int64}, account = '') AS bet
        LEFT JOIN rounds(size = {size:Int64}) AS round ON bet.round = round.round
        LEFT JOIN holds ON bet.account = holds.account AND bet.round = holds.round
    ),
    judged AS
    (
        SELECT
            account, round, bet,
            arrayJoin(arrayFilter(found -> found.2 > 0,
            [
                ('BET_NOT_PLACED', if(placed = 0, first_position, 0), stake),
                ('BET_TAKEN_TWICE', if(placed > 1 OR concluded > 1, taken_last, 0), stake),
                ('BET_SETTLED_TWICE', if(settled > 1, ended_last, 0), paid),
                (
                    'BET_ENDED_TWICE',
                    if(settled < 2 AND ended > 1 OR given_back > 0 AND concluded > 0,
                        ended_last, 0),
                    stake
                ),
                (
                    'BET_NOT_CONCLUDED',
                    if(placed > 0 AND concluded = 0 AND settled + voided > 0, ended_last, 0),
                    stake
                ),
                ('STAKE_DIFFERS', if(difference != 0, greatest(taken_last, ended_last), 0),
                    difference),
                (
                    'BET_AFTER_CLOSE',
                    multiIf(
                        parent != '' OR placed = 0 OR round_closed = 0, 0,
                        placed_position > round_closed, placed_position,
                        concluded_position >= close_end, concluded_position,
                        0),
                    stake
                ),
                (
                    'BET_BEFORE_CLOSE',
                    if(placed > 0 AND parent = '' AND concluded > 0
                        AND (round_closed = 0 OR concluded_position < round_closed),
                        concluded_position, 0),
                    stake
                ),
                (
                    'BET_IN_NO_ROUND',
                    if(placed > 0 AND (round_opened = 0 OR placed_position < round_opened),
                        placed_position, 0),
                    stake
                ),
                (
                    'BET_NOT_SETTLED',
                    if(placed > 0 AND concluded > 0 AND ended = 0 AND round_resulted > 0
                        AND NOT on_hold AND bet NOT IN
                            (SELECT prison.bet FROM prison WHERE prison.decided_position = 0),
                        greatest(round_resulted, concluded_position), 0),
                    stake
                ),
                ('PAID_ON_HOLD', if(settled > 0 AND paid_on_hold, settled_position, 0), paid),
                (
                    'BET_NOT_RETURNED',
                    if(placed > 0 AND concluded > 0 AND ended = 0 AND round_resulted = 0
                        AND round_voided > 0, round_voided, 0),
                    stake
                ),
                (
                    'BET_LEFT_ON_TABLE',
                    if(placed > 0 AND concluded = 0 AND ended = 0
                        AND round_closed + round_resulted + round_voided > 0, placed_position, 0),
                    stake
                ),
                (
                    'BET_SETTLED_EARLY',
                    if(settled > 0 AND (round_resulted = 0 OR settled_position < round_resulted),
                        settled_position, 0),
                    paid
                )
            ])) AS found
        FROM facts
    ),
    raises AS
    (
        SELECT position, account, round, bet, parent, stake
        FROM BetPlaced
        WHERE position < {size:Int64} AND parent != ''
            AND (account, round, bet) IN
            (
                SELECT account, round, bet
                FROM BetConcluded
                WHERE position < {size:Int64}
                    AND bet IN (SELECT bet FROM BetPlaced WHERE parent != '')
            )
    )
SELECT
    found.1 AS code, found.2 AS position, account, round, bet, found.3 AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM judged
UNION ALL
SELECT
    'RAISE_OF_NO_BET' AS code, position, account, round, bet, stake AS amount, parent AS detail,
    [] AS parts
FROM raises
WHERE (account, round, parent) NOT IN
(
    SELECT account, round, bet
    FROM BetConcluded
    WHERE position < {size:Int64} AND bet IN (SELECT parent FROM raises)
)
UNION ALL
SELECT
    if(prison.decided_position = 0, 'PRISON_NOT_DECIDED', 'PRISON_DECIDED_WRONG') AS code,
    if(prison.decided_position = 0, spun_after.position, prison.decided_position) AS position,
    prison.account AS account, prison.round AS round, prison.bet AS bet, prison.chip AS amount,
    arrayStringConcat(parts, ' against ') AS detail,
    if(prison.decided_position = 0, [],
        [toString(prison.decided_by), toString(spun_after.number)]) AS parts
FROM prison
INNER JOIN spun_after ON prison.bet = spun_after.bet
WHERE prison.decided_position = 0 OR prison.decided_by != spun_after.number;

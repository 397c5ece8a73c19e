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
    prison_spins AS
    (
        SELECT
            prison.bet AS bet, prison.account AS account, prison.round AS round,
            prison.chip AS chip, prison.decided_position AS decided_position,
            prison.decided_by AS decided_by, spun_after.position AS spun_position,
            spun_after.number AS number
        FROM prison
        INNER JOIN spun_after ON prison.bet = spun_after.bet
    ),
    bets_of_rounds AS
    (
        SELECT
            length(holds.held) > length(holds.released) AS on_hold,
            arrayCount(at -> at < bet.settled_position, holds.held)
                > arrayCount(at -> at < bet.settled_position, holds.released) AS paid_on_hold,
            bet.bet IN (SELECT prison.bet FROM prison WHERE prison.decided_position = 0)
                AS in_prison,
            bet.account AS account, bet.round AS round, bet.bet AS bet, bet.parent AS parent,
            bet.stake AS stake, bet.paid AS paid,
            bet.stake_greatest - bet.stake_least AS difference,
            bet.placed AS placed, bet.concluded AS concluded, bet.given_back AS given_back,
            bet.voided AS voided, bet.settled AS settled,
            bet.first_position AS first_position,
            bet.placed_position AS placed_position,
            bet.concluded_position AS concluded_position,
            bet.settled_position AS settled_position,
            bet.taken_last_position AS taken_last_position,
            bet.ended_last_position AS ended_last_position,
            round.opened_position AS round_opened, round.closed_position AS round_closed,
            round.closed_end AS close_end, round.resulted_position AS round_resulted,
            round.voided_position AS round_voided,
            given_back + voided + settled AS ended
        FROM bets(size = {size:Int64}, account = '') AS bet
        LEFT JOIN rounds(size = {size:Int64}) AS round ON bet.round = round.round
        LEFT JOIN holds ON bet.account = holds.account AND bet.round = holds.round
    )
{checks};

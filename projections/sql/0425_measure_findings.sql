-- Bets over a self-restricting measure that was in force when they were concluded (ZHH 15,
-- SAZKA 7(1), 13(2), 13(5)).
-- Source: view measures_in_force, AccountOpened, LimitSet, LoggedIn, LoggedOut, BetConcluded, BetVoided, HandAction,
-- UncalledReturned, MisdealDeclared, TournamentEntryPaid, TournamentEntryReturned, postings.
-- Key: code, bet, detail. Ordering: none. Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). A bet counts in the day and month of its record, in Prague,
-- and leaves them when it is given back; what was put into a hand last goes back first. A payment
-- counts in those of its own record, and so do a settled claim, which lowers the payments, and a
-- corrected stake: what it took is a stake, what it gave back a payment. A bet is judged by the
-- measures of its account and by what its person did with whatever account; who is the person where
-- one had several, otherwise the account. Only accounts with a measure are looked at, and those of
-- their persons. amount is what passes measures a to d in haléř, 0 for f and g.

CREATE VIEW IF NOT EXISTS measure_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'what passes measures a to d, haléř; 0 for f and g',
    detail String COMMENT 'what was reached of what is allowed, in the measure\'s unit',
    parts Array(String) COMMENT 'values in the detail that is a text, in its order; otherwise empty'
)
COMMENT 'Bets over a self-restricting measure that was in force.'
AS
WITH
    limits AS
    (
        SELECT account, measure, effective_at, value FROM measures_in_force(size = {size:Int64})
    ),
    several AS
    (
        SELECT account, person
        FROM AccountOpened
        WHERE position < {size:Int64} AND person != ''
        QUALIFY count() OVER (PARTITION BY person) > 1
    ),
    measured AS
    (
        SELECT account FROM LimitSet WHERE position < {size:Int64}
        UNION ALL
        SELECT account
        FROM several
        WHERE person IN
        (
            SELECT person
            FROM several
            WHERE account IN (SELECT account FROM LimitSet WHERE position < {size:Int64})
        )
    ),
    put_in AS
    (
        SELECT account, round, bet, position, recorded_at, amount
        FROM BetConcluded
        WHERE position < {size:Int64} AND amount != 0
        UNION ALL
        SELECT account, round, bet, position, recorded_at, amount
        FROM HandAction
        WHERE position < {size:Int64} AND amount != 0 AND tournament = ''
        UNION ALL
        SELECT account, '', entry, position, recorded_at, amount
        FROM TournamentEntryPaid
        WHERE position < {size:Int64}
    ),
    bets AS
    (
        SELECT
            account, round, bet, position, recorded_at, amount,
            toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')) AS day
        FROM put_in
        WHERE account IN measured
    ),
    put_back AS
    (
        SELECT account, bet, position, amount FROM BetVoided WHERE position < {size:Int64}
        UNION ALL
        SELECT account, bet, position, amount
        FROM UncalledReturned
        WHERE position < {size:Int64} AND tournament = ''
        UNION ALL
        SELECT account, entry, position, amount
        FROM TournamentEntryReturned
        WHERE position < {size:Int64}
        UNION ALL
        SELECT
            tupleElement(seat, 1), tupleElement(seat, 2), position, tupleElement(seat, 3)
        FROM MisdealDeclared
        ARRAY JOIN arrayZip(accounts, bets, amounts) AS seat
        WHERE position < {size:Int64} AND tournament = ''
    ),
    by_day AS
    (
        SELECT
            put_back.account AS account, put_back.position AS position,
            any(put_back.amount) AS given_back, put_back.bet AS bet, bets.day AS day,
            sum(bets.amount) AS of_day
        FROM put_back
        INNER JOIN bets ON put_back.account = bets.account AND put_back.bet = bets.bet
        WHERE bets.position < put_back.position
        GROUP BY account, position, bet, day
    ),
    freed AS
    (
        SELECT
            account, position, day,
            least(of_day, greatest(0, given_back - later)) AS amount
        FROM
        (
            SELECT
                account, position, day, given_back, of_day,
                sum(of_day) OVER
                (
                    PARTITION BY account, position, bet ORDER BY day DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) - of_day AS later
            FROM by_day
        )
    ),
    movements AS
    (
        SELECT
            1 AS is_bet, account, round, bet, position, recorded_at, day,
            amount AS stake, toInt64(0) AS won
        FROM bets
        UNION ALL
        SELECT 0, account, '', '', position, 0, day, -amount, 0
        FROM freed
        UNION ALL
        SELECT
            0, account, '', '', position, 0,
            toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')), 0, amount
        FROM postings
        WHERE position < {size:Int64} AND kind = 'wallet'
            AND event IN ('BetSettled', 'PotAwarded', 'PointsSettled', 'TournamentPrizePaid',
                'WinCorrected', 'PrizeWithheld', 'ClaimSettled')
            AND account IN measured
        UNION ALL
        SELECT
            0, account, '', '', position, 0,
            toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')),
            greatest(-amount, 0), greatest(amount, 0)
        FROM postings
        WHERE position < {size:Int64} AND kind = 'wallet' AND event = 'BetCorrected'
            AND account IN measured
    ),
    sums AS
    (
        SELECT
            is_bet, movements.account AS account, round, bet, position, recorded_at,
            if(several.person = '', movements.account, several.person) AS who,
            toInt64(1000000 * toUnixTimestamp(toStartOfDay(
                fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')))) AS midnight,
            sum(stake) OVER of_day AS day_stakes, sum(stake) OVER of_month AS month_stakes,
            sum(stake - won) OVER of_day AS day_loss, sum(stake - won) OVER of_month AS month_loss
        FROM movements
        LEFT JOIN several ON movements.account = several.account
        WINDOW
            of_day AS
            (
                PARTITION BY who, day ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ),
            of_month AS
            (
                PARTITION BY who, toStartOfMonth(day) ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            )
    ),
    begun AS
    (
        SELECT
            session, LoggedIn.account AS account, position, recorded_at,
            if(several.person = '', LoggedIn.account, several.person) AS who
        FROM LoggedIn
        LEFT JOIN several ON LoggedIn.account = several.account
        WHERE position < {size:Int64} AND LoggedIn.account IN measured
    ),
    ended AS
    (
        SELECT
            account, session, position, recorded_at,
            toInt64(1000000 * toUnixTimestamp(toStartOfDay(
                fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')))) AS midnight
        FROM LoggedOut
        WHERE position < {size:Int64} AND account IN measured
    ),
    logouts AS
    (
        SELECT
            if(several.person = '', ended.account, several.person) AS who,
            ended.position AS position, ended.recorded_at AS ended_at,
            sum(if(begun.position > 0,
                ended.recorded_at - greatest(begun.recorded_at, midnight), 0)) OVER
            (
                PARTITION BY who, midnight ORDER BY ended.position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS spent
        FROM ended
        LEFT JOIN begun ON ended.session = begun.session AND ended.account = begun.account
        LEFT JOIN several ON ended.account = several.account
    ),
    used AS
    (
        SELECT
            sums.account AS account, sums.round AS round, sums.bet AS bet,
            sums.position AS position, sums.recorded_at AS recorded_at,
            if(logouts.ended_at >= midnight, logouts.spent, 0)
                + if(begun.position > logouts.position,
                    sums.recorded_at - greatest(begun.recorded_at, midnight), 0) AS logged_in,
            if(logouts.position > 0, sums.recorded_at - logouts.ended_at, 9223372036854775807)
                AS paused,
            arrayJoin(
            [
                ('a', day_stakes), ('b', month_stakes), ('c', day_loss), ('d', month_loss),
                ('f', logged_in), ('g', paused)
            ]) AS use
        FROM sums
        ASOF LEFT JOIN logouts
            ON sums.who = logouts.who AND sums.position > logouts.position
        ASOF LEFT JOIN begun
            ON sums.who = begun.who AND sums.position > begun.position
        WHERE sums.is_bet
    ),
    measures_used AS
    (
        SELECT
            used.account AS account, used.round AS round, used.bet AS bet,
            used.position AS position, used.use.1 AS measure, used.use.2 AS used,
            assumeNotNull(limits.value) AS allowed
        FROM used
        ASOF INNER JOIN limits
            ON used.account = limits.account AND used.use.1 = limits.measure
            AND used.recorded_at >= limits.effective_at
        WHERE limits.value IS NOT NULL
    )
{checks};

-- Accounts, logins and rounds that began without what has to come first: verification, the answer of
-- the register, rules in force, decided measures (SAZKA 1(4), 8, 9(3), 12a(4); ZHH 15).
-- Source: the events named below, view measures_in_force. Key: code, position. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). The register is asked in the decision that opens the account or
-- logs in. Rules are in force once they are published and effective, until others of the game are;
-- an account names a version that is in force for any game. Of an account that bets without having
-- set or declined each of the seven measures, its first bet is told. Logins of a month are those of
-- the person, with whatever account.

CREATE VIEW IF NOT EXISTS entry_findings
(
    code String COMMENT 'what is wrong; gameledger reconcile says it in words',
    position Int64 COMMENT 'place of the fact in the chain',
    account String COMMENT 'account; empty where it is no matter of one',
    round String COMMENT 'round; empty where it is no matter of one',
    bet String COMMENT 'bet; empty where it is no matter of one',
    amount Int64 COMMENT 'logins above measure e; otherwise 0',
    detail String COMMENT 'what was missing, or what there was instead'
)
COMMENT 'Accounts, logins and rounds that began without what has to come first.'
AS
WITH
    checks AS
    (
        SELECT
            account, position - decision_index AS decision, occasion,
            argMax(answer, position) AS answer
        FROM RegisterChecked
        WHERE position < {size:Int64}
        GROUP BY account, decision, occasion
    ),
    entries AS
    (
        SELECT
            'registration' AS occasion, account, position, position - decision_index AS decision,
            1 AS is_let_in
        FROM AccountOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT 'login', account, position, position - decision_index, mode = 'full'
        FROM LoggedIn
        WHERE position < {size:Int64}
    ),
    verified AS
    (
        SELECT account, min(person.position) AS position
        FROM PersonVerified AS person
        WHERE person.position < {size:Int64}
        GROUP BY account
    ),
    changed AS
    (
        SELECT
            account, max(name != '') AS has_name, max(address != '') AS has_address,
            max(email != '') AS has_email
        FROM PersonChanged
        WHERE position < {size:Int64}
        GROUP BY account
    ),
    closings AS
    (
        SELECT account, min(closed.position) AS position
        FROM AccountClosed AS closed
        WHERE closed.position < {size:Int64}
        GROUP BY account
    ),
    accounts AS
    (
        SELECT
            opened.account AS account, opened.position AS position,
            lagInFrame(opened.account) OVER of_person AS account_before,
            lagInFrame(if(closings.position = 0, {size:Int64}, closings.position)) OVER of_person
                AS closed_before
        FROM AccountOpened AS opened
        LEFT JOIN closings ON opened.account = closings.account
        WHERE opened.position < {size:Int64}
        WINDOW of_person AS
        (
            PARTITION BY opened.person ORDER BY opened.position
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
    ),
    published AS
    (
        SELECT
            game, greatest(effective_from, recorded_at) AS since,
            argMax(plan_version, (effective_from, position)) OVER
            (
                PARTITION BY game ORDER BY since, position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS in_force
        FROM RulesPublished
        WHERE position < {size:Int64}
    ),
    openings AS
    (
        SELECT
            'RULES_NOT_IN_FORCE' AS code, '' AS account, round, position, recorded_at,
            plan_version, game
        FROM RoundOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT
            'PLAN_NOT_IN_FORCE', account, '', position, recorded_at, plan_version,
            arrayJoin((SELECT groupUniqArray(game) || [''] FROM RulesPublished)) AS game
        FROM AccountOpened
        WHERE position < {size:Int64}
    ),
    measures AS
    (
        SELECT account, measure, position FROM LimitSet WHERE position < {size:Int64}
        UNION ALL
        SELECT account, measure, position FROM LimitDeclined WHERE position < {size:Int64}
    ),
    decided AS
    (
        SELECT account, if(count() = 7, max(first), {size:Int64}) AS position
        FROM (SELECT account, measure, min(position) AS first FROM measures GROUP BY account, measure)
        GROUP BY account
    ),
    bets AS
    (
        SELECT account, round, bet, position FROM BetConcluded WHERE position < {size:Int64}
        UNION ALL
        SELECT account, round, bet, position
        FROM HandAction
        WHERE position < {size:Int64} AND tournament = '' AND amount > 0
        UNION ALL
        SELECT account, '', entry, position FROM TournamentEntryPaid WHERE position < {size:Int64}
    ),
    first_bets AS
    (
        SELECT account, min(bets.position) AS position, argMin((round, bet), bets.position) AS what
        FROM bets
        GROUP BY account
    ),
    limited AS
    (
        SELECT account, any(person) AS who
        FROM AccountOpened
        WHERE position < {size:Int64} AND person IN
        (
            SELECT person
            FROM AccountOpened
            WHERE position < {size:Int64} AND account IN
                (SELECT account FROM LimitSet WHERE position < {size:Int64} AND measure = 'e')
        )
        GROUP BY account
    ),
    logins AS
    (
        SELECT
            begun.account AS account, begun.position AS position, begun.recorded_at AS recorded_at,
            count() OVER
            (
                PARTITION BY if(who = '', begun.account, who),
                    toStartOfMonth(fromUnixTimestamp64Micro(begun.recorded_at, 'Europe/Prague'))
                ORDER BY begun.position ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS of_month
        FROM LoggedIn AS begun
        INNER JOIN limited ON begun.account = limited.account
        WHERE begun.position < {size:Int64}
    ),
    logins_allowed AS
    (
        SELECT account, effective_at, value
        FROM measures_in_force(size = {size:Int64})
        WHERE measure = 'e'
    )
SELECT
    if(checks.occasion = '', 'REGISTER_NOT_ASKED', 'LISTED_LET_IN') AS code,
    entries.position AS position, entries.account AS account, '' AS round, '' AS bet,
    toInt64(0) AS amount, entries.occasion AS detail
FROM entries
LEFT JOIN checks
    ON entries.account = checks.account AND entries.decision = checks.decision
    AND entries.occasion = checks.occasion
WHERE checks.occasion = '' OR (checks.answer = 'listed' AND is_let_in)
UNION ALL
SELECT 'IDENTITY_NOT_VERIFIED', opened.position, opened.account, '', '', 0, ''
FROM AccountOpened AS opened
LEFT JOIN verified ON opened.account = verified.account
WHERE opened.position < {size:Int64}
    AND (verified.position = 0
        OR verified.position >= opened.position - opened.decision_index + opened.decision_size)
UNION ALL
SELECT
    'DATA_MISSING', opened.position, opened.account, '', '', 0,
    arrayStringConcat(arrayFilter(field -> field != '',
    [
        if(opened.name = '' AND changed.has_name = 0, 'name', ''),
        if(opened.address = '' AND changed.has_address = 0, 'address', ''),
        if(opened.email = '' AND changed.has_email = 0, 'email', '')
    ]), ', ') AS missing
FROM AccountOpened AS opened
LEFT JOIN changed ON opened.account = changed.account
WHERE opened.position < {size:Int64} AND missing != ''
UNION ALL
SELECT 'GUEST_NOT_ADMITTED', position, '', '', '', amount, guest
FROM
(
    SELECT sold.position AS position, sold.place AS place, sold.guest AS guest,
        sold.amount AS amount, admitted.position AS admitted_position
    FROM (SELECT position, place, guest, amount, corrects FROM ChipsSold WHERE position < {size:Int64}) AS sold
    ASOF LEFT JOIN
    (
        SELECT place, guest, position FROM GuestAdmitted WHERE position < {size:Int64}
    ) AS admitted
        ON sold.place = admitted.place AND sold.guest = admitted.guest
        AND sold.position > admitted.position
    WHERE sold.guest != '' AND sold.corrects = ''
) AS sale
ASOF LEFT JOIN
(
    SELECT place, position AS closed_position
    FROM OperatingDayClosed
    WHERE position < {size:Int64}
) AS closed ON sale.place = closed.place AND sale.position > closed.closed_position
WHERE admitted_position = 0 OR admitted_position < closed_position
UNION ALL
SELECT 'LISTED_LET_IN', position, '', '', '', 0, 'entrance'
FROM GuestAdmitted
WHERE position < {size:Int64} AND answer = 'listed'
UNION ALL
SELECT 'SECOND_ACCOUNT', position, account, '', '', 0, account_before
FROM accounts
WHERE account_before != '' AND closed_before > position
UNION ALL
SELECT code, position, account, round, '', 0, any(openings.plan_version)
FROM openings
ASOF LEFT JOIN published
    ON openings.game = published.game AND openings.recorded_at >= published.since
GROUP BY code, position, account, round
HAVING NOT max(openings.plan_version = published.in_force AND published.since > 0)
UNION ALL
SELECT
    'BET_WITHOUT_MEASURES', first_bets.position, first_bets.account, what.1, what.2, 0, ''
FROM first_bets
LEFT JOIN decided ON first_bets.account = decided.account
WHERE decided.position = 0 OR first_bets.position < decided.position
UNION ALL
SELECT
    'LOGINS_PASSED', logins.position, logins.account, '', '',
    logins.of_month - assumeNotNull(logins_allowed.value),
    toString(assumeNotNull(logins_allowed.value))
FROM logins
ASOF INNER JOIN logins_allowed
    ON logins.account = logins_allowed.account
    AND logins.recorded_at >= logins_allowed.effective_at
WHERE logins_allowed.value IS NOT NULL AND logins.of_month > logins_allowed.value;

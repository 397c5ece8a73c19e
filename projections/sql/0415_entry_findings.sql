-- Accounts, logins and rounds that began without what has to come first: verification, the answer of
-- the register, rules in force, decided measures (SAZKA 1(4), 8, 9(3), 12a(4); ZHH 15).
-- Source: the events named below, views account_owners and measures_in_force. Key: code, position. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). The register is asked in the decision that opens the account or
-- logs in. Rules are in force once they are published and effective, until others of the game are;
-- an account names a version that is in force for any game. Of an account that bets without having
-- set or declined each of the seven measures, its first bet is reported. Logins of a month are those of
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
    asked_entries AS
    (
        SELECT
            entries.position AS position, entries.account AS account,
            entries.occasion AS occasion, is_let_in,
            checks.occasion != '' AS is_asked, checks.answer AS answer
        FROM entries
        LEFT JOIN checks
            ON entries.account = checks.account AND entries.decision = checks.decision
            AND entries.occasion = checks.occasion
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
        SELECT '' AS account, round, position, recorded_at, plan_version, game
        FROM RoundOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT
            account, '', position, recorded_at, plan_version,
            arrayJoin((SELECT groupUniqArray(game) || [''] FROM RulesPublished))
        FROM AccountOpened
        WHERE position < {size:Int64}
    ),
    openings_not_in_force AS
    (
        SELECT
            openings.position AS position, openings.account AS account, openings.round AS round,
            any(openings.plan_version) AS version
        FROM openings
        ASOF LEFT JOIN published
            ON openings.game = published.game AND openings.recorded_at >= published.since
        GROUP BY position, account, round
        HAVING NOT max(openings.plan_version = published.in_force AND published.since > 0)
    )
{checks};

-- One row a round, with the positions of what happened to it.
-- Source: RoundOpened, BetsClosed, RoundResulted, RoundVoided. Key: round. Ordering: none.
-- Idempotence: a view, nothing is stored.
--
-- Takes size (messages that count). A position is that of the first such fact, 0 where there
-- is none; closed_end is the first position behind the decision of the close, in which the
-- records of the concluded bets stand. The result that counts is the first one.

CREATE VIEW IF NOT EXISTS rounds
(
    round String COMMENT 'round',
    table String COMMENT 'table',
    game String COMMENT 'game',
    plan_version String COMMENT 'version of the game plan',
    streamed Bool COMMENT 'of a streamed table',
    opened UInt64 COMMENT 'number of openings',
    closed UInt64 COMMENT 'number of closes of bets',
    resulted UInt64 COMMENT 'number of results',
    voided UInt64 COMMENT 'number of voids',
    first_position Int64 COMMENT 'position of its first fact',
    last_position Int64 COMMENT 'position of its last fact',
    opened_position Int64 COMMENT 'position of the first opening; 0 where there is none',
    opened_at Int64 COMMENT 'moment of the opening, 0 where there is none',
    closed_position Int64 COMMENT 'position of the first close of bets; 0 where there is none',
    closed_end Int64 COMMENT 'first position behind the decision of the close, in which bets are concluded',
    closed_at Int64 COMMENT 'moment of the close, 0 where there is none',
    closed_bets Int32 COMMENT 'bets that the close concluded',
    closed_stakes Int64 COMMENT 'their stakes, haléř',
    resulted_position Int64 COMMENT 'position of the first result; 0 where there is none',
    resulted_at Int64 COMMENT 'moment of the result, 0 where there is none',
    wording String COMMENT 'the result in words',
    voided_position Int64 COMMENT 'position of the first void; 0 where there is none',
    voided_at Int64 COMMENT 'moment of the void, 0 where there is none',
    ground String COMMENT 'ground of the void'
)
COMMENT 'One row a round, with the positions of what happened to it.'
AS
WITH facts AS
(
    SELECT
        round, position, recorded_at, position AS behind, table, game, plan_version, streamed,
        0 AS bets, toInt64(0) AS stakes, '' AS wording, '' AS ground,
        1 AS is_opened, 0 AS is_closed, 0 AS is_resulted, 0 AS is_voided
    FROM RoundOpened
    WHERE position < {size:Int64}
    UNION ALL
    SELECT
        round, position, recorded_at, position - decision_index + decision_size, table, '', '',
        false, bets, stakes, '', '', 0, 1, 0, 0
    FROM BetsClosed
    WHERE position < {size:Int64}
    UNION ALL
    SELECT
        round, position, recorded_at, position, table, '', '', false, 0, 0, wording, '', 0, 0, 1, 0
    FROM RoundResulted
    WHERE position < {size:Int64}
    UNION ALL
    SELECT
        round, position, recorded_at, position, table, '', '', false, 0, 0, '', ground, 0, 0, 0, 1
    FROM RoundVoided
    WHERE position < {size:Int64}
)
SELECT
    round,
    argMin(table, position) AS table,
    argMinIf(game, position, is_opened) AS game,
    argMinIf(plan_version, position, is_opened) AS plan_version,
    argMinIf(streamed, position, is_opened) AS streamed,
    sum(is_opened) AS opened,
    sum(is_closed) AS closed,
    sum(is_resulted) AS resulted,
    sum(is_voided) AS voided,
    min(position) AS first_position,
    max(position) AS last_position,
    minIf(position, is_opened) AS opened_position,
    minIf(recorded_at, is_opened) AS opened_at,
    minIf(position, is_closed) AS closed_position,
    minIf(behind, is_closed) AS closed_end,
    minIf(recorded_at, is_closed) AS closed_at,
    argMinIf(bets, position, is_closed) AS closed_bets,
    argMinIf(stakes, position, is_closed) AS closed_stakes,
    minIf(position, is_resulted) AS resulted_position,
    minIf(recorded_at, is_resulted) AS resulted_at,
    argMinIf(wording, position, is_resulted) AS wording,
    minIf(position, is_voided) AS voided_position,
    minIf(recorded_at, is_voided) AS voided_at,
    argMinIf(ground, position, is_voided) AS ground
FROM facts
GROUP BY round;

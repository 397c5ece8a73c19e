"""SQL for games: each bet, round and table in our books, next to the lines of providers' reports.

Bets are read from the postings, so that bets of all games and hands have the same form. The stake
is the amount that left ``in_play`` when the bet was settled, plus later corrections of the stake.
The payment is the stake less the house's win, including corrections and reclaimed prizes. A report
may contain bets, rounds or totals: its finest lines are matched with our books, and its coarser
lines with its own finest lines (by the caller). Voided and returned bets moved no money: a line
about one must not show money either, and may be missing.
"""

from __future__ import annotations

__all__ = [
    "ENDED",
    "KINDS",
    "NAMED_SETS",
    "OUR_TOTALS",
    "OWN_ROUNDS",
    "OWN_TOTALS",
    "TOTAL_LINES",
]

OF_POSTINGS = """
WITH
    finest AS
    (
        SELECT
            statement, multiIf(countIf(kind = 'bet') > 0, 'bet',
                countIf(kind = 'round') > 0, 'round', 'total') AS level
        FROM statement_lines
        WHERE statement IN {statements:Array(String)} AND issuer_kind = 'GAMES'
        GROUP BY statement
    ),
    of_ours AS
    (
        SELECT
            bet, round, account, position, recorded_at,
            toInt32(toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague'))) AS day,
            kind = 'in_play' AND event IN ('BetSettled', 'PotAwarded', 'PointsSettled') AS is_end,
            multiIf(is_end, -amount, kind = 'game_result' AND event = 'BetCorrected', amount, 0)
                AS stake,
            kind = 'game_result' ? amount : 0 AS won,
            kind = 'in_play' ? amount : 0 AS open
        FROM postings
        WHERE kind IN ('reserved', 'in_play', 'game_result') AND round != '' AND bet != ''
            AND position < {size:Int64} AND recorded_at >= {from:Int64}
            AND cityHash64(bet) % {parts:UInt32} = {part:UInt32}
    ),
"""

LINE = (
    "[(statement, line, position, issuer, kind, toInt32(booked_on), toInt64(0), toInt64(0), stake, "
    "paid, named, their_reference, account)]"
)


def _sets(level: str) -> str:
    """Return the SQL that groups bets, or rounds, by their name."""
    return f"""
    sides AS
    (
        SELECT
            {level} AS name, round, account, position, recorded_at, day, is_end, stake, won, open,
            toInt64(0) AS their_stake, toInt64(0) AS their_paid, toInt32(0) AS their_day,
            [] AS theirs
        FROM of_ours
        UNION ALL
        SELECT
            {level} AS named, round, '', 0, 0, 0, false, 0, 0, 0, stake, paid,
            toInt32(booked_on), {LINE}
        FROM statement_lines
        WHERE kind = '{level}' AND cityHash64({level}) % {{parts:UInt32}} = {{part:UInt32}}
            AND statement IN (SELECT statement FROM finest WHERE level = '{level}')
    ),
    sets AS
    (
        SELECT
            name, groupArrayArray(sides.theirs) AS theirs, length(theirs) AS lines,
            sum(sides.stake) AS staked, staked - sum(sides.won) AS returned,
            sum(sides.open) AS still_open, max(is_end) AS is_settled,
            countIf(position > 0) > 0 AS is_ours,
            maxIf(position, is_end OR sides.won != 0) AS settled_position,
            max(position) AS last_position, max(recorded_at) AS at,
            anyIf(round, position > 0) AS of_round,
            if(uniqIf(account, position > 0) = 1, anyIf(account, position > 0), '') AS of_account,
            minIf(day, position > 0) AS first_day, maxIf(day, is_end) AS last_day,
            sum(sides.their_stake) AS stake_told, sum(sides.their_paid) AS paid_told,
            lines = 1 AND is_settled AND stake_told = staked AND paid_told = returned
                AND max(their_day) BETWEEN first_day AND last_day AS is_plain
        FROM sides
        GROUP BY name
    ),
    told AS
    (
        SELECT
            is_plain, is_plain ? sets.theirs[1].1 : '' AS statement,
            is_plain ? '' : sets.name AS name, count() AS count, sum(stake_told) AS stake,
            sum(paid_told) AS paid, any(sets.theirs) AS theirs, any(sets.lines) AS lines,
            any(sets.staked) AS staked, any(sets.returned) AS returned,
            any(sets.still_open) != 0 AS is_open, any(sets.is_settled) AS is_settled,
            any(sets.is_ours) AS is_ours, any(sets.of_round) AS of_round,
            any(settled_position > 0 ? settled_position : last_position) AS position,
            any(sets.of_account) AS of_account, any(sets.at) AS at,
            any(sets.first_day) AS first_day, any(sets.last_day) AS last_day
        FROM sets
        GROUP BY is_plain, statement, name
    )
"""


OPENED = """
(
        SELECT round, argMin(table, position) AS table, argMin(game, position) AS game
        FROM RoundOpened
        WHERE position < {size:Int64}
        GROUP BY round
)"""
"""Table and game of each round, once; a hand among players is opened as a round, too."""
SPANS = "{spans:Array(Tuple(String, String, Int32, Int32))}"

KINDS = """
SELECT kind, count() AS lines
FROM statement_lines
WHERE statement IN {statements:Array(String)} AND issuer_kind = 'GAMES'
GROUP BY kind"""
"""Kinds of lines in the reports in force (bet, round, total), and their number."""

ENDED = """
SELECT count()
FROM postings
WHERE kind = 'in_play' AND amount < 0 AND position < {size:Int64} AND recorded_at >= {from:Int64}"""
"""Upper bound of the number of bets in our books."""

NAMED_SETS = {
    level: OF_POSTINGS.replace("cityHash64(bet)", f"cityHash64({level})")
    + _sets(level)
    + f"""
SELECT
    is_plain, odd.statement AS statement, odd.count AS lines, odd.stake AS stake,
    odd.paid AS paid, odd.theirs AS theirs, is_ours, is_settled, is_open, table != '' AS is_known,
    [(position, 0, '{level}', name, of_account, of_round, toInt64(0), staked, returned,
        first_day, last_day, at, is_due, '', 0)] AS ours,
    arrayExists(span -> span.1 = '{level}' AND span.2 IN (table, game)
        AND span.3 <= first_day AND last_day <= span.4, {SPANS}) AS is_due
FROM (SELECT *, is_ours AND NOT is_plain ? of_round : name AS of FROM told) AS odd
LEFT JOIN {OPENED} AS opened ON odd.of = opened.round
WHERE is_plain OR odd.lines > 0 OR is_due AND is_settled AND (staked != 0 OR returned != 0)"""
    for level in ("bet", "round")
}
"""Queries by level. Each returns, for each statement, the sums of the bets or rounds that agree
with exactly one line; and individually those that differ, or are due and have no line. One query
returns both, so that our books are read once."""

TOTAL_LINES = (
    OF_POSTINGS.rstrip().removesuffix(",")
    + f"""
SELECT {LINE.replace("named", "''")} AS theirs, level, game, table
FROM statement_lines
INNER JOIN finest ON statement_lines.statement = finest.statement
WHERE kind = 'total'
ORDER BY statement, line"""
)
"""Total lines of reports, each with the finest level of its report."""

OUR_TOTALS = (
    OF_POSTINGS.rstrip().removesuffix(",")
    + f"""
SELECT
    last_day AS day, game, table, arrayExists(span -> span.1 = 'total' AND span.2 IN (table, game)
        AND span.3 <= day AND day <= span.4, {SPANS}) AS is_due,
    max(last_position) AS position, max(ended_at) AS at,
    sum(staked) AS stake, sum(staked - won_by_house) AS paid
FROM
(
    SELECT
        bet, any(round) AS of, max(position) AS last_position, max(recorded_at) AS ended_at,
        sum(stake) AS staked, sum(won) AS won_by_house, maxIf(day, is_end) AS last_day
    FROM of_ours
    GROUP BY bet
    HAVING max(is_end)
) AS bets
INNER JOIN {OPENED} AS opened ON bets.of = opened.round
GROUP BY day, game, table"""
)
"""Sums of bets in our books by day of settlement, game and table."""

OWN_TOTALS = (
    OF_POSTINGS.rstrip().removesuffix(",")
    + f"""
SELECT
    statement, toInt32(booked_on) AS day, named_game AS game, named_table AS table,
    sum(told.stake) AS stake, sum(told.paid) AS paid
FROM
(
    SELECT
        *, statement_lines.game != '' ? statement_lines.game : opened.game AS named_game,
        statement_lines.table != '' ? statement_lines.table : opened.table AS named_table
    FROM statement_lines
    LEFT JOIN {OPENED} AS opened ON statement_lines.round = opened.round
    WHERE (statement, kind) IN (SELECT statement, level FROM finest WHERE level != 'total')
) AS told
GROUP BY statement, day, game, table"""
)
"""Sums of a report's finest lines by day, game and table."""

OWN_ROUNDS = (
    OF_POSTINGS.rstrip().removesuffix(",")
    + f"""
SELECT
    sumIf(stake, kind = 'bet') AS of_stakes, sumIf(paid, kind = 'bet') AS of_paid,
    groupArrayArrayIf({LINE.replace("named", "round")}, kind = 'round') AS theirs
FROM statement_lines
WHERE statement IN (SELECT statement FROM finest WHERE level = 'bet')
GROUP BY statement, round
HAVING notEmpty(theirs)"""
)
"""Round lines in reports that also contain bets, each with the sums of its bets."""

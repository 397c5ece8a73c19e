"""SQL for money: payments across the operator's border in our books, and the lines about them.

A *set* holds the entries and lines of one reference at one kind of issuer. Entries are deposits,
returned deposits, paid withdrawals, returned balances, claims paid outside the account, and a
provider's payouts to our bank, which are taken from the provider's own statements. Cash and postal
orders appear in no issuer's statements. Each line without a reference of ours is a set of its own.

An entry is looked up by reference at every kind of issuer, and by amount and day where a statement
covers its class, method or system. Money that was returned before it was credited came by an
unregistered method, whose class is unknown: only the method and the system determine which
statement must contain it. It is also unknown whether a person paid a claim to our bank or
elsewhere, so no statement is required to contain a paid claim.
"""

from __future__ import annotations

__all__ = ["COSTS", "SETS", "SHORT"]

IN_FORCE = "statement IN {statements:Array(String)}"
DAY = "toInt32(toDate(fromUnixTimestamp64Micro({}, 'Europe/Prague')))"
RULES = "{rules:Array(Tuple(Int32, Int32, Int32))}"
WINDOWS = f"arrayMap(rule -> (rule.1, if(issuer_kind = 'BANK', rule.2, rule.3)), {RULES})"


def _window(day: str) -> str:
    """Return the SQL for the window of a day, in days, of the kind of issuer of its row."""
    return f"arrayFirst(rule -> rule.1 <= {day}, {WINDOWS}).2"


BATCH = "multiIf(settlement != '', settlement, reference != '', reference, their_reference)"

WRITTEN_OFF = """
    written_off AS
    (
        SELECT item, statement, line, entry, sum(amount) AS booked
        FROM WriteOffConfirmed
        WHERE position < {size:Int64} AND item IN ('line', 'payment')
        GROUP BY item, statement, line, entry
        HAVING booked != 0
    ),"""
"""What is written off of each line and payment, less what was taken back."""

BATCHES = f"""
    batches AS
    (
        SELECT
            {BATCH} AS batch, issuer, issuer_kind,
            groupArrayIf((position, -amount, booked_on, statement, line, fee), kind = 'settlement')
                AS payouts,
            (max(position), sum(amount - fee), max(booked_on), '', toInt64(0), toInt64(0))
                AS summed,
            arraySum(payout -> payout.2, payouts) AS paid_out,
            paid_out != 0 AND summed.2 > 0
                AND toInt32(summed.3) + {_window("toInt32(summed.3)")} < {{today:Int32}} AS is_short
        FROM statement_lines
        WHERE {IN_FORCE} AND issuer_kind = 'PAYMENTS' AND currency = 'CZK'
            AND (settlement != '' OR kind = 'settlement')
        GROUP BY batch, issuer, issuer_kind
    )"""
"""Batches of payment providers: their payouts, and what all of their lines leave unpaid."""

ENTRIES = f"""
    moved AS
    (
        SELECT
            position, 0 AS part, 'DepositCredited' AS event, deposit AS reference, account,
            amount, occurred_at AS at, [method_class, method, source] AS keys
        FROM DepositCredited
        WHERE position < {{size:Int64}} AND method_class != 'cash'
        UNION ALL
        SELECT
            position, part, 'DepositReturned', deposit, account, if(part = 0, amount, -amount),
            occurred_at, if(credited, [method_class, method, source], [method, source])
        FROM DepositReturned
        ARRAY JOIN if(credited, [1], [0, 1]) AS part
        WHERE position < {{size:Int64}} AND method_class != 'cash'
        UNION ALL
        SELECT
            position, 0, 'WithdrawalPaid', withdrawal, account, -amount, occurred_at,
            [method_class, method, source]
        FROM WithdrawalPaid
        WHERE position < {{size:Int64}} AND method_class != 'cash'
        UNION ALL
        SELECT
            position, 0, 'BalanceReturned', '', account, -amount, occurred_at,
            [way, method, source]
        FROM BalanceReturned
        WHERE position < {{size:Int64}} AND way != 'postal'
        UNION ALL
        SELECT position, 0, 'ClaimSettled', '', account, amount, occurred_at, []
        FROM ClaimSettled
        WHERE position < {{size:Int64}} AND way = 'outside'
    ),
    {BATCHES},
    entries AS
    (
        SELECT
            issuer_kind, position, part, event, reference, account,
            moved.amount + if((booked > 0) = (moved.amount > 0), 0, booked) AS amount,
            {DAY.format("at")} AS day, at, keys, '' AS statement, toInt64(0) AS line,
            toInt64(0) AS fee
        FROM moved
        ARRAY JOIN ['BANK', 'PAYMENTS'] AS issuer_kind
        LEFT JOIN (SELECT entry, booked FROM written_off WHERE item = 'payment') AS payments
            ON payments.entry = moved.position
        WHERE booked = 0 OR amount != 0
        UNION ALL
        SELECT
            'BANK', payout.1, payout.5, 'settlement', batch, '', payout.2, toInt32(payout.3),
            toUnixTimestamp64Micro(toDateTime64(payout.3, 6, 'Europe/Prague')),
            ['account', issuer], is_short ? '' : payout.4, is_short ? 0 : payout.5, payout.6
        FROM batches
        ARRAY JOIN if(empty(payouts), [summed], payouts) AS payout
        WHERE payout.2 != 0
    ),"""
"""Entries of our books, and payouts from providers' statements. A batch without a payout line is
assumed to be paid out as the sum of its lines. A payout of less than its lines is an entry without
its line: this one is a total that differs."""

SHORT = f"""
WITH {BATCHES}
SELECT batch, issuer, summed.2 AS rest, -paid_out AS amount,
    arrayFilter(payout -> payout.2 != 0, payouts) AS payouts
FROM batches
WHERE is_short
ORDER BY batch, issuer"""
"""Batches of which a provider paid out less than their lines sum up to, less fees."""

NAMES = f"""
    names AS
    (
        SELECT DISTINCT named, name, is_account, is_batch
        FROM
        (
            SELECT deposit AS name, name_digest AS digest, false AS is_account, false AS is_batch
            FROM DepositCredited WHERE position < {{size:Int64}}
            UNION ALL
            SELECT deposit, name_digest, false, false
            FROM DepositReturned WHERE position < {{size:Int64}}
            UNION ALL
            SELECT withdrawal, name_digest, false, false
            FROM WithdrawalPaid WHERE position < {{size:Int64}}
            UNION ALL
            SELECT account, name_digest, true, false
            FROM AccountOpened WHERE position < {{size:Int64}}
            UNION ALL
            SELECT {BATCH}, batch, false, true
            FROM statement_lines
            WHERE {IN_FORCE} AND issuer_kind = 'PAYMENTS'
                AND (settlement != '' OR kind = 'settlement')
        )
        ARRAY JOIN [name, digest] AS named
        WHERE named != ''
    ),"""
"""References of ours that a line can contain: as they are, and as digests of texts that payers
write. The batches of providers can be in lines of a bank."""

LINES = f"""
    lines_left AS
    (
        SELECT
            statement, line, position, issuer, issuer_kind, kind, currency, booked_on,
            told.amount - booked AS amount, fee, reference, end_to_end, variable_symbol,
            padded_symbol, their_reference, settlement, account
        FROM statement_lines AS told
        LEFT JOIN (SELECT statement, line, booked FROM written_off WHERE item = 'line') AS of_lines
            USING (statement, line)
        WHERE {IN_FORCE} AND issuer_kind IN ('BANK', 'PAYMENTS')
            AND kind NOT IN ('fee', 'interest')
            AND NOT (issuer_kind = 'PAYMENTS' AND kind = 'settlement')
            AND (booked = 0 OR told.amount != booked)
    ),
    lines AS
    (
        SELECT
            issuer_kind,
            argMinIf(ours.name, number, number > 0 AND currency = 'CZK' AND ours.name != ''
                AND NOT ours.is_account AND (issuer_kind = 'BANK' OR NOT ours.is_batch)) AS known,
            if(known != '', known, concat(statement, char(0), toString(line))) AS key,
            argMinIf(ours.name, number, number >= 3 AND ours.is_account) AS payer,
            (statement, line, any(position), any(issuer),
                any(if(currency = 'CZK', kind, currency)), any(toInt32(booked_on)), any(amount),
                any(fee), toInt64(0), toInt64(0), if(known != '', known, any(reference)),
                any(their_reference), payer) AS told
        FROM lines_left
        ARRAY JOIN
            ['', reference, settlement, end_to_end, variable_symbol, padded_symbol, account]
                AS named,
            [0, 1, 2, 3, 4, 5, 6] AS number
        LEFT JOIN names AS ours ON named = ours.named
        WHERE number = 0 OR named != ''
        GROUP BY issuer_kind, statement, line
    ),"""
"""Lines of statements except costs and payouts, each with the first of our references in it, and
without what is written off of it."""

SETS = f"""
WITH {WRITTEN_OFF}{ENTRIES}{NAMES}{LINES}
    sides AS
    (
        SELECT issuer_kind, key, [told] AS theirs, [] AS ours, true AS is_near
        FROM lines
        UNION ALL
        SELECT
            issuer_kind, if(reference != '', reference, concat(char(0), toString(position))), [],
            [(position, part, event, reference, account, '', amount, toInt64(0), toInt64(0), day,
                day, at,
                arrayExists(span -> span.1 = issuer_kind AND has(keys, span.2)
                    AND span.3 + window <= day AND day <= span.4 - window, spans)
                    AND day + window < {{today:Int32}},
                statement, line, fee, is_covered)],
            arrayExists(span -> span.1 = issuer_kind AND has(keys, span.2)
                AND span.3 - longest <= day AND day <= span.4 + longest, spans) AS is_covered
        FROM
        (
            SELECT
                *, {_window("day")} AS window, arrayMax({WINDOWS}.2) AS longest,
                {{spans:Array(Tuple(String, String, Int32, Int32))}} AS spans
            FROM entries
        )
    ),
    sets AS
    (
        SELECT
            issuer_kind, key, groupArrayArray(sides.theirs) AS theirs,
            groupArrayArray(sides.ours) AS ours,
            length(theirs) = 1 AND length(ours) = 1 AND theirs[1].7 = ours[1].7
                AND abs(theirs[1].6 - ours[1].11) <= {_window("theirs[1].6")} AS is_plain
        FROM sides
        GROUP BY issuer_kind, key
        HAVING notEmpty(theirs) OR max(sides.is_near)
    )
SELECT
    is_plain, issuer_kind, if(is_plain, '', key) AS name,
    if(is_plain, theirs[1].1, '') AS statement, if(is_plain, ours[1].14, '') AS paid_out_in,
    if(paid_out_in != '', ours[1].11, toInt32(0)) AS payout_day,
    count() AS lines, sum(theirs[1].7) AS amount, sum(theirs[1].8) AS fee,
    sum(ours[1].16) AS payout_fee,
    groupArrayArrayIf(sets.theirs, NOT is_plain) AS of_theirs,
    groupArrayArrayIf(sets.ours, NOT is_plain) AS of_ours,
    length(of_theirs) + length(of_ours) = 1 AS is_single,
    if(empty(of_theirs), of_ours[1].7, of_theirs[1].7) AS of_amount
FROM sets
GROUP BY is_plain, issuer_kind, name, statement, paid_out_in, payout_day
ORDER BY is_single, issuer_kind, of_amount"""
"""First, summed by statement, the plain sets: one line and one entry with the same reference that
agree within the window. Then the other sets; those with a single line or entry come last, sorted by
amount."""

COSTS = f"""
WITH {WRITTEN_OFF.rstrip().removesuffix(",")}
SELECT
    statement, 'written_off' AS status, toInt32(0) AS day,
    countIf(told.amount = booked) AS lines, sum(booked) AS amount,
    sumIf(fee, told.amount = booked) AS fee
FROM statement_lines AS told
INNER JOIN (SELECT statement, line, booked FROM written_off WHERE item = 'line') AS of_lines
    USING (statement, line)
WHERE {IN_FORCE}
GROUP BY statement
UNION ALL
SELECT
    statement,
    multiIf(kind != 'settlement', 'cost', statement_lines.amount = 0, 'no_money', 'waiting')
        AS status,
    if(status = 'waiting', toInt32(booked_on), toInt32(0)) AS day,
    count() AS lines, sum(amount) AS amount, sum(fee) AS fee
FROM statement_lines
WHERE {IN_FORCE} AND issuer_kind IN ('BANK', 'PAYMENTS')
    AND (kind IN ('fee', 'interest') OR kind = 'settlement' AND issuer_kind = 'PAYMENTS')
GROUP BY statement, status, day"""
"""Lines without an entry: what is written off, fees and interest of the issuer, and its payouts to
our bank."""

"""Figures that the law fixes for every operator, and paragraphs that only the law contains.

ZHH is act 186/2016 Sb. on gambling, GDPR is regulation (EU) 2016/679. :mod:`ledger.rules.operator`
holds the figures of an operator's own rules; ``docs/rules.md`` explains how unclear text was
interpreted.
"""

from __future__ import annotations

from ledger.core.clock import DAY, HOUR, SECOND

__all__ = [
    "ADULT_YEARS",
    "CLOCK_MEASURED_WITHIN",
    "CLOCK_SKEW_MAX",
    "COMPETITION_STAKE_MAX",
    "DISPUTE_MONTHS",
    "DISPUTE_SOURCE",
    "EEA",
    "FIGURE_BOUNDS",
    "LIVE_TABLES_MIN",
    "LOOSER_DAYS",
    "MEASURES_KEPT_DAYS",
    "REFUSALS",
    "SUSPICION_REPORTED_WITHIN",
    "TEMPORARY_DEPOSITS_MAX",
    "TEMPORARY_LASTS",
    "UNIT_BOUNDS",
]

ADULT_YEARS = 18
"""Minimum age for an account (SAZKA 7(1), 8(2) repeat it)."""
CLOCK_MEASURED_WITHIN = 2 * HOUR
"""Maximum time between two measurements of the clock while events are recorded; assumed, as the
decree was not read (decree 208/2017)."""
CLOCK_SKEW_MAX = SECOND
"""Maximum difference of the record's clock from its source; assumed (decree 208/2017)."""
COMPETITION_STAKE_MAX = 100_000
"""Haléř that a participant may stake per day on a competition (D466 1)."""
DISPUTE_MONTHS = 12
"""Time from the first complaint in which a consumer may turn to the authority for disputes;
assumed, as the act was not read."""
DISPUTE_SOURCE = "act 634/1992 § 20d"
EEA = frozenset(
    (
        *("AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE"),
        *("IS", "IT", "LI", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK"),
    )
)
"""States whose banks and issuers may provide payment services (SAZKA 8(6) to 8(8) repeat it)."""
UNIT_BOUNDS = {
    "minutes": (0, 366 * 24 * 60),
    "hours": (0, 366 * 24),
    "days": (0, 3_660),
    "months": (0, 120),
    "haler": (0, 10**13),
    "evidence": (20, 10**9),
}
"""Smallest and largest number of an operator's rules by its unit; assumed. Times reach a year where
they are short and ten years, for which the record is kept, where they are long; amounts reach a
hundred billion crowns, beyond which sums would overflow. Evidence below 20 would accuse more than
one fair wheel of twenty."""
FIGURE_BOUNDS = {
    "figures.play_minutes": (1, 120, "ZHH (continuous play)"),
    "figures.break_minutes": (15, UNIT_BOUNDS["minutes"][1], "ZHH (continuous play)"),
    "figures.panic_hours": (48, UNIT_BOUNDS["hours"][1], "ZHH (panic button)"),
}
"""Smallest and largest value of a figure that an operator's own rules may set, and the source.
Other figures have the bounds of their unit. The 48 hours are those of the amendment 349/2023; the
120 minutes of play and the break of 15 are assumed, as the act was not read and an approved plan
has them (SAZKA 5a(3))."""
LIVE_TABLES_MIN = 3
"""Live tables that a casino keeps open during its opening hours (ZHH 68(4) of 2016)."""
LOOSER_DAYS = 7
"""Midnights until a looser self-restricting measure takes effect (ZHH 15)."""
MEASURES_KEPT_DAYS = 7
"""Calendar days during which the measures of a closed account bind the next one (ZHH 14a)."""
SUSPICION_REPORTED_WITHIN = DAY
"""Time after a suspicion within which a report counts as "without delay"; assumed (AML act 18)."""
TEMPORARY_LASTS = 30 * DAY
"""How long a temporary account accepts bets and deposits (ZHH 77(5), 80(1) of 2016); assumed to
count from the moment of its opening, which is never longer than the law allows."""
TEMPORARY_DEPOSITS_MAX = 300_000
"""Haléř of all deposits of a temporary account together (ZHH 80(2) of 2016)."""
REFUSALS = {
    "BONUS_NOT_ALLOWED": "D466 1",
    "BONUS_NOT_ANNOUNCED": "D466 1",
    "BONUS_AFTER_REQUEST": "D466 1(2)c",
    "ACCOUNT_NOT_CLOSED": "AML act",
    "LEGAL_HOLD": "GDPR 17(3)(b), 17(3)(e), 18",
    "RETENTION_RUNS": "AML act; GDPR 17(3)(b)",
    "LOOSER_THAN_BEFORE": "ZHH 14a",
    "MEASURE_LOGINS": "ZHH 15",
    "MEASURE_LOGIN_TIME": "ZHH 15",
    "TEMPORARY_ACCOUNT": "ZHH 77",
    "TEMPORARY_OVER": "ZHH 77, 80",
    "TEMPORARY_NOT_OVER": "ZHH 80",
    "TEMPORARY_DEPOSITS": "ZHH 77",
    "FEE_TOO_LOW": "decree 10/2019",
    "WRITE_OFF_SAME_PERSON": "act 563/1991 § 8(1)",
    "WRITE_OFF_ABOVE_DIFFERENCE": "act 563/1991 § 8(1)",
    "WRITE_OFF_ABOVE_LIMIT": "act 563/1991 § 8(1)",
    "CHECKED_BY_DEALER": "Czech Casinos, play",
    "HAND_FOR_HAND": "69GAMES tournament rules, Hand for hand",
    "PLAYER_IN_HAND": "69GAMES tournament rules",
    "LEVEL_NOT_ANNOUNCED": "69GAMES tournament rules, course of the game",
    "SPIN_IS_VALID": "game plan",
    "TABLE_NOT_OPEN": "ZHH 83",
    "DEVICE_MISSING": "ZHH 83",
    "DEVICE_ELSEWHERE": "ZHH 83",
    "DAY_NOT_CLOSED": "D10 11",
    "DAY_TWICE": "D10 11",
    "DAY_NOT_OPEN": "D10 11",
    "SECTIONS_OPEN": "D10 11",
    "SECTION_TWICE": "D10 annex, pokladna_stul_turnaj_bingo",
    "SECTION_NOT_OPEN": "D10 annex, pokladna_stul_turnaj_bingo",
    "SECTION_KIND_WRONG": "D10 annex, PSTB_transakce",
    "CURRENCY_DIFFERS": "D10 annex, PSTB_transakce",
    "NOT_COUNTED": "D10 annex, prostredek",
    "COUNTED_ALREADY": "D10 annex, prostredek",
    "COUNTED_LATE": "D10 annex, prostredek",
    "NO_COUNTERPART": "D10 annex, PSTB_transakce",
    "NOT_CASH": "D10 annex, PSTB_transakce",
    "DROP_NOT_MOVED": "D10 annex, PSTB_transakce",
    "LIMITS_NOT_ALLOWED": "game plan",
    "BET_NOT_ALLOWED": "game plan",
    "DECISION_NOT_ALLOWED": "game plan",
    "DECISION_TOO_LATE": "game plan",
    "NO_VALID_SPIN": "game plan",
    "VOID_REASON_UNKNOWN": "game plan",
    "COPY_TOO_OLD": "assumed",
}
"""Paragraphs of refusals, where an operator's rules name none: those of the law, and "game plan"
where the plan of the game decides and usually has a better citation; "assumed" where the operator's
rules cite the condition themselves."""

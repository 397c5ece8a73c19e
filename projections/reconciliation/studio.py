"""Check a studio's duties besides the game: recordings, inspections of wheels and payouts, shoes.

What comes in: rounds with the devices in use, recordings, inspections, cards, below a position.
What goes out: findings. A table is checked from its first round with a recording on, because a
table without any is recorded by another system. Wheels are checked if the plan of the game requires
it, after the end of each day. A shoe holds each card once per deck. Timestamps are microseconds,
days are those of Prague.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ledger import games
from ledger.core.clock import DAY
from ledger.core.phrases import Phrase
from ledger.games.roulette import RoulettePlan
from projections.reconciliation.dealing import DEALING, shoe_rules
from projections.reconciliation.duty_query import StartedDuty
from projections.reconciliation.findings import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from projections.reconciliation.duty_query import DutyQuery
    from projections.store.tables import Store

__all__ = [
    "cards_too_often",
    "dealer_changes_not_burnt",
    "payouts_not_checked",
    "rounds_without_dealer",
    "rounds_without_recording",
    "shoes_not_allowed",
    "wheels_in_play",
]

UNRECORDED = """
WITH
    recorded AS
    (
        SELECT round FROM RecordingKept WHERE position < {size:Int64}
    ),
    tables AS
    (
        SELECT table, min(opened.position) AS since
        FROM RoundOpened AS opened
        WHERE opened.position < {size:Int64} AND round IN (SELECT round FROM recorded)
        GROUP BY table
    )
SELECT opened.position AS position, opened.round AS round, opened.recorded_at AS opened_at
FROM RoundOpened AS opened
INNER JOIN tables ON opened.table = tables.table
WHERE opened.position < {size:Int64} AND opened.position > tables.since
    AND opened.round NOT IN (SELECT round FROM recorded)"""

UNINSPECTED = """
SELECT
    min(position) AS first_position, argMin(round, position) AS first_round,
    argMin(recorded_at, position) AS first_at, wheel, day
FROM
(
    SELECT
        position, recorded_at, round,
        arrayFirst((device, kind) -> kind = 'wheel', devices, device_kinds) AS wheel,
        toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')) AS day
    FROM RoundOpened
    WHERE position < {size:Int64} AND concat(game, '@', plan_version) IN {plans:Array(String)}
)
WHERE wheel != ''
    AND (wheel, day) NOT IN
    (
        SELECT device, toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague'))
        FROM DeviceInspected
        WHERE position < {size:Int64}
    )
GROUP BY wheel, day"""

UNCHECKED = """
WITH
    wins AS
    (
        SELECT round, position, recorded_at, paid FROM BetSettled
        WHERE position < {size:Int64} AND result = 'win' AND paid > 0
        UNION ALL
        SELECT round, position, recorded_at, paid FROM ChipBetSettled
        WHERE position < {size:Int64} AND paid > 0
    )
SELECT max(wins.position) AS last_position, wins.round AS round, sum(wins.paid) AS amount
FROM wins
WHERE wins.recorded_at <= {latest:Int64}
    AND round IN
    (
        SELECT round
        FROM RoundOpened
        WHERE position < {size:Int64} AND concat(game, '@', plan_version) IN {plans:Array(String)}
    )
    AND round NOT IN (SELECT round FROM PayoutsChecked WHERE position < {size:Int64})
GROUP BY round"""

TOO_OFTEN = """
WITH
    results AS
    (
        SELECT round, any(result.table) AS table, min(result.position) AS position
        FROM RoundResulted AS result
        WHERE result.position < {size:Int64} AND round NOT IN
            (SELECT round FROM RoundReconstructed WHERE position < {size:Int64} AND succeeded)
        GROUP BY round
    ),
    told AS
    (
        SELECT round, index, position, card FROM CardDealt WHERE position < {size:Int64}
        UNION ALL
        SELECT round, index, position, card FROM CardRevealed WHERE position < {size:Int64}
        UNION ALL
        SELECT round, index, position, actual FROM CardRecordCorrected
        WHERE position < {size:Int64}
    ),
    cards AS
    (
        SELECT
            told.round AS round, told.index AS index, argMax(told.card, told.position) AS card,
            any(results.table) AS table, any(results.position) AS position
        FROM told
        INNER JOIN results ON told.round = results.round
        WHERE told.position < results.position
        GROUP BY round, index
    ),
    copies AS
    (
        SELECT
            round, card, any(cards.table) AS table, any(cards.position) AS position,
            count() AS times
        FROM cards
        WHERE card != ''
        GROUP BY round, card
        HAVING times > 1
    ),
    shoes AS
    (
        SELECT table, position, decks FROM ShoeLoaded WHERE position < {size:Int64}
        UNION ALL
        SELECT table, position, 0 FROM TableOpened WHERE position < {size:Int64}
    )
SELECT copies.round AS round, copies.card AS card, copies.position AS position, times, decks
FROM copies
ASOF INNER JOIN shoes ON copies.table = shoes.table AND copies.position > shoes.position
WHERE decks > 0 AND times > decks"""


NO_DEALER = """
SELECT position, round, dealer = '' AS is_alone, has(device_kinds, 'machine') AS is_by_machine
FROM RoundOpened
WHERE position < {size:Int64} AND streamed AND (is_alone OR is_by_machine)"""

SHOES = """
WITH
    shoes AS
    (
        SELECT shoe, table, position, decks, cut FROM ShoeLoaded WHERE position < {size:Int64}
    ),
    rounds AS
    (
        SELECT table, position, concat(game, '@', plan_version) AS plan
        FROM RoundOpened
        WHERE position < {size:Int64} AND table IN (SELECT table FROM shoes)
    ),
    first_cards AS
    (
        SELECT shoe, argMin(round, dealt.position) AS round
        FROM CardDealt AS dealt
        WHERE dealt.position < {size:Int64} AND shoe IN (SELECT shoe FROM shoes)
        GROUP BY shoe
    ),
    burnt_cards AS
    (
        SELECT shoe, round, countIf(recipient = 'burn') AS burnt
        FROM CardDealt
        WHERE position < {size:Int64} AND (shoe, round) IN (SELECT shoe, round FROM first_cards)
        GROUP BY shoe, round
    )
SELECT
    shoes.position AS position, shoes.shoe AS shoe, shoes.decks AS decks, shoes.cut AS cut,
    if(before.plan = '', behind.plan, before.plan) AS plan, burnt_cards.round AS round,
    burnt_cards.burnt AS burnt
FROM shoes
ASOF LEFT JOIN rounds AS before
    ON shoes.table = before.table AND shoes.position > before.position
ASOF LEFT JOIN rounds AS behind
    ON shoes.table = behind.table AND shoes.position < behind.position
LEFT JOIN burnt_cards ON shoes.shoe = burnt_cards.shoe
WHERE plan != ''"""

DEALER_CHANGES = """
WITH
    rounds AS
    (
        SELECT round, table, game
        FROM RoundOpened
        WHERE position < {size:Int64} AND concat(game, '@', plan_version) IN {plans:Array(String)}
    ),
    dealers AS
    (
        SELECT table, position, dealer FROM DealerSeated WHERE position < {size:Int64}
        UNION ALL
        SELECT table, position, dealer
        FROM RoundOpened
        WHERE position < {size:Int64} AND dealer != ''
    ),
    shoes AS
    (
        SELECT shoe, position FROM ShoeLoaded WHERE position < {size:Int64}
    ),
    cards AS
    (
        SELECT
            dealt.position AS position, dealt.round AS round, dealt.recipient AS recipient,
            dealt.shoe AS shoe, rounds.table AS table, rounds.game AS game
        FROM CardDealt AS dealt
        INNER JOIN rounds ON dealt.round = rounds.round
        WHERE dealt.position < {size:Int64} AND dealt.shoe != ''
    ),
    dealt_by AS
    (
        SELECT
            cards.position AS position, cards.round AS round, cards.game AS game,
            cards.shoe AS shoe, cards.recipient AS recipient, dealers.dealer AS dealer
        FROM cards
        ASOF INNER JOIN dealers ON cards.table = dealers.table AND cards.position > dealers.position
    ),
    from_shoes AS
    (
        SELECT
            dealt_by.position AS position, dealt_by.round AS round, dealt_by.game AS game,
            dealt_by.shoe AS shoe, dealt_by.recipient AS recipient, dealt_by.dealer AS dealer,
            shoes.position AS loaded
        FROM dealt_by
        ASOF INNER JOIN shoes ON dealt_by.shoe = shoes.shoe AND dealt_by.position > shoes.position
    )
SELECT position, round, game, shoe, dealer
FROM
(
    SELECT
        position, round, game, shoe, recipient, dealer,
        lagInFrame(dealer, 1, dealer) OVER
        (
            PARTITION BY shoe, loaded ORDER BY position
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS before
    FROM from_shoes
)
WHERE before != dealer AND recipient != 'burn'"""


def dealer_changes_not_burnt(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find cards that a new dealer dealt from a running shoe without burning one first."""
    plans = [
        f"{game}@{version}"
        for game, dealing in DEALING.items()
        if dealing.burnt_at_change
        for version in games.versions(game)
    ]
    for row in store.rows(DEALER_CHANGES, size=size, plans=plans):
        yield DetectedFinding(
            "CARD_NOT_BURNT",
            position=row["position"],
            round=row["round"],
            detail=Phrase("SHOE_TAKEN_OVER", shoe=row["shoe"], dealer=row["dealer"]),
            paragraph=DEALING[row["game"]].paragraph,
            about=f"{row['shoe']} {row['dealer']}",
        )


def rounds_without_dealer(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find streamed rounds without a dealer, or whose result a machine produces (SAZKA 5a(1))."""
    for row in store.rows(NO_DEALER, size=size):
        place = {"position": row["position"], "round": row["round"]}
        if row["is_alone"]:
            yield DetectedFinding("ROUND_WITHOUT_DEALER", **place)
        if row["is_by_machine"]:
            yield DetectedFinding("RESULT_BY_MACHINE", **place)


def shoes_not_allowed(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find shoes whose decks, cut or burnt cards differ from the plan of the game at the table.

    The burnt cards are those of the first round that is dealt from the shoe.
    """
    for row in store.rows(SHOES, size=size):
        rule, shoe = shoe_rules(*row["plan"].split("@")), row["shoe"]
        found = partial(
            DetectedFinding, position=row["position"], about=shoe, paragraph=rule.paragraph
        )
        if rule.decks and row["decks"] != rule.decks:
            detail = Phrase("SHOE_DECKS", shoe=shoe, count=row["decks"], due=rule.decks)
            yield found("SHOE_DECKS_WRONG", detail=detail)
        if rule.cut and not rule.cut[0] <= row["cut"] <= rule.cut[1]:
            least, most = rule.cut
            detail = Phrase("SHOE_CUT", shoe=shoe, count=row["cut"], least=least, most=most)
            yield found("SHOE_CUT_WRONG", detail=detail)
        if row["round"] and row["burnt"] < rule.burnt:
            detail = Phrase("SHOE_BURNT", shoe=shoe, count=row["burnt"], due=rule.burnt)
            yield found("CARD_NOT_BURNT", round=row["round"], detail=detail)


def rounds_without_recording(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield rounds of a recorded table without a reference to a recording (ZHH 84)."""
    for row in query.store.rows(UNRECORDED, size=query.size):
        yield StartedDuty(position=row["position"], begun_at=row["opened_at"], round=row["round"])


def wheels_in_play(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield days on which a wheel was used without the inspection that its plan requires."""
    plans = _plans(lambda plan: plan.inspected_daily)
    for row in query.store.rows(UNINSPECTED, size=query.size, plans=plans):
        yield StartedDuty(
            position=row["first_position"],
            begun_at=row["first_at"],
            round=row["first_round"],
            subject=row["wheel"],
            detail=Phrase("WHEEL_ON_DAY", wheel=row["wheel"], day=str(row["day"])),
        )


def payouts_not_checked(store: Store, size: int, now: int) -> Iterator[DetectedFinding]:
    """Find rounds with wins that no inspector checked within a day, where the plan requires it."""
    plans = _plans(lambda plan: plan.payouts_inspected)
    for row in store.rows(UNCHECKED, size=size, plans=plans, latest=now - DAY):
        yield DetectedFinding(
            "PAYOUT_NOT_CHECKED",
            position=row["last_position"],
            round=row["round"],
            amount=int(row["amount"]),
        )


def _plans(has: Callable[[RoulettePlan], bool]) -> list[str]:
    """Return the versions of roulette plans that meet a condition."""
    return [
        f"{game}@{plan.header.version}"
        for game in games.games()
        for plan in games.plans_of(game)
        if isinstance(plan, RoulettePlan) and has(plan)
    ]


def cards_too_often(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find results with more copies of a card than the table's shoe has decks (SAZKA 14(1))."""
    for row in store.rows(TOO_OFTEN, size=size):
        yield DetectedFinding(
            "RESULT_ON_CONTRADICTION",
            position=row["position"],
            round=row["round"],
            about=row["card"],
            detail=(
                Phrase("CARD_ABOVE_DECKS", card=row["card"], count=row["times"], most=row["decks"]),
            ),
        )

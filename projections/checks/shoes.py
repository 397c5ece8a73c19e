# needs = ["ShoeLoaded"]
# reads = [
#   "RoundOpened", "RoundResulted", "RoundReconstructed", "TableOpened", "CardDealt",
#   "CardRevealed", "CardRecordCorrected", "OperatorRulesPublished", "DealerSeated",
# ]
# also = ["RESULT_ON_CONTRADICTION"]
#
# [SHOE_DECKS_WRONG]
# name.en = "Wrong number of decks"
# name.cs = "Nesprávný počet balíčků"
# text.en = "The shoe has another number of decks than the plan: {detail:phrase}."
# text.cs = "Sabot má jiný počet balíčků než herní plán: {detail}."
# paragraph = "game plan, cards"
#
# [SHOE_CUT_WRONG]
# name.en = "Cut card out of bounds"
# name.cs = "Řezací karta mimo meze"
# text.en = "The cut card lies outside the bounds of the plan: {detail:phrase}."
# text.cs = "Řezací karta leží mimo meze herního plánu: {detail}."
# paragraph = "game plan, cards"
#
# [CARD_NOT_BURNT]
# name.en = "Card not burnt"
# name.cs = "Karta nebyla spálena"
# text.en = "A card that the plan burns was not burnt: {detail:phrase}."
# text.cs = "Karta, kterou má krupiér podle herního plánu spálit, nebyla spálena: {detail}."
# paragraph = "game plan, cards"
#
# [SHOE_CARD_TOO_OFTEN]
# name.en = "Card dealt too often from a shoe"
# name.cs = "Karta rozdaná ze sabotu příliš často"
# text.en = "More copies of a card were dealt than the shoe has decks: {detail:phrase}."
# text.cs = "Karta byla rozdána vícekrát, než kolik má sabot balíčků: {detail}."
# paragraph = "game plan, cards"
#
# [SHOE_PAST_CUT]
# name.en = "Round dealt behind the cut card"
# name.cs = "Kolo rozdané za řezací kartou"
# text.en = "A round began when the cut card had been reached: {detail:phrase}."
# text.cs = "Kolo začalo, když řezací karta už byla na řadě: {detail}."
# paragraph = "game plan, cards"

"""Find shoes against the plan of the game, cards not burnt, and results with too many copies.

A shoe holds each card once per deck, also over its rounds, and no round begins behind the cut card.
Only shoes of several decks with a cut card are dealt over rounds: others are shuffled for each.
Decks, cut and burnt cards are those of the plan at the table.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ledger import games
from ledger.core.phrases import Phrase
from projections.checks.dealing import DEALING, shoe_rules
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput
    from projections.store.tables import Store

__all__ = ["find"]

SEEN = """
WITH
    seen AS
    (
        SELECT round, index, position, card FROM CardDealt WHERE position < {size:Int64}
        UNION ALL
        SELECT round, index, position, card FROM CardRevealed WHERE position < {size:Int64}
        UNION ALL
        SELECT round, index, position, actual FROM CardRecordCorrected
        WHERE position < {size:Int64}
    ),
"""
"""Begins a query with the cards that were seen, at each place of a round."""

TOO_OFTEN = (
    SEEN  # noqa: S608 - our own texts
    + """\
    results AS
    (
        SELECT round, any(result.table) AS table, min(result.position) AS position
        FROM RoundResulted AS result
        WHERE result.position < {size:Int64} AND round NOT IN
            (SELECT round FROM RoundReconstructed WHERE position < {size:Int64} AND succeeded)
        GROUP BY round
    ),
    cards AS
    (
        SELECT
            seen.round AS round, seen.index AS index, argMax(seen.card, seen.position) AS card,
            any(results.table) AS table, any(results.position) AS position
        FROM seen
        INNER JOIN results ON seen.round = results.round
        WHERE seen.position < results.position
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
)


SHOES = """
WITH
    shoes AS
    (
        SELECT shoe, table, position, decks, cut FROM ShoeLoaded WHERE position < {size:Int64}
    ),
    rounds AS
    (
        SELECT table, round, position, concat(game, '@', plan_version) AS plan
        FROM RoundOpened
        WHERE position < {size:Int64} AND table IN (SELECT table FROM shoes)
    ),
    cards AS
    (
        SELECT
            shoes.position AS loaded, dealt.position AS position, dealt.round AS round,
            dealt.recipient AS recipient
        FROM CardDealt AS dealt
        ASOF INNER JOIN shoes ON dealt.shoe = shoes.shoe AND dealt.position > shoes.position
        WHERE dealt.position < {size:Int64} AND dealt.shoe IN (SELECT shoe FROM shoes)
    ),
    first_rounds AS
    (
        SELECT
            loaded, argMin(cards.round, cards.position) AS round,
            argMin(opened.plan, cards.position) AS plan
        FROM cards
        LEFT JOIN rounds AS opened ON cards.round = opened.round
        GROUP BY loaded
    ),
    burnt_cards AS
    (
        SELECT
            cards.loaded AS loaded, cards.round AS round, any(first_rounds.plan) AS plan,
            countIf(recipient = 'burn') AS burnt
        FROM cards
        INNER JOIN first_rounds
            ON cards.loaded = first_rounds.loaded AND cards.round = first_rounds.round
        GROUP BY loaded, round
    )
SELECT
    shoes.position AS position, shoes.shoe AS shoe, shoes.decks AS decks, shoes.cut AS cut,
    multiIf(burnt_cards.plan != '', burnt_cards.plan, before.plan = '', behind.plan, before.plan)
        AS plan,
    burnt_cards.round AS round,
    burnt_cards.burnt AS burnt
FROM shoes
ASOF LEFT JOIN rounds AS before
    ON shoes.table = before.table AND shoes.position > before.position
ASOF LEFT JOIN rounds AS behind
    ON shoes.table = behind.table AND shoes.position < behind.position
LEFT JOIN burnt_cards ON shoes.position = burnt_cards.loaded
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


DEALT = (
    SEEN  # noqa: S608 - our own texts
    + """\
    shoes AS
    (
        SELECT shoe, position, decks, cut
        FROM ShoeLoaded
        WHERE position < {size:Int64} AND decks > 1 AND cut > 0
    ),
    faces AS
    (
        SELECT round, index, argMax(card, seen.position) AS face FROM seen GROUP BY round, index
    ),
    dealt AS
    (
        SELECT round, index, min(dealt.position) AS position, any(dealt.shoe) AS shoe
        FROM CardDealt AS dealt
        WHERE dealt.position < {size:Int64} AND dealt.shoe IN (SELECT shoe FROM shoes)
        GROUP BY round, index
    ),
    loaded AS
    (
        SELECT
            dealt.round AS round, dealt.index AS index, dealt.position AS position,
            shoes.shoe AS shoe, shoes.position AS since, shoes.decks AS decks,
            toInt64(shoes.decks) * 52 - shoes.cut AS before_cut
        FROM dealt
        ASOF INNER JOIN shoes ON dealt.shoe = shoes.shoe AND dealt.position > shoes.position
    ),
    numbered AS
    (
        SELECT
            loaded.round AS round, loaded.position AS position, shoe, since, decks, before_cut,
            faces.face AS card,
            row_number() OVER (PARTITION BY since ORDER BY position) AS number,
            row_number() OVER (PARTITION BY since, card ORDER BY position) AS copy,
            row_number() OVER (PARTITION BY since, round ORDER BY position) AS in_round
        FROM loaded
        INNER JOIN faces ON loaded.round = faces.round AND loaded.index = faces.index
    )
SELECT
    round, position, shoe, decks, before_cut, card, copy, number,
    card != '' AND copy = decks + 1 AS is_too_often,
    in_round = 1 AND number > before_cut + 1 AS is_past_cut
FROM numbered
WHERE is_too_often OR is_past_cut"""
)


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find shoes, cards and results that the plan does not allow."""
    yield from _cards_too_often(of.store, of.size)
    yield from _shoes_not_allowed(of.store, of.size)
    yield from _dealer_changes_not_burnt(of.store, of.size)
    yield from _dealt_beyond(of.store, of.size)


def _dealt_beyond(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find the first copy too many of a card of a shoe, and rounds that began behind its cut."""
    for row in store.rows(DEALT, size=size):
        found = partial(DetectedFinding, position=row["position"], round=row["round"])
        shoe = row["shoe"]
        if row["is_too_often"]:
            detail = Phrase(
                "CARD_ABOVE_DECKS", card=row["card"], count=row["copy"], most=row["decks"]
            )
            yield found("SHOE_CARD_TOO_OFTEN", about=f"{shoe} {row['card']}", detail=detail)
        if row["is_past_cut"]:
            detail = Phrase(
                "SHOE_CUT_BEHIND", shoe=shoe, number=row["number"], due=row["before_cut"]
            )
            yield found("SHOE_PAST_CUT", about=shoe, detail=detail)


def _dealer_changes_not_burnt(store: Store, size: int) -> Iterator[DetectedFinding]:
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


def _shoes_not_allowed(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find shoes whose decks, cut or burnt cards differ from the plan of the game at the table.

    The burnt cards are those of the first round that is dealt from the shoe after it was loaded.
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


def _cards_too_often(store: Store, size: int) -> Iterator[DetectedFinding]:
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

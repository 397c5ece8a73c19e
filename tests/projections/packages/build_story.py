"""A month in a studio with everything that the packages have to tell.

It begins on 27 March 2026; the night to the 29th has 23 hours. What happens is told by day;
the tests name the rows that each of it has to give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.projections.packages.build_cases import Studio

if TYPE_CHECKING:
    from pathlib import Path

OPENED = "2026-03-27 09:00"
ACTIVE = (
    "2026032708",
    "2026032716",
    "2026032800",
    "2026032808",
    "2026032816",
    "2026032900",
    "2026032908",
    "2026033000",
    "2026033100",
    "2026041908",
    "2026042516",
)
"""The periods in which something was recorded."""


def told(folder: Path) -> Studio:
    """Tell the whole story."""
    studio = Studio(folder, OPENED)
    friday(studio)
    _saturday(studio)
    _short_night(studio)
    _sunday_and_later(studio)
    _three_weeks_later(studio)
    return studio


def friday(studio: Studio) -> None:
    """Ordinary play, refusals, fees, a void; a round over the end of the period."""
    for name in ("anna", "bert", "cyril"):
        studio.player(name)
    studio.play("q1", "anna", 10_000, number=3)
    studio.play("q2", "anna", 20_000, number=2)
    studio.open_round("q3")
    studio.place_bet("q3", 1, "anna", 5_000)
    studio.place_bet("q3", 2, "bert", 7_000, bet_code="straight", selection=[17])
    taken_back = studio.place_bet("q3", 3, "bert", 2_000)
    studio.do("withdraw_bet", bet=taken_back, account="bert", round="q3")
    studio.refuse(
        "INSUFFICIENT_FUNDS",
        "place_bet",
        bet="q3-9",
        account="bert",
        round="q3",
        bet_code="red",
        stake=4_000_000,
    )
    studio.close_bets("q3")
    studio.do("void_round", round="q3", ground="operator_interruption")
    studio.do("charge_fee", account="bert", fee="f1", amount=3_000, reason="výpis")
    studio.do("return_fee", account="bert", fee="f1", amount=1_000, reason="omyl")
    studio.at("2026-03-27 15:59:40")
    studio.open_round("q4")
    studio.place_bet("q4", 1, "anna", 30_000)
    studio.place_bet("q4", 2, "bert", 40_000, bet_code="black")
    studio.at("2026-03-27 15:59:59.96")
    studio.close_bets("q4")
    studio.at("2026-03-27 16:00:00")
    studio.result("q4", 3)
    studio.at("2026-03-27 16:00:02")
    studio.settle("q4")
    studio.log_out("cyril")


def _saturday(studio: Studio) -> None:
    """A correction after the period, money out, and limits of the three effects."""
    studio.at("2026-03-28 00:30")
    studio.do("correct_win", round="q1", bet="q1-1", difference=-1_500, cause="přepočet")
    studio.do("correct_bet", round="q2", bet="q2-1", difference=-500, cause="přepočet")
    studio.at("2026-03-28 09:00")
    studio.do("withdraw", account="anna", withdrawal="w1", amount=50_000, method="bank")
    studio.do("pay_withdrawal", account="anna", withdrawal="w1")
    studio.do("withdraw", account="bert", withdrawal="w2", amount=60_000, method="bank")
    studio.do("deposit", account="bert", deposit="d2", amount=9_900, method="card")
    studio.do("return_deposit", account="bert", deposit="d2", reason="cizí karta")
    studio.do(
        "open_account",
        account="dana",
        identity="CZ dana",
        name="Dana",
        birth_date="1990-01-01",
        register="clear",
        verified_how="bank identity",
        address="Dlouhá 1, 110 00 Praha 1",
        email="jan@example.com",
        plan_version="2025-01-21",
        regime="temporary",
    )
    studio.do("set_limit", account="dana", measure="a", value=100_000)
    studio.do("set_limit", account="dana", measure="a", value=50_000)
    studio.do("set_limit", account="dana", measure="e", value=30)
    studio.do("set_limit", account="dana", measure="e", value=60)
    studio.do("set_limit", account="dana", measure="g", value=15)
    studio.do("decline_limit", account="dana", measure="c")
    studio.at("2026-03-28 16:00:00")
    studio.do(
        "change_account_mode", account="dana", regime="permanent", internet=True, land_based=True
    )


def _short_night(studio: Studio) -> None:
    """A round over midnight, a session and a round over the clock change."""
    studio.at("2026-03-28 23:59:50")
    studio.open_round("q5")
    studio.place_bet("q5", 1, "anna", 1_000)
    studio.at("2026-03-29 00:00:05")
    studio.close_bets("q5")
    studio.result("q5", 2)
    studio.settle("q5")
    studio.at("2026-03-29 01:59:55")
    studio.log_in("cyril", "2")
    studio.open_round("q6")
    studio.place_bet("q6", 1, "cyril", 2_500)
    studio.at("2026-03-29 03:00:01")
    studio.close_bets("q6")
    studio.result("q6", 3)
    studio.settle("q6")
    studio.at("2026-03-29 07:59:59.999990")
    studio.play("q7", "bert", 1_100)


def _sunday_and_later(studio: Studio) -> None:
    """A prize withheld, two corrections of one bet, and a cancellation."""
    studio.at("2026-03-29 09:00")
    studio.do(
        "withhold_prize",
        round="q6",
        bet="q6-1",
        amount=5_000,
        paragraph="SAZKA 17(2)",
        cause="porušení plánu",
    )
    studio.log_out("cyril")
    studio.do("request_cancellation", account="cyril", ground="12(4)", explanation="vlastní žádost")
    studio.do("confirm_cancellation", account="cyril", notice="email")
    studio.at("2026-03-30 00:00:00")
    studio.do("correct_win", round="q4", bet="q4-1", difference=100, cause="první oprava")
    studio.do("correct_win", round="q4", bet="q4-1", difference=50, cause="druhá oprava")
    studio.at("2026-03-31 01:00")
    studio.do("fix_rate", currency="EUR", rate=24_315, day="2026-03-31")


def _three_weeks_later(studio: Studio) -> None:
    """The account is closed; the rates of the quarter are due; a bet stays open."""
    studio.at("2026-04-19 12:00")
    studio.do("close_account", account="cyril")
    studio.at("2026-04-25 17:00")
    studio.open_round("q8")
    studio.place_bet("q8", 1, "anna", 6_000)
    studio.close_bets("q8")

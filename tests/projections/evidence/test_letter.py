"""A letter counts what corrected a bet: its stake, its payment, a withheld prize."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.tlog.signing import SigningKey
from projections.evidence.collect import round_evidence
from projections.evidence.document import encode
from projections.evidence.letter import as_text, letter_of
from projections.evidence.page import page_of
from projections.reconciliation.complaints import Case, CaseRegister
from projections.replay.from_log import replay
from projections.words.catalogue import Language, Words
from tests.projections.hand_cases import PokerRoom
from tests.projections.history_cases import Casino

if TYPE_CHECKING:
    from pathlib import Path

    from projections.evidence.letter import Letter

WORDS = Words(Language.EN)
STAKE = ("correct_bet", {"difference": 1_000, "cause": "a chip was not counted"})
BREACH = {"amount": 20_000, "paragraph": "SAZKA 15(1)", "cause": "breach"}
UNFOUNDED, FOUNDED, OPEN = "is therefore not founded", "is therefore founded", "is not decided yet"
DECISIONS = {
    "right": (20_000, [], UNFOUNDED, "CZK 200.00 was due"),
    "less": (15_000, [], FOUNDED, "difference of CZK 50.00"),
    "more": (25_000, [], OPEN, ""),
    "stake": (20_000, [STAKE], FOUNDED, "difference of CZK 20.00"),
    "stake-and-payment": (22_000, [STAKE], UNFOUNDED, "CZK 220.00 was due"),
    "withheld": (20_000, [("withhold_prize", BREACH)], OPEN, ""),
}
"""What was paid on 100 crowns that won, what was corrected, and the decision."""


def letter(casino: Casino, name: str, account: str = "a") -> Letter:
    at = casino.clock.moment
    case = Case(
        case="", kind="complaint", account=account, status="open", is_overdue=False, filed_at=at,
        position=1, answer_until=at, source="SAZKA 22", rounds=(name,), bets=(), grounds=None,
        ended_at=None, ended_position=None, answer=None,
    )  # fmt: skip
    register = CaseRegister(1, "", at, at, (case,))
    return letter_of(WORDS, register, [replay(casino.log, name)], sender=())


def test_a_letter_names_how_late_a_refused_bet_was_recorded(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    casino.seat()
    casino.do("open_round", round="q", table="t")
    casino.bet("q", 1, "black", 10_000)
    casino.close_bets("q")
    casino.clock.moment += 812_000
    casino.bet("q", 2, "black", 10_000)
    casino.do("land_ball", round="q", number=17)
    casino.do("record_result", round="q", outcome={"number": 17}, wording="17")
    casino.settle("q")
    text = as_text(WORDS, letter(casino, "q"))
    assert re.search(r"recorded 0\.8\d\d s after the recorded close of bets", text)
    assert re.fullmatch(r"\d+\s\w+\s\d{4}", text.partition("\n")[0])


def played(casino: Casino) -> None:
    casino.seat()
    for name, (paid, corrections, _, _) in DECISIONS.items():
        casino.do("open_round", round=name, table="t")
        casino.bet(name, 1, "black", 10_000)
        casino.finish(name, 17, bet1=paid)
        for command, facts in corrections:
            casino.do(command, round=name, bet=f"{name}-1", **facts)


def test_the_decision_counts_the_corrections_of_a_bet(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    played(casino)
    for name, (_, _, decision, amount) in DECISIONS.items():
        sections = dict(letter(casino, name).sections)
        (text,) = sections[WORDS.text("letter.decision")]
        assert decision in text, name
        assert amount in text.replace("\N{NO-BREAK SPACE}", " "), name


def test_a_letter_has_the_corrected_stake_and_what_is_due_on_it(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    played(casino)
    shown = {}
    for name in DECISIONS:
        sections = letter(casino, name).sections
        text = " ".join(one for _, texts in sections for one in texts)
        text = text.replace("\N{NO-BREAK SPACE}", " ")
        (stake,) = re.findall(r"stake CZK ([\d.]+):", text)
        (sum_,) = re.findall(
            "CZK ([\\d.]+) \N{MULTIPLICATION SIGN} 1 \\+ stake CZK \\1 = CZK", text
        )
        assert sum_ == stake, name
        shown[name] = stake
    assert {name for name, stake in shown.items() if stake == "110.00"} == {
        "stake",
        "stake-and-payment",
    }


def test_a_page_marks_the_bets_that_are_not_paid_as_they_were_corrected(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    played(casino)
    key = SigningKey(casino.ledger.chain, bytes(range(32)))
    added = AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="Example.")
    casino.ledger.execute(added)
    casino.ledger.execute(RecordCheckpoint.of(casino.ledger.checkpoint(), key))
    pages = {name: page_of(encode(round_evidence(casino.log, name))).decode() for name in DECISIONS}
    marked = {name for name, page in pages.items() if '<tr class="differs">' in page}
    assert marked == {"less", "more", "stake"}


def test_a_letter_leaves_out_the_voids_of_others_and_decides_no_void(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    casino.seat()
    casino.seat("b")
    for name in ("of-another", "whole"):
        casino.do("open_round", round=name, table="t")
        casino.bet(name, 1, "black", 10_000)
        casino.bet(name, 2, "red", 10_000, account="b")
        casino.bet(name, 3, "black", 10_000)
        casino.do("withdraw_bet", account="a", bet=f"{name}-3", round=name)
        casino.close_bets(name)
        if name == "whole":
            casino.do("void_round", round=name, ground="operator_interruption")
        else:
            casino.do("void_bets", round=name, account="b", ground="tampering")
            casino.do("land_ball", round=name, number=17)
            casino.do("record_result", round=name)
            casino.settle(name)
        sections = letter(casino, name).sections
        text = " ".join(one for _, paragraphs in sections for one in paragraphs)
        assert "tampering" not in text
        assert "given back." in text
        assert (OPEN if name == "whole" else UNFOUNDED) in text
        assert ("was declared void: interrupted" in text) == (name == "whole")


def test_the_letter_about_a_hand_names_none_of_the_others(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    room = PokerRoom(casino)
    room.play("h")
    room.open_face("f")
    for name in "hf":
        wording = replay(casino.log, name).round.wording
        for account in "abc":
            sections = letter(casino, name, account).sections
            is_shown = any(wording in text for _, texts in sections for text in texts)
            others = {"a", "b", "c"} - {account}
            assert not (is_shown and others & set(re.findall(r"\w+", wording))), account

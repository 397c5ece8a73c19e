"""The message of the night opens in any mail program, and says what is open in two languages."""

from __future__ import annotations

from email import message_from_bytes, policy
from typing import TYPE_CHECKING

import pytest

from ledger.rules.operator import shipped_rules
from projections.findings.finding import DetectedFinding, render_findings
from projections.words.catalogue import Language, Words
from tests.tools.cli_cases import begin, run_here
from tools.data.summary import FINDINGS_MAX, night_message

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "ab" * 32
FACTS = {"chain": "sazka-live", "position": 12, "head": HEAD, "recorded_at": 1_795_190_400_000_000}


def findings(count: int) -> list:  # type: ignore[type-arg]
    some = [
        DetectedFinding(
            "PAID_TOO_LITTLE", position=one, account="a<b>", bet=f"r-{one}", amount=225_000
        )
        for one in range(count)
    ]
    return render_findings(some, shipped_rules()["sazka"])


@pytest.mark.parametrize(
    ("language", "subject", "what"),
    [
        (Language.EN, "sazka-live: 2 findings are open", "CZK\xa02,250.00"),
        (Language.CS, "sazka-live: 2 otevřená zjištění", "2\xa0250,00\xa0Kč"),
    ],
)
def test_both_parts_say_what_is_open(language: Language, subject: str, what: str) -> None:
    raw = night_message(findings(2), Words(language), **FACTS)  # type: ignore[arg-type]
    message = message_from_bytes(raw, policy=policy.default)
    assert message["subject"] == subject
    assert message["date"].startswith("Fri, 20 Nov 2026")
    assert message.get_content_type() == "multipart/alternative"
    text, html = (part.get_content() for part in message.iter_parts())  # type: ignore[attr-defined]
    for part in (text, html):
        assert what in part
        assert HEAD in part
        assert "PAID_TOO_LITTLE" in part
    assert "<td>r-1</td>" in html
    assert raw == night_message(findings(2), Words(language), **FACTS)  # type: ignore[arg-type]
    assert max(map(len, raw.split(b"\r\n"))) < 1_000


def test_an_amount_of_another_currency_is_not_called_crowns() -> None:
    found = DetectedFinding("PAID_TOO_LITTLE", position=1, amount=1_234, currency="EUR")
    shown = render_findings([found], shipped_rules()["sazka"])
    raw = night_message(shown, Words(Language.CS), **FACTS)  # type: ignore[arg-type]
    for part in message_from_bytes(raw, policy=policy.default).iter_parts():  # type: ignore[attr-defined]
        text = part.get_content()
        assert "12,34\xa0EUR" in text
        assert "12,34\xa0Kč" not in text


def test_a_long_list_is_cut_and_says_so() -> None:
    raw = night_message(findings(FINDINGS_MAX + 7), Words(Language.EN), **FACTS)  # type: ignore[arg-type]
    message = message_from_bytes(raw, policy=policy.default)
    text = next(iter(message.iter_parts())).get_content()  # type: ignore[attr-defined]
    assert "… and 7 more" in text
    assert message["subject"].endswith("207 findings are open")


def test_reconcile_writes_it_and_replaces_that_of_the_night_before(tmp_path: Path) -> None:
    begin(tmp_path / "data")
    path = tmp_path / "night.eml"
    path.write_bytes(night_message(findings(1), Words(Language.EN), **FACTS))  # type: ignore[arg-type]
    arguments = ("reconcile", "--summary-language", "cs", "--summary")
    done = run_here(*arguments, str(path), data=tmp_path / "data")
    assert done.returncode in {0, 1}, done.stderr
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    assert run_here(*arguments, str(other), data=tmp_path / "data").returncode == 2
    assert other.read_text() == "mine"
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert "otevřen" in message["subject"]

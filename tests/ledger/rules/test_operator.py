"""The file of an operator: what it may not lack, and for whom it holds."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError
from ledger.core.texts import REFUSALS
from ledger.rules.operator import (
    Figure,
    decode_operator_rules,
    encode_operator_rules,
    parse_operator_rules,
    rules_for,
    shipped_rules,
)
from ledger.tlog.cosigning import WitnessKey

if TYPE_CHECKING:
    from pathlib import Path

SAZKA = (resources.files("ledger.rules") / "operators" / "sazka.toml").read_text(encoding="utf-8")
HELD = "[duties.HELD_TOO_LONG]\n"


def test_an_operator_for_whom_no_rules_ship_has_to_choose() -> None:
    assert rules_for("26493993") == ("sazka", shipped_rules()["sazka"])
    assert rules_for("12345678", "sazka") == rules_for("26493993")
    with pytest.raises(InputError, match=r"operator 12345678: .*gameledger rules show sazka"):
        rules_for("12345678")


def test_an_operators_own_file_is_named_after_itself(tmp_path: Path) -> None:
    file = tmp_path / "acme.toml"
    file.write_text(SAZKA.replace("value = 120", "value = 90"), encoding="utf-8")
    found = rules_for("12345678", str(file))
    assert found.name == "acme"
    assert found.rules.figures.play_minutes.value == 90
    assert decode_operator_rules(found.event.rules) == found.rules
    with pytest.raises(InputError, match=r"nothing\.toml"):
        rules_for("12345678", str(tmp_path / "nothing.toml"))


def test_rules_without_a_letterhead_are_encoded_as_before_it_existed() -> None:
    plain = parse_operator_rules(SAZKA.encode(), "plain")
    assert "letterhead" not in encode_operator_rules(plain)
    lines = ("Dlouhá 1, Praha 1", "casino@example.cz")
    own = parse_operator_rules(f"letterhead = {list(lines)}\n{SAZKA}".encode(), "own")
    assert decode_operator_rules(encode_operator_rules(own)).letterhead == lines


def test_rules_without_a_mirror_are_encoded_as_before_it_existed() -> None:
    assert "mirror" not in encode_operator_rules(parse_operator_rules(SAZKA.encode(), "plain"))
    key = WitnessKey("authority.example/1", bytes(32)).public.text
    line = f'mirror = {{ key = "{key}", age_minutes = 15, source = "licence" }}'
    own = parse_operator_rules(f"{line}\n{SAZKA}".encode(), "own")
    assert decode_operator_rules(encode_operator_rules(own)).mirror == own.mirror
    for old, new in ((key, "authority.example"), ("15", "-1"), ("15", "10_000_000")):
        with pytest.raises(InputError, match="mirror"):
            parse_operator_rules(f"{line.replace(old, new)}\n{SAZKA}".encode(), "own")


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('UNDER_AGE = "SAZKA 7(1), 8(2)"\n', "", "UNDER_AGE has no paragraph"),
        ("[refusals]\n", '[refusals]\nTOO_TALL = "SAZKA 1"\n', "TOO_TALL is unknown"),
        ("panic_hours", "panic_days", "panic"),
        ("value = 120", 'value = "long"', "int"),
        ("[periods]", "periods]", "periods|TOML|Invalid|Expected"),
        ('UNDER_AGE = "SAZKA 7(1), 8(2)"', 'UNDER_AGE = " "', r"refusals\.UNDER_AGE"),
        ('tampering = "', f'tampering = "{"x" * 600}', "tampering"),
        (
            "[periods]",
            f"{HELD}setting = 'figures.cash_haler'\n[periods]",
            r"HELD_TOO_LONG\.setting",
        ),
        ("[periods]", f"{HELD}setting = 'periods.none'\n[periods]", r"HELD_TOO_LONG\.setting"),
    ],
)
def test_what_a_file_lacks_or_nobody_knows_is_named(old: str, new: str, wrong: str) -> None:
    assert SAZKA.count(old) == 1
    with pytest.raises(InputError, match=rf"acme\.toml: .*({wrong})"):
        parse_operator_rules(SAZKA.replace(old, new).encode(), "acme.toml")


def test_published_rules_with_a_setting_or_paragraph_that_is_none_can_be_applied() -> None:
    document = json.loads(encode_operator_rules(parse_operator_rules(SAZKA.encode(), "")))
    law = decode_operator_rules(json.dumps(document))
    document["duties"] = {"HELD_TOO_LONG": {"setting": "figures.cash_haler"}}
    document["refusals"]["CASH_LIMIT"] = ""
    rules = decode_operator_rules(json.dumps(document))
    assert rules.duties == law.duties
    assert rules.paragraph("CASH_LIMIT") == ""


@pytest.mark.parametrize(
    ("second", "wrong"),
    [(SAZKA, "belongs to"), (SAZKA.replace("panic_hours", "panic_days"), "panic")],
)
def test_a_folder_whose_files_can_not_be_is_an_input_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, second: str, wrong: str
) -> None:
    folder = tmp_path / "operators"
    folder.mkdir()
    (folder / "sazka.toml").write_text(SAZKA, encoding="utf-8")
    (folder / "tacme.toml").write_text(second, encoding="utf-8")
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    with pytest.raises(InputError, match=rf"tacme\.toml: .*{wrong}"):
        shipped_rules.__wrapped__()


def test_a_refusal_is_rendered_with_the_figures_and_the_better_paragraph() -> None:
    rules = shipped_rules()["sazka"]
    told = rules.refusal(RefusedError("CASH_LIMIT", direction=Phrase("CASH_DEPOSITS"), left=5))
    assert (
        told.sentence
        == "Cash deposits within 24 hours would exceed 10 000.00 CZK; 0.05 CZK are left."
    )
    assert told.paragraph == "SAZKA 10(1)a, 11(1)a"
    reason = Phrase("STAKE_PLACED_BEFORE")
    of_plan = rules.refusal(RefusedError("BET_NOT_ALLOWED", reason=reason, paragraph="plan 7"))
    assert (of_plan.sentence, of_plan.paragraph) == (str(reason), "plan 7")
    assert all(rules.paragraph(code) for code in REFUSALS)


def test_figures_are_words_up_to_ten() -> None:
    assert [Figure(value, "").in_words for value in (0, 7, 10, 11)] == ["no", "seven", "ten", "11"]

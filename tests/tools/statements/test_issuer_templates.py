"""Every template of an issuer reads a sample in its layout, and is copied as it is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from tests.tools.cli_cases import run
from tests.tools.statements.statement_files import examined, lines_of
from tests.tools.statements.template_samples import SAMPLES
from tools.statements.issuer import Columns, Issuer, read_issuer
from tools.statements.shipped import template, templates

if TYPE_CHECKING:
    from subprocess import CompletedProcess


def test_every_template_has_a_sample() -> None:
    assert set(SAMPLES) == set(templates())


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_template_reads_its_layout(tmp_path: Path, name: str) -> None:
    sample, found = SAMPLES[name], template(name)
    (tmp_path / "ours.toml").write_text(found.for_account(sample.account), encoding="utf-8")
    issuer = read_issuer(tmp_path, "ours")
    content = sample.text.encode(issuer.encoding)
    told = [
        (
            line.booked.isoformat(),
            line.kind,
            line.amount,
            line.fee,
            line.reference or line.end_to_end or line.variable_symbol or line.settlement,
        )
        for line in lines_of(tmp_path, content, issuer)
    ]
    assert told == list(sample.lines)
    assert tuple(map(str, examined(tmp_path, content, issuer).notes)) == sample.notes


@pytest.mark.parametrize("name", ["fio", "csob"])
def test_a_bank_code_in_its_own_column_belongs_to_the_account(tmp_path: Path, name: str) -> None:
    issuer = template(name).issuer
    line = lines_of(tmp_path, SAMPLES[name].text.encode(issuer.encoding), issuer)[0]
    assert line.counterparty == "0-1234567890/0100"


def test_a_word_that_a_template_does_not_have_is_refused(tmp_path: Path) -> None:
    content = SAMPLES["gopay"].text.replace("Platba na E-shop", "Dobití", 1).encode("cp1250")
    with pytest.raises(InputError, match=r"line 2, column 3 \(Typ\): 'Dobití' is none of `kinds`"):
        examined(tmp_path, content, template("gopay").issuer)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"further_fees": ("b",)}, "need a column `fee`"),
        ({"amounts_are": "net"}, "need a column `fee`"),
        ({"columns": Columns(booked="a", amount="b", counterparty_bank="c")}, "counterparty"),
    ],
)
def test_settings_of_fees_and_banks_belong_together(facts: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Issuer(
            kind="PAYMENTS",
            format="csv",
            **{"columns": Columns(booked="a", amount="b"), **facts},  # type: ignore[arg-type]
        )


NET = Issuer(
    kind="PAYMENTS",
    format="csv",
    columns=Columns(booked="day", amount="net", fee="a"),
    further_fees=("b",),
    amounts_are="net",
    positive_fee="withheld",
)


def test_fees_of_several_columns_are_one_and_belong_to_a_net_amount(tmp_path: Path) -> None:
    (line,) = lines_of(tmp_path, "day;net;a;b\n2026-11-20;95.00;4.00;1.00\n", NET)
    assert (line.amount, line.fee) == (10_000, 500)
    with pytest.raises(InputError, match=r"line 2, column 4 \(b\): no amount"):
        examined(tmp_path, "day;net;a;b\n2026-11-20;95.00;4.00;\n", NET)


@pytest.mark.parametrize("rows", [1, 49, 50])
def test_names_of_columns_are_found_among_the_first_rows(tmp_path: Path, rows: int) -> None:
    issuer = Issuer(kind="PAYMENTS", format="csv", columns=Columns(booked="day", amount="sum"))
    content = "\n" * (rows - 1) + "a preamble\n" + "day;sum\n2026-11-20;1.00\n"
    if rows < 50:
        assert [line.amount for line in lines_of(tmp_path, content, issuer)] == [100]
    else:
        with pytest.raises(InputError, match="column 'day'"):
            examined(tmp_path, content, issuer)


def test_templates_are_listed_shown_and_copied(tmp_path: Path) -> None:
    def issuers(*arguments: str) -> CompletedProcess[str]:
        return run("statement", "issuers", *arguments, data=tmp_path)

    listed = json.loads(issuers("--json").stdout)
    assert [one["template"] for one in listed] == sorted(templates())
    assert all(one["source"] for one in listed)
    shown = issuers("stripe").stdout
    (copied,) = json.loads(issuers("stripe", "--copy", "card", "--json").stdout)
    assert (tmp_path / "issuers" / "card.toml").read_text(encoding="utf-8") == shown
    assert copied["file"] == str(tmp_path / "issuers" / "card.toml")
    assert issuers("gpc", "--copy", "kb", "--account", "19-2000145399/0800").returncode == 0
    assert read_issuer(tmp_path / "issuers", "kb").account == "19-2000145399/0800"
    for wrong in (
        ("stripe", "--copy", "card"),
        ("gpc", "--copy", "other"),
        ("stripe", "--copy", "other", "--account", "1/0100"),
        ("nobody",),
        ("--copy", "other"),
        ("stripe", "--copy", "../other"),
    ):
        assert issuers(*wrong).returncode == 2, wrong
    assert {path.name for path in (tmp_path / "issuers").iterdir()} == {"card.toml", "kb.toml"}


def test_the_documents_name_every_template() -> None:
    page = (Path(__file__).parents[3] / "docs" / "statements.md").read_text(encoding="utf-8")
    assert [name for name in templates() if f"`{name}`" not in page] == []


def test_a_template_without_its_account_reads_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not ACCOUNT of the issuer"):
        examined(tmp_path, SAMPLES["gpc"].text, template("gpc").issuer)

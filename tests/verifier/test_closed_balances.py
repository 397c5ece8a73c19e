"""Balances at the close of a period before three judges: Python, a page in a browser, and Rust."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from fastavro import parse_schema, schemaless_writer
from playwright.sync_api import expect

import schemas
from ledger.core.errors import InputError, IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import hash_of
from ledger.events.schema_book import header_of
from ledger.log.checkpoints import last_note
from ledger.tlog.balance_map import balance_leaf
from ledger.tlog.merkle import hashes_in, root_from_multiproof
from ledger.tlog.signing import Checkpoint, make_note
from ledger.tlog.tag_map import key_of
from projections.evidence.balance import (
    BalanceProof,
    balance_proof,
    balances_root,
    parse_balance,
    verify_balance,
)
from projections.evidence.document import EvidenceError
from projections.evidence.page import balance_page
from tests.browser import chromium
from tests.ledger.chain_cases import published
from tests.ledger.log.test_tiles import SignedLog
from tests.tools.cli_cases import run_here
from tests.verifier.verifier_cases import Verdict, theirs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import FilePayload, Page

BALANCES = {f"a-{number:04}": 100 * number for number in range(300)} | {"a-minus": -5}
DAY, OTHER_DAY = "2026-11-20", "2026-11-21"
FLIPS = 250
VERIFY = """([text, key]) => gameledgerEvidence.verifyBalance(text, [key]).then(
    () => "", error => error.place ?? `${error}`)"""


class ClosedLog(SignedLog):
    """A log in which balances are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.add(published(schemas.newest()["BalancesClosed"]))

    def close(self, period: str, balances: dict[str, int]) -> None:
        self.add(
            e.BalancesClosed(
                period=period,
                size=self.chain.head.size,
                count=len(balances),
                total=sum(balances.values()),
                root=balances_root(balances),
            )
        )


def proof_of(log: ClosedLog, period: str, account: str, balances: dict[str, int]) -> BalanceProof:
    return balance_proof(log.log, period, account, lambda _: balances)


@pytest.fixture
def log() -> ClosedLog:
    found = ClosedLog()
    found.close(DAY, BALANCES)
    found.close(OTHER_DAY, BALANCES | {"a-0007": 1})
    found.sign()
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page that verifies balances."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_bytes(balance_page())
    with chromium() as browser:
        opened = browser.new_page()
        opened.on("pageerror", lambda error: pytest.fail(str(error)))
        opened.goto(file.as_uri())
        yield opened


class Judges:
    """The three verifiers, with a folder for their files."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder

    def judge(self, log: SignedLog, text: str) -> int:
        """Return the exit code of all verifiers, which is the same, as is the place of a fault."""
        key = log.key.public
        code, place = 0, ""
        try:
            verify_balance(parse_balance(text), [key])
        except EvidenceError as error:
            code, place = 3, error.place
        except IntegrityError:  # a signature
            code, place = 3, "checkpoint"
        (self.folder / "balance").write_text(text, newline="")
        (self.folder / "keys").write_text(key.text)
        files = (self.folder / "balance", "--key", self.folder / "keys")
        assert (theirs("balance", *files), text) == (Verdict(code, place or None), text)
        assert (self.page.evaluate(VERIFY, [text, key.text]), text) == (place, text)
        return code


@pytest.fixture
def judges(page: Page, tmp_path: Path) -> Judges:
    return Judges(page, tmp_path)


def test_a_recorded_balance_is_proved(log: ClosedLog, judges: Judges, tmp_path: Path) -> None:
    for account in ("a-0000", "a-0007", "a-minus"):
        proof = proof_of(log, DAY, account, BALANCES)
        assert judges.judge(log, str(proof)) == 0
        proved = verify_balance(proof, [])
        assert (proved.account, proved.amount) == (account, BALANCES[account])
        assert (proved.closing.period, len(str(proof)) < 2048) == (DAY, True)
    for ours in (log.key.public.text, "gone"):
        (tmp_path / "keys").write_text(ours)
        found = theirs("balance", tmp_path / "balance", "--key", tmp_path / "keys")
        assert found.code == (0 if ours != "gone" else 2)
    assert theirs("balance", tmp_path / "balance").code == 1


def test_what_is_not_so_is_refused(log: ClosedLog, judges: Judges) -> None:
    """A false balance, another account, another period, another chain."""
    proof = proof_of(log, DAY, "a-0007", BALANCES)
    other = proof_of(log, OTHER_DAY, "a-0007", BALANCES | {"a-0007": 1})
    stranger = ClosedLog()
    stranger.close(DAY, BALANCES | {"a-0007": 9})
    note = stranger.sign()
    for wrong in (
        proof._replace(amount=701),
        proof._replace(account="a-0008"),
        proof._replace(account="a-0008", amount=800),
        proof._replace(message=other.message),
        proof._replace(message=other.message, accounts=other.accounts, amount=1),
        proof._replace(tags=other.tags),
        proof._replace(closings=2),
        proof._replace(closings=2, entries=bytes(32)),
        proof._replace(accounts=proof.accounts[32:]),
        proof._replace(accounts=bytes(257 * 32)),
        proof._replace(account=""),
        proof._replace(note=note),
        proof._replace(note="none"),
    ):
        assert judges.judge(log, str(wrong)) == 3


def test_a_closing_that_was_corrected_is_refused(log: ClosedLog, judges: Judges) -> None:
    """The old file was true for its checkpoint; nothing proves the old balance against the new."""
    before = proof_of(log, DAY, "a-0007", BALANCES)
    corrected = BALANCES | {"a-0007": 650}
    log.close(DAY, corrected)
    with pytest.raises(InputError, match="is not covered"):
        proof_of(log, DAY, "a-0007", corrected)
    note = log.sign()
    after = proof_of(log, DAY, "a-0007", corrected)
    assert (after.amount, after.closings) == (650, 2)
    assert judges.judge(log, str(after)) == 0
    assert judges.judge(log, str(before)) == 0
    assert judges.judge(log, str(before._replace(note=note))) == 3
    first = {"message": before.message, "accounts": before.accounts, "amount": before.amount}
    for wrong in (
        after._replace(**first),
        after._replace(**first, closings=1, entries=b""),
        before._replace(note=note, tags=after.tags),
    ):
        assert judges.judge(log, str(wrong)) == 3
    with pytest.raises(IntegrityError, match="are not those that position"):
        proof_of(log, DAY, "a-0007", BALANCES)


@pytest.mark.parametrize(
    "changes",
    [
        {"position": -1},
        {"position": 2**53},
        {"recorded_at": -1},
        {"occurred_at": 7_258_118_400_000_000},
        {"decision_index": 2**31},
        {"period": "x" * 65_536},
        {"closings": 2**53},
        {"covered": 2**53},
        {"has_map": False},
        {"newline": "\r\n"},
    ],
    ids=str,
)
def test_judges_agree_over_what_no_writer_records(
    log: ClosedLog, judges: Judges, tmp_path: Path, changes: dict[str, Any]
) -> None:
    """An operator can sign any map over any message: its values are bounded for all judges."""
    assert judges.judge(log, str(signed_proof(log))) == 0
    text = str(signed_proof(log, **changes)).replace("\n", changes.get("newline", "\n"))
    assert judges.judge(log, text) == 3
    done = run_here("evidence", "verify-balance", str(judges.folder / "balance"), data=tmp_path)
    assert done.returncode == 3, done.stderr


def signed_proof(log: ClosedLog, **changes: Any) -> BalanceProof:
    """Prove the balance of the only account by the only message of a period."""
    key = key_of(b"a-1")
    record = {name: changes.get(name, 0) for name in schemas.ENVELOPE_FIELDS}
    record |= {"previous_hash": bytes(32), "command_id": bytes(16), "command_digest": bytes(16)}
    record |= {"actor": "a", "source": "s", "period": changes.get("period", DAY), "size": 0}
    record |= {"count": 1, "total": 7, "root": balance_leaf(key, 7)}
    schema = schemas.newest()["BalancesClosed"]
    wide = {**schema.raw, "fields": [{**one} for one in schema.raw["fields"]]}
    for field in wide["fields"]:
        field["type"] = "long" if field["type"] == "int" else field["type"]
    stream = BytesIO()
    schemaless_writer(stream, parse_schema(wide), record)
    message = header_of(schema) + stream.getvalue()
    position = record["position"].to_bytes(8, signed=True)
    entry = sha256(b"\0" + position + hash_of(message)).digest()
    count = changes.get("closings", 1)
    entries = bytes(32 * (count.bit_length() - 1))
    root = root_from_multiproof({count - 1: entry}, count, hashes_in(entries))
    tag = key_of(f"period:{record['period']}".encode())
    leaf = sha256(b"\2" + tag + count.to_bytes(8) + position + root).digest()
    map_root = leaf if changes.get("has_map", True) else b""
    signed = Checkpoint(log.name, changes.get("covered", 9), bytes(32), map_root)
    note = make_note(signed, [(log.key.public, log.key.sign(signed))])
    return BalanceProof("a-1", 7, b"", message, count, entries, b"", note)


@pytest.mark.slow
def test_judges_agree_over_flipped_bits(log: ClosedLog, judges: Judges) -> None:
    text = str(proof_of(log, DAY, "a-0007", BALANCES))
    draw = Random("balance")
    for _ in range(FLIPS):
        at = draw.randrange(len(text))
        other = chr(ord(text[at]) ^ 1 << draw.randrange(7))
        assert judges.judge(log, text[:at] + other + text[at + 1 :]) == 3


def test_the_page_shows_what_is_proved_and_under_which_key(log: ClosedLog, page: Page) -> None:
    """It sends nothing, and judges what a reader pastes or opens, with and without a key."""
    proof = proof_of(log, DAY, "a-minus", BALANCES)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.fill("#content", str(proof).rstrip())
    page.click("#verify")
    verdict = page.locator("#verdict")
    expect(verdict).to_have_class("part")
    expect(verdict).to_contain_text("Nebyl zadán žádný klíč")
    page.fill("#keys", f"public key: {log.key.public.text}\n")
    page.set_input_files("#file", [file_of(str(proof))])
    expect(verdict).to_have_class("good")
    names, values = (page.locator(f"#proved {one}").all_inner_texts() for one in ("dt", "dd"))
    shown = dict(zip(names, values, strict=True))
    assert shown["Konto"] == "a-minus"
    assert shown["Zůstatek"] == "-0,05\u00a0Kč"
    assert shown["Ke konci období"] == DAY
    assert shown["Podepsáno klíčem"] == log.key.public.text
    page.set_input_files("#file", [file_of(str(proof._replace(amount=5)))])
    expect(verdict).to_have_class("bad")
    expect(verdict).to_contain_text("balance: the account had not this balance")
    expect(page.locator("#proved")).to_be_hidden()
    page.fill("#keys", "nonsense")
    page.click("#verify")
    expect(verdict).to_contain_text("keys: a line is no public key")
    assert not asked


def file_of(text: str) -> FilePayload:
    return {"name": "balance.txt", "mimeType": "text/plain", "buffer": text.encode()}


def test_what_has_no_closing_can_not_be_proved(log: ClosedLog) -> None:
    with pytest.raises(InputError, match="no closing of 2026-11 is recorded"):
        proof_of(log, "2026-11", "a-0007", BALANCES)
    with pytest.raises(InputError, match="had no balance"):
        proof_of(log, DAY, "stranger", BALANCES)
    assert last_note(log.log)
    assert isinstance(proof_of(log, DAY, "a-0007", BALANCES), BalanceProof)

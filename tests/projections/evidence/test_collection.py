"""An archive of evidence: each file proves its round alone, and the contents list all of them."""

from __future__ import annotations

import io
import json
import re
import zipfile
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.tlog.signing import SigningKey
from projections.evidence.checking import check
from projections.evidence.collection import ROUNDS_MAX, collect_rounds, packed
from tests.projections.history_cases import Casino

if TYPE_CHECKING:
    from ledger.log.port import Log

ROUNDS = ("q2", "q1")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Two rounds, in the second of which another participant bets, too."""
    casino = Casino(tmp_path_factory.mktemp("collection"))
    casino.seat("a")
    casino.seat("b")
    for name in sorted(ROUNDS):
        casino.do("open_round", round=name, table="t")
        casino.bet(name, 1, "black", 10_000)
        if name == "q2":
            casino.bet(name, 2, "red", 5_000, account="b")
        casino.finish(name, 17)
    key = SigningKey(casino.ledger.chain, bytes(range(32)))
    at = casino.clock.moment
    added = AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="Example.")
    casino.ledger.submit(added, at=at).result()
    casino.ledger.submit(RecordCheckpoint.of(casino.ledger.checkpoint(), key), at=at).result()
    return casino.log


def archive(log: Log, account: str = "") -> zipfile.ZipFile:
    made = collect_rounds(log, ROUNDS, account=account)
    content = b"".join(packed(made))
    assert content == b"".join(packed(made)), "the same log gives the same bytes"
    return zipfile.ZipFile(io.BytesIO(content))


@pytest.mark.parametrize("account", ["", "a"])
def test_each_file_of_an_archive_proves_its_round_alone(log: Log, account: str) -> None:
    with archive(log, account) as found:
        assert found.testzip() is None
        contents = json.loads(found.read("contents.json"))
        page = found.read("contents.html").decode()
        assert [one["round"] for one in contents["rounds"]] == list(ROUNDS)
        assert (contents["chain"], contents["meant_for"]) == ("live", account)
        files = [one["file"] for one in contents["rounds"]]
        assert sorted(found.namelist()) == sorted([*files, "contents.html", "contents.json"])
        assert re.findall(r'href="([^"]+)"', page) == files
        for line in contents["rounds"]:
            content = found.read(line["file"])
            assert (len(content), sha256(content).hexdigest()) == (line["bytes"], line["sha256"])
            assert line["sha256"] in page
            proved = check(content).verified
            assert proved.evidence.subject.tag == f"round:{line['round']}"
            assert proved.evidence.subject.account == account
            assert (line["table"], line["game"]) == ("t", "sazka.roulette_evolution")
            assert (line["withheld"] > 0) == (account == "a" and line["round"] == "q2")


def test_what_is_no_set_of_known_rounds_is_refused(log: Log) -> None:
    for names, text in (
        ([], "0 rounds"),
        ([f"r{number}" for number in range(ROUNDS_MAX + 1)], "201 rounds"),
        (["q1", "q1"], "twice"),
        (["q1", "nope"], "nope"),
    ):
        with pytest.raises(InputError, match=text):
            collect_rounds(log, names)

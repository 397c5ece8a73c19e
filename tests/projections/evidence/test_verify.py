"""Evidence is refused for whatever does not fit, with its place; Python's side of it."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.core.clock import HOUR, MOMENT_MAX, SECOND, StoppedClock
from ledger.core.errors import InputError
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.decisions.rounds.opening import OpenRound
from ledger.events.encoding import decode as decode_message
from ledger.events.encoding import hash_of
from ledger.events.event_types import AccountOpened
from ledger.log.port import Query
from ledger.privacy import KeyStore
from ledger.tlog import merkle
from ledger.tlog.cosigning import CosignerKey, WitnessKey
from ledger.tlog.notes import Note
from ledger.tlog.policy import Policy
from ledger.tlog.signing import PublicKey, SigningKey
from ledger.tlog.stamps import parse_roots, stamp_request
from ledger.writer import Ledger
from projections.evidence import pdf_text, printing
from projections.evidence.attestations import missing_attestations
from projections.evidence.checking import check
from projections.evidence.collect import account_evidence, round_evidence
from projections.evidence.document import EvidenceError, Stamp, decode, encode
from projections.evidence.page import data_in, page_of
from projections.evidence.verify import stamped_bytes, verify
from tests.projections.evidence.evidence_vectors import BEGIN, FOLDER, SECRET, small_log
from tests.projections.evidence.origin_vectors import Sources, seals_in
from tests.projections.history_cases import GAME, Casino
from tests.stamp_authority import StampAuthority

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fpdf import FPDF

    from ledger.log.memory import MemoryLog
    from projections.evidence.document import Evidence

ROOT = Path(__file__).parents[3]
VECTORS = ROOT / FOLDER
EXPECTED: dict[str, str] = json.loads((VECTORS / "expected.json").read_text())
KEY = SigningKey("casino.example/live", SECRET).public


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryLog]:
    found = small_log(tmp_path_factory.mktemp("evidence") / "keys")
    yield found
    found.close()


def place_of(data: bytes, *keys: PublicKey) -> str:
    """Name what does not fit; nothing, if all does."""
    try:
        verify(data, keys)
    except EvidenceError as error:
        return error.place
    return ""


def changed(evidence: Evidence, **changes: object) -> bytes:
    return encode(replace(evidence, **changes))


def with_proof(log: MemoryLog, evidence: Evidence, name: str = "r1") -> Evidence:
    """Prove what is there, as somebody could who has the log."""
    at = sorted([one.position for one in (*evidence.messages, *evidence.withheld)])
    size = verify(encode(round_evidence(log, name))).checkpoint.size
    return replace(evidence, tree=b"".join(merkle.inclusion_of_all(log.node, at, size)))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_vector_is_judged_as_the_docs_say(name: str) -> None:
    assert place_of((VECTORS / name).read_bytes()) == EXPECTED[name]


def test_a_round_is_proved_whole_with_what_it_rests_on(log: MemoryLog) -> None:
    found = verify(encode(round_evidence(log, "r1")), [KEY])
    positions = log.find(Query(tags=("round:r1",)))
    assert [one.position for one in found.events] == positions
    kinds = Counter(one.name for one in found.basis)
    assert kinds["SigningKeyAdded"] == kinds["RulesPublished"] == kinds["TableOpened"] == 1
    assert found.signers == (KEY,)
    assert found.reservations == ()


def test_what_names_others_is_withheld_and_still_counted(log: MemoryLog) -> None:
    data = encode(round_evidence(log, "r1", account="a-1"))
    found = verify(data)
    assert b"a-2" not in b"".join(one.body for one in found.evidence.messages)
    shown = [one.position for one in found.events]
    hidden = [one.position for one in found.evidence.withheld]
    assert hidden
    assert sorted(shown + hidden) == log.find(Query(tags=("round:r1",)))
    evidence = found.evidence
    less = replace(evidence, withheld=evidence.withheld[1:])
    assert place_of(encode(less)) == "tree"
    assert place_of(encode(with_proof(log, less))) == "completeness"
    with pytest.raises(InputError, match="has no part in round r1"):
        round_evidence(log, "r1", account="a-3")


def test_a_period_shows_the_events_beside_it(log: MemoryLog) -> None:
    everything = verify(encode(account_evidence(log, "a-1"))).events
    first, end = (everything[at].envelope["recorded_at"] for at in (4, 8))
    evidence = account_evidence(log, "a-1", first=first, end=end)
    shown = verify(encode(evidence)).events
    assert [one.position for one in shown] == [one.position for one in everything[3:9]]
    wider = replace(evidence.subject, first=first - 60_000_000)
    assert place_of(changed(evidence, subject=wider)) == "completeness"
    longer = replace(evidence.subject, end=None)
    assert place_of(changed(evidence, subject=longer)) == "completeness"
    elsewhere = replace(evidence.completeness, begin=4)
    assert place_of(changed(evidence, completeness=elsewhere)) == "completeness"
    for period in ({"first": MOMENT_MAX}, {"end": -1}):
        with pytest.raises(InputError, match="from 1970 to 2199"):
            account_evidence(log, "a-1", **period)


def test_sealed_fields_stay_sealed_unless_the_keys_open_them(
    log: MemoryLog, tmp_path: Path
) -> None:
    small_log(tmp_path / "keys").close()
    keys = KeyStore(tmp_path / "keys", writable=False)
    sealed = page_of(encode(account_evidence(log, "a-1"))).decode()
    assert "Jan Novák" not in sealed
    opened = account_evidence(log, "a-1", keys=keys)
    keys.close()
    page = page_of(encode(opened)).decode()
    assert "Jan Novák" in page
    assert "the text is proved to be what was recorded" in page
    erased = changed(opened, opened=[replace(one, key=None) for one in opened.opened])
    assert "erased: the key was destroyed" in page_of(erased).decode()
    (stated,) = verify(erased).reservations
    assert stated.startswith(f"The issuer states that {len(opened.opened)} personal fields")
    wrong = replace(opened.opened[0], field="account")
    assert place_of(changed(opened, opened=[wrong])) == "opened"


def test_a_key_that_is_missing_is_not_stated_as_an_erasure(log: MemoryLog, tmp_path: Path) -> None:
    """Such as with the keys of another chain, or with a copy that is too old."""
    with closing(KeyStore(tmp_path / "keys")) as keys:
        with pytest.raises(InputError, match="the chain has no erasure"):
            account_evidence(log, "a-1", keys=keys)
        (opened,) = log.find(Query(types=("AccountOpened",), tags=("account:a-1",)))
        ((_, message),) = log.read(opened, opened + 1)
        event = decode_message(message).event
        assert isinstance(event, AccountOpened)
        keys.destroy(event.person)
        found = account_evidence(log, "a-1", keys=keys).opened
        assert {one.key for one in found} == {None}


def test_a_disclosed_key_opens_one_field_and_no_other(log: MemoryLog, tmp_path: Path) -> None:
    small_log(tmp_path / "keys").close()
    with closing(KeyStore(tmp_path / "keys", writable=False)) as keys:
        evidence = account_evidence(log, "a-1", keys=keys)
    texts = [one.text for one in verify(encode(evidence)).opened]
    assert "Jan Novák" in texts
    for number, one in enumerate(evidence.opened):
        for other in evidence.opened[:number] + evidence.opened[number + 1 :]:
            assert place_of(changed(evidence, opened=[replace(one, key=other.key)])) == "opened"


def test_a_subject_behind_the_checkpoint_is_refused_with_the_next_step(tmp_path: Path) -> None:
    log = small_log(tmp_path / "keys")
    with Ledger(log, KeyStore(tmp_path / "keys"), clock=StoppedClock(BEGIN + HOUR)) as ledger:
        ledger.execute(OpenRound(round="r3", table="t1"))
        with pytest.raises(InputError, match=r"round r3 goes on .*sign a new one with"):
            round_evidence(log, "r3")
        assert place_of(encode(round_evidence(log, "r2"))) == ""


def test_only_a_key_that_is_trusted_counts(log: MemoryLog) -> None:
    data = encode(round_evidence(log, "r1"))
    other = SigningKey("casino.example/live", bytes(32)).public
    assert place_of(data, KEY, other) == ""
    assert place_of(data, other) == "checkpoint"
    assert place_of(data, PublicKey("casino.example/dead", KEY.raw)) == "checkpoint"


@pytest.mark.parametrize(
    "content",
    [b"", b"<html></html>", b"%PDF-1.7\n", b"\xff" * 100, b"{}", b'{"evidence":2}'],
)
def test_what_is_no_evidence_is_refused_in_words(content: bytes) -> None:
    with pytest.raises((InputError, EvidenceError)):
        check(content)


def test_a_page_shows_what_is_proved_to_the_byte(log: MemoryLog) -> None:
    page = page_of(encode(round_evidence(log, "r1")))
    assert check(page, [KEY]).page == "shows what is proved, to the byte"
    for said in (b"a-1", b"CZK", b"17"):
        at = page.rindex(said, 0, page.index(b'id="evidence"'))
        with pytest.raises(EvidenceError, match="page: "):
            check(page[:at] + b"x" + page[at + 1 :])
    with pytest.raises(InputError, match="no data part, or several"):
        check(page + page)
    cut = page[: page.index(b"</script>", page.index(b'id="evidence"')) - 100]
    with pytest.raises((EvidenceError, InputError)):
        check(cut)
    made = data_in(page).replace(b'"gameledger ', b'"gameledges ')
    assert place_of(made) == "digest"


def test_a_late_bet_is_shown_with_its_distance_from_the_close_and_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = Casino(tmp_path)
    chain.seat("a")
    key = SigningKey(chain.ledger.chain, SECRET)
    chain.ledger.execute(AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="."))
    clocks = {"known": (412, 95), "silent": (None, None), "unknown": None}
    for name in ("unknown", "known", "silent"):
        measured = clocks[name]
        if measured:
            skew, uncertainty = measured
            chain.do(
                "record_clock", source_of_time="tik.cesnet.cz", skew=skew, uncertainty=uncertainty
            )
        chain.do("open_round", round=name, table="t")
        chain.bet(name, 1, "black", 10_000)
        chain.close_bets(name)
        chain.clock.moment += 812_000
        chain.bet(name, 2, "black", 10_000)
        chain.do("land_ball", round=name, number=17)
        chain.do("record_result", round=name, outcome={"number": 17}, wording="17")
        chain.settle(name)
    chain.ledger.execute(RecordCheckpoint.of(chain.ledger.checkpoint(), key))
    for name, clock in (
        ("unknown", "No comparison of the clock with a time source is recorded"),
        ("known", "it differed by 0.412 ms, known to within 0.095 ms"),
        ("silent", "tik.cesnet.cz on"),
    ):
        page = page_of(encode(round_evidence(chain.log, name))).decode()
        text = page.replace("\N{NO-BREAK SPACE}", " ")
        assert re.search(r"recorded 0\.8\d\d s after the recorded close of bets", text)
        assert re.search(r"0,8\d\d s po zaznamenaném konci sázek", text)
        assert clock in text
        assert check(page.encode(), [key.public]).page == "shows what is proved, to the byte"
    lines: list[str] = []

    def write_line(document: FPDF, text: str, **form: Any) -> None:
        lines.append(text.replace("\N{NO-BREAK SPACE}", " "))
        pdf_text.write_line(document, text, **form)

    monkeypatch.setattr(printing, "write_line", write_line)
    printing.print_page(page.encode())
    for late in (
        r"0\.8\d\d s after the recorded close of bets",
        r"0,8\d\d s po zaznamenaném konci",
    ):
        (line,) = (one for one in lines if re.search(late, one))
        assert "tik.cesnet.cz" in line


def test_a_round_rests_on_the_limits_of_its_own_table_in_force(tmp_path: Path) -> None:
    chain = Casino(tmp_path)
    chain.do("open_table", table="u", registration="2", game=GAME, place="p", streamed=True)
    chain.do("set_table_limits", table="t", stakes={"red": [100, 50_000]})
    chain.do("set_table_limits", table="u", stakes={"red": [200, 60_000]})
    chain.seat("a")
    chain.do("open_round", round="q", table="t")
    chain.do("set_table_limits", table="t", stakes={"red": [300, 70_000]})
    key = SigningKey(chain.ledger.chain, SECRET)
    chain.ledger.execute(AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="."))
    chain.ledger.execute(RecordCheckpoint.of(chain.ledger.checkpoint(), key))
    whole = round_evidence(chain.log, "q")
    rests_on = {one.name: one.position for one in verify(encode(whole)).basis}
    own, other, later = chain.log.find(Query(types=("TableLimitsSet",)))
    assert rests_on["TableLimitsSet"] == own
    bodies = dict(chain.log.read())
    message = next(one for one in whole.messages if one.position == own)
    for at in (other, later):
        foreign = replace(message, position=at, mark=hash_of(bodies[at])[:4], body=bodies[at])
        others = [one for one in whole.messages if one.position != own]
        shown = sorted([*others, foreign], key=lambda one: one.position)
        forged = with_proof(chain.log, replace(whole, messages=tuple(shown)), "q")
        assert place_of(encode(forged)) == f"message {at}"
    opened = rests_on["TableOpened"]
    unopened = [one for one in whole.messages if one.position != opened]
    forged = with_proof(chain.log, replace(whole, messages=tuple(unopened)), "q")
    assert place_of(encode(forged)) == f"message {own}"
    chain.close()


def test_a_file_for_a_participant_withholds_legal_holds(tmp_path: Path) -> None:
    chain = Casino(tmp_path)
    chain.seat("a")
    chain.do("open_round", round="q", table="t")
    texts = {"ordered_by": "legal", "reference": "C-1", "reason": "The player threatens to sue."}
    chain.do("place_hold", hold="h-1", account="a", **texts)
    chain.do("place_hold", hold="h-2", round="q", **texts)
    chain.bet("q", 1, "red", 1_000, account="a")
    chain.do("end_hold", hold="h-1", ordered_by="legal", reason="Settled.")
    key = SigningKey(chain.ledger.chain, SECRET)
    chain.ledger.execute(AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="."))
    chain.ledger.execute(RecordCheckpoint.of(chain.ledger.checkpoint(), key))
    whole = verify(encode(round_evidence(chain.log, "q")))
    assert "LegalHoldPlaced" in {one.name for one in whole.events}
    for made in (round_evidence(chain.log, "q", account="a"), account_evidence(chain.log, "a")):
        found = verify(encode(made))
        assert not {one.name for one in found.events} & {"LegalHoldPlaced", "LegalHoldEnded"}
        assert found.evidence.withheld
        assert b"threatens" not in page_of(encode(made))
    chain.close()


def test_a_key_or_a_moment_of_a_witness_is_read_in_one_form(log: MemoryLog) -> None:
    sound = witnessed(round_evidence(log, "r1"), BEGIN // SECOND)
    assert place_of(encode(sound)) == ""
    (text,) = sound.witnesses
    assert place_of(changed(sound, witnesses=(f"{text}\n",))) == "checkpoint"
    never = witnessed(round_evidence(log, "r1"), MOMENT_MAX // SECOND + 1)
    assert place_of(encode(never)) == "checkpoint"


def test_a_page_of_another_version_is_not_compared(log: MemoryLog) -> None:
    evidence = replace(round_evidence(log, "r1"), made_by="gameledger 9.9")
    page = page_of(encode(evidence)).replace(b"<main>", b"<main><p>Other words.</p>")
    found = check(page)
    assert "was not compared" in found.reservations[0]


def test_a_document_of_another_version_says_that_its_print_was_not_compared(
    log: MemoryLog,
) -> None:
    evidence = replace(round_evidence(log, "r1"), made_by="gameledger 0.0.1")
    document = printing.print_page(page_of(encode(evidence)))
    assert check(document).page == "shows what is proved, to the byte"
    forged = document.replace(b"%PDF-1.7", b"%PDF-1.6", 1)
    for other in (forged, forged + b"% more"):
        found = check(other)
        assert found.page == "not compared"
        assert "printed by gameledger 0.0.1" in found.reservations[-1]


def test_there_is_one_form_of_a_data_part(log: MemoryLog) -> None:
    data = encode(round_evidence(log, "r<&>\x7f\u010d"))
    assert not set(b"<>&\x7f") & set(data)
    assert data.isascii()
    assert encode(decode(data)[0]) == data
    document = json.loads(data)
    assert document["subject"]["tag"] == "round:r<&>\x7f\u010d"
    assert len(b64decode(document["digest"])) == 32
    for other in (json.dumps(document), data.decode() + "\n", data.decode().replace("<", "<")):
        if other.encode() != data:
            assert place_of(other.encode()) == "data"


def later(log: MemoryLog) -> int:
    """A moment after all that was recorded, in seconds."""
    found = verify(encode(round_evidence(log, "r1")))
    last = max(event.envelope["recorded_at"] for event in (*found.events, *found.basis))
    return last // SECOND + 1


def witnessed(evidence: Evidence, seconds: int) -> Evidence:
    key, note = WitnessKey("witness.example", SECRET), Note.parse(evidence.note)
    line = key.public.line(key.cosign(note.text, seconds))
    cosigned = str(Note(note.text, (*note.signatures, line)))
    return replace(evidence, note=cosigned, witnesses=(key.public.text,))


def policy_of(*keys: CosignerKey) -> Policy:
    lines = [f"witness w{number} {key.text}" for number, key in enumerate(keys)]
    names = " ".join(f"w{number}" for number in range(len(keys)))
    return Policy.parse("\n".join([*lines, f"group g all {names}", "quorum g", ""]))


def test_cover_that_is_asked_for_is_there_or_told(log: MemoryLog) -> None:
    key = WitnessKey("witness.example", SECRET).public
    absent = WitnessKey("other.example", bytes(32)).public
    evidence = round_evidence(log, "r1")
    found = verify(encode(witnessed(evidence, later(log))))
    assert missing_attestations(found, policy_of(key), None) == ()
    (said,) = missing_attestations(found, policy_of(key, absent), None)
    assert said.startswith("UNWITNESSED")
    assert "w1 did not cosign it" in said
    assert missing_attestations(verify(encode(evidence)), policy_of(key), None)[0].startswith(
        "UNWITNESSED"
    )


def test_a_cosignature_older_than_the_events_is_refused(log: MemoryLog) -> None:
    key = WitnessKey("witness.example", SECRET).public
    early = witnessed(round_evidence(log, "r1"), later(log) - 100 * 3600)
    with pytest.raises(EvidenceError, match="cosignature of w0 is older than message"):
        missing_attestations(verify(encode(early)), policy_of(key), None)


def test_a_stamp_is_held_against_the_roots_of_the_reader(log: MemoryLog, tmp_path: Path) -> None:
    authority, other = StampAuthority(tmp_path / "one"), StampAuthority(tmp_path / "two")
    evidence = round_evidence(log, "r1")
    plain = verify(encode(evidence))
    roots = parse_roots(authority.roots)
    assert missing_attestations(plain, None, roots)[0].startswith("UNSTAMPED")
    note = stamped_bytes(Note.parse(evidence.note), plain.signers)
    answer = authority.answer(stamp_request(note).as_bytes())
    stamped = verify(encode(replace(evidence, stamps=(Stamp("authority.example", answer),))))
    assert missing_attestations(stamped, None, roots) == ()
    with pytest.raises(EvidenceError, match="a time stamp does not hold"):
        missing_attestations(stamped, None, parse_roots(other.roots))


def test_a_file_shows_the_seals_of_the_facts_that_it_shows(log: MemoryLog, tmp_path: Path) -> None:
    """A participant's file has no seal of withheld facts; without sources, nothing is added."""
    assert b'"origin"' not in encode(round_evidence(log, "r1"))
    with closing(small_log(tmp_path / "keys", sources=Sources())) as sealed:
        whole = round_evidence(sealed, "r1")
        own = round_evidence(sealed, "r1", account="a-1")
        account = account_evidence(sealed, "a-1")
    assert [bool(one.commands) for one in seals_in(whole)] == [True, False]
    assert seals_in(own) == seals_in(whole)[:1]
    origins = verify(encode(own)).origins
    assert {one.position for one in origins}.isdisjoint(at.position for at in own.withheld)
    assert verify(encode(account)).origins == ()
    printed = printing.print_page(page_of(encode(whole)))
    assert check(printed).page == "shows what is proved, to the byte"

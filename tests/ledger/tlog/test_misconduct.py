"""Proof of misconduct: two checkpoints of one log that can't both be true, and nothing else."""

from __future__ import annotations

import pytest

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog import merkle
from ledger.tlog.misconduct import Submission, is_signed, prove_misconduct, require_misconduct
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, SigningKey, make_note

KEY = SigningKey("casino.example/live", b"\x07" * 32)
OTHER = SigningKey("casino.example/live", b"\x08" * 32)
KEYS = [KEY.public]


class Tree:
    """A history; two of them with other words are a fork."""

    def __init__(self, words: str) -> None:
        self.leaves = [merkle.leaf_hash(f"{words} {number}".encode()) for number in range(40)]

    def node(self, level: int, index: int) -> bytes:
        if level == 0:
            return self.leaves[index]
        below = (self.node(level - 1, 2 * index + one) for one in (0, 1))
        return merkle.node_hash(*below)

    def note(self, size: int, key: SigningKey = KEY, chain: str = "casino.example/live") -> Note:
        checkpoint = Checkpoint(chain, size, merkle.root(self.node, size))
        return Note.parse(make_note(checkpoint, [(key.public, key.sign(checkpoint))]))

    def steps(self, old: int, size: int) -> list[bytes]:
        proof = merkle.consistency(self.node, old, size)
        return proof if old & (old - 1) else [merkle.root(self.node, old), *proof]


TRUE, FORK = Tree("true"), Tree("fork")


@pytest.mark.law("eIDAS 45l(1)(c)")
def test_two_roots_of_one_size_are_a_proof() -> None:
    proof = prove_misconduct(TRUE.note(7), (), FORK.note(7))
    assert require_misconduct(proof, KEYS) == (TRUE.note(7), FORK.note(7))


@pytest.mark.parametrize("old", range(1, 20))
@pytest.mark.parametrize("size", [20, 32, 37])
def test_a_later_tree_that_began_otherwise_is_a_proof(old: int, size: int) -> None:
    """Also where the sizes differ: the later root says what the earlier would have had to be."""
    proof = prove_misconduct(FORK.note(old), TRUE.steps(old, size), TRUE.note(size))
    assert require_misconduct(proof, KEYS) == (FORK.note(old), TRUE.note(size))
    assert prove_misconduct(TRUE.note(old), TRUE.steps(old, size), TRUE.note(size)) == ""
    assert prove_misconduct(FORK.note(old), FORK.steps(old, size), TRUE.note(size)) == ""


def test_what_may_be_true_is_no_misconduct() -> None:
    assert prove_misconduct(TRUE.note(7), (), TRUE.note(7)) == ""
    assert prove_misconduct(TRUE.note(7), (), FORK.note(8)) == ""
    assert prove_misconduct(TRUE.note(8), (), FORK.note(7)) == ""
    stranger = FORK.note(7, SigningKey("else", b"\x07" * 32), "else")
    assert prove_misconduct(TRUE.note(7), (), stranger) == ""


def test_a_proof_without_the_signatures_of_the_log_accuses_nobody() -> None:
    proof = prove_misconduct(TRUE.note(7), (), FORK.note(7, OTHER))
    with pytest.raises(IntegrityError, match="not signed by a key of its log"):
        require_misconduct(proof, KEYS)
    assert require_misconduct(proof, [*KEYS, OTHER.public])


def test_what_was_changed_in_a_proof_is_noticed() -> None:
    proof = prove_misconduct(FORK.note(5), TRUE.steps(5, 20), TRUE.note(20))
    for at in range(0, len(proof), 3):
        broken = proof[:at] + ("A" if proof[at] != "A" else "B") + proof[at + 1 :]
        with pytest.raises((InputError, IntegrityError)):
            require_misconduct(broken, KEYS)


def test_a_false_signature_of_a_known_key_spoils_a_note() -> None:
    note = TRUE.note(7)
    assert is_signed(note, KEYS)
    assert not is_signed(note, [OTHER.public])
    both = Note(note.text, (*note.signatures, *FORK.note(7, OTHER).signatures))
    assert is_signed(both, KEYS)
    assert not is_signed(both, [*KEYS, OTHER.public])


@pytest.mark.parametrize(
    "body",
    [
        "",
        "old 07\n\nNOTE",
        "old -1\n\nNOTE",
        "old ٣\n\nNOTE",
        "old\n\nNOTE",
        "old 99999999999999999999\n\nNOTE",
        "old 1\nNOTE",
        "old 1\nAAAA\n\nNOTE",
        "old 1\n!\n\nNOTE",
        "old 1\n" + f"{'A' * 43}=\n" * 64 + "\nNOTE",
        "old 1\n\nsomething else\n",
    ],
)
def test_what_is_no_submission_is_refused(body: str) -> None:
    with pytest.raises(InputError):
        Submission.parse(body.replace("NOTE", str(TRUE.note(7))))


def test_a_submission_is_what_c2sp_says() -> None:
    body = (
        "old 20852014\n"
        "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n"
        "jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n"
        "5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n"
        "/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n"
        "\n"
        "example.com/behind-the-sofa\n"
        "20852163\n"
        "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
        "\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhc"
        "yv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/"
        "V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=\n"
    )
    found = Submission.parse(body)
    assert (found.old, len(found.proof), found.note.head.size) == (20852014, 4, 20852163)
    assert str(found) == body

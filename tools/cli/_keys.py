"""``keys``: the keys of persons are backed up apart from the log, checked and brought back."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from ledger.core.errors import InputError
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint, RevokeSigningKey
from ledger.privacy import KeyStore, copy_keys
from ledger.storage.durable import sync_folder
from ledger.tlog.signing import SigningKey
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._log_checkpoint import OfSigningKey, SigningAlgorithm, key_history
from tools.cli._options import DATA, Data
from tools.cli._output import counted, echo, facts, number
from tools.data.key_check import KeyCheck, check_keys, key_states

__all__ = ["CopiedKeys", "RotatedKey", "app"]

app = Commands("Keys: check, back up and restore those of persons; rotate the signing key.")

FOUND = 1


@dataclass(frozen=True, slots=True)
class CopiedKeys:
    """A copy of the keys of a chain."""

    folder: str


@dataclass(frozen=True, slots=True)
class RotatedKey:
    """IDs of the old and the new signing key, the new public key, and the size that it signed."""

    old: str
    new: str
    key: str
    size: int


def _show_copy(copied: CopiedKeys) -> None:
    folder = copied.folder
    echo(f"The keys are copied to {folder}. Check them: `gameledger --keys {folder} keys check`")


@app.command()
@answers(_show_copy)
def backup(
    *,
    folder: Annotated[Path, typer.Argument(help="Where to: a new folder, or an empty one.")],
    data: Data = DATA,
) -> CopiedKeys:
    """Copy the keys, also while a writer uses them, to a folder apart from the log.

    Log and keys together open personal data; an erased person is gone from the copies, too,
    only when the last older one is destroyed (docs/keys.md).

    Example: `gameledger keys backup /media/safe/keys-2026-11-22`
    """
    if data.path.resolve() in folder.resolve().parents:
        raise InputError(f"{folder} lies beside the log: keep the keys on something else")
    data.keys().close()
    copy_keys(data.keys_path, folder)
    return CopiedKeys(str(folder))


def _show_check(found: KeyCheck) -> None:
    facts(
        [
            ("persons", number(found.persons)),
            ("readable", number(found.readable)),
            ("erased", number(found.erased)),
            ("erased, with a key", number(found.left)),
            ("missing", number(found.missing)),
            ("strange", number(found.strange)),
            ("as of", f"position {found.size}"),
        ]
    )


def _end_of_check(found: KeyCheck) -> int:
    return 0 if found.is_whole else FOUND


@app.command()
@answers(_show_check, end=_end_of_check)
def check(*, data: Data = DATA) -> KeyCheck:
    """Try every person's key on what the log holds; exit code 1 where one is missing or strange.

    Example: `gameledger --keys /media/safe/keys-2026-11-22 keys check`
    """
    with closing(data.read()) as log, closing(data.keys()) as keys:
        return check_keys(log, keys)


def _show_restored(found: KeyCheck) -> None:
    echo(f"The keys are back; {counted(found.destroyed, 'key', 'keys')} of the erased destroyed.")
    _show_check(found)


@app.command()
@answers(_show_restored, end=_end_of_check)
def restore(
    *,
    folder: Annotated[Path, typer.Argument(help="A folder that `keys backup` made.")],
    data: Data = DATA,
) -> KeyCheck:
    """Bring the keys back from a copy, where there are none; a person erased since stays erased.

    Exit code 1 when a person registered after the copy can't be read.

    Example: `gameledger keys restore /media/safe/keys-2026-11-22`
    """
    if KeyStore.exists_in(data.keys_path):
        raise InputError(f"{data.keys_path} holds keys already: they are not replaced")
    if not KeyStore.exists_in(folder):
        raise InputError(f"{folder} holds no whole copy of the keys: `keys backup` makes one")
    with closing(data.read()) as log:
        size = log.head().size
        with closing(KeyStore(folder, writable=False)) as keys:
            states = key_states(log, keys, size)
        found = KeyCheck.of(states, size)
        if not found.is_whole and not found.readable:
            text = f"{folder} opens no personal data of the log"
            raise InputError(f"{text}: it is of another chain, or older than the first account")
        gone = [name for name, state in states.items() if state not in {"readable", "erased"}]
        copy_keys(folder, data.keys_path, destroying=gone)
        with closing(data.keys()) as keys:
            return replace(check_keys(log, keys), destroyed=found.left + found.strange)


def _show_rotated(key: RotatedKey) -> None:
    echo(f"Key {key.new} signs from now on; {key.old} confirmed it and is revoked.")
    facts([("public key", key.key)])


@app.command()
@answers(_show_rotated)
def rotate(
    *,
    reason: Annotated[str, typer.Option(help="Why the key is replaced; it is recorded.")],
    algorithm: OfSigningKey = SigningAlgorithm.ED25519,
    data: Data = DATA,
) -> RotatedKey:
    """Replace the key that signs checkpoints by a new one, which the old key confirms.

    The new key is recorded, the old key signs a checkpoint that covers this record and is revoked,
    and the new key signs the next one. A rotation that was interrupted goes on when it is repeated.
    Give the new public key to witnesses and authority; a lost key has no successor that it could
    confirm: `log checkpoint --new-key` announces one (docs/keys.md).

    Example: `gameledger keys rotate --reason "agreed mechanism" --algorithm ecdsa-p256`
    """
    path = data.signing_key_path
    following = path.with_name(f"{path.name}.next")
    if not path.exists():
        raise InputError(
            f"{path} is missing: restore it, or announce a new key with `log checkpoint --new-key`"
        )
    history = key_history(data)
    with data.write() as ledger:
        old = SigningKey.load(path)
        if old.key_id not in history:
            raise InputError(f"the chain does not know key {old.key_id}: sign a checkpoint first")
        new = (
            SigningKey.load(following)
            if following.exists()
            else SigningKey.create(following, ledger.chain, algorithm=algorithm.algorithm)
        )
        if new.key_id not in history:
            ledger.execute(AddSigningKey.of(new.public, reason, source="cli"))
        if history[old.key_id]:
            ledger.execute(RecordCheckpoint.of(ledger.checkpoint(), old))
            ledger.execute(
                RevokeSigningKey(
                    key_id=old.key_id, reason=f"Succeeded by {new.key_id}: {reason}", source="cli"
                )
            )
        signed = ledger.checkpoint()
        ledger.execute(RecordCheckpoint.of(signed, new))
    following.replace(path)
    sync_folder(path.parent)
    return RotatedKey(old.key_id, new.key_id, new.public.text, signed.size)

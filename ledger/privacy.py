"""Encrypt personal data before it is recorded; decrypt it while the person's key exists.

The log names players by pseudonyms. A personal field is encrypted with AES-256-GCM under a key of
its own, derived from the key of the person (HKDF, RFC 5869). The keys of persons are in a key store
next to the log. Texts of people without a known account are encrypted under the key of a purpose
and a month, such as ``statement:2026-11``. Destroying a key makes the data under it unreadable and
leaves every hash valid. The key of one field can be disclosed: it decrypts that field, proves its
text, and decrypts nothing else. Digests of identities, of names in statements and of commands are
keyed (BLAKE2b, RFC 7693), so that their input cannot be found by guessing.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ledger.core.clock import in_prague
from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.storage.durable import file_identity, make_folder, sync_folder, undoing
from ledger.storage.secret_files import (
    create_private,
    read_secret,
    require_private,
    write_secret,
)
from ledger.storage.sqlite_errors import explain, is_damage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

    from ledger.core.entropy import Entropy
    from ledger.events.event_types import Event

__all__ = [
    "KEY_BYTES",
    "NAME_DIGEST_DIGITS",
    "DryRunKeys",
    "KeyStore",
    "LeftKeyError",
    "copy_keys",
    "field_keys",
    "open_fields",
    "open_sealed",
    "period_key",
]

DIGEST_KEY = "digest.key"
PERSONS = "persons.sqlite"
PREPARED = (
    # A destroyed key must not survive in a free page or in a journal; a new one must not
    # be taken back by a journal whose removal was not synced.
    "PRAGMA secure_delete=ON",
    "PRAGMA journal_mode=DELETE",
    "PRAGMA synchronous=EXTRA",
    "CREATE TABLE IF NOT EXISTS person (person TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS destroyed (person TEXT PRIMARY KEY) WITHOUT ROWID",
)
DESTROYED = "INSERT OR IGNORE INTO destroyed VALUES (?)"

NONCE_BYTES = 12
NAME_DIGEST_DIGITS = 16
KEY_BYTES = 32
COMMITMENT = bytes(32)
"""Prefix of each plain text: unlike AES-GCM alone, it commits to one key and one text."""


class LeftKeyError(AvailabilityError):
    """An erased person returns and still has a key, which the writer destroys before a repeat."""


class KeyStore:
    """A folder with the keys of persons and the key of the digests, accessible only to the ledger.

    Args:
        directory: folder of the keys; created with mode 700 if it is missing.
        entropy: source of random bytes for keys and nonces.
        writable: create missing files; False for a reader, which changes nothing.

    Raises:
        AuthorizationError: users other than the owner may access the folder or a file in it.
        AvailabilityError: the folder cannot be used.
        IntegrityError: a file in it is damaged.

    """

    def __init__(
        self, directory: Path, entropy: Entropy = os.urandom, *, writable: bool = True
    ) -> None:
        """Open or create the store."""
        self._entropy = entropy
        self._cache: dict[str, bytes] = {}
        try:
            if writable:
                make_folder(directory)
            require_private(directory)
            self._digest_key = self._read_or_make(directory / DIGEST_KEY)
            path = self._path = directory / PERSONS
            if writable:
                create_private(path)
            for file in directory.glob(f"{PERSONS}*"):  # including the journals of SQLite
                require_private(file)
            self._database = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode={'rw' if writable else 'ro'}",
                uri=True,
                check_same_thread=False,
                isolation_level=None,
            )
            self._database.text_factory = bytearray  # names are only compared; a key is no text
            self._file = file_identity(path)
            if not writable:
                return
            for statement in PREPARED:
                self._database.execute(statement)
            sync_folder(directory)  # a killed process may have removed a journal without that
        except sqlite3.Error as error:
            raise explain(error, directory / PERSONS) from error
        except OSError as error:
            raise AvailabilityError(f"the key store {directory} can't be used: {error}") from error

    @staticmethod
    def exists_in(directory: Path) -> bool:
        """Return whether a folder holds a complete key store.

        Check this first where a new store must not be created: opening a partial store adds what is
        missing.
        """
        return all((directory / name).exists() for name in (DIGEST_KEY, PERSONS))

    def _read_or_make(self, path: Path) -> bytes:
        with contextlib.suppress(FileNotFoundError):
            key = read_secret(path)
            if len(key) != KEY_BYTES:
                # An empty key would leave the digests unkeyed, so that their input could be
                # guessed.
                raise IntegrityError(f"{path} is damaged: bring it back from a backup")
            return key
        key = self._entropy(KEY_BYTES)
        write_secret(path, key)
        return key

    def close(self) -> None:
        """Close the files."""
        self._database.close()

    def digest(self, purpose: str, content: bytes) -> bytes:
        """Return the 32-byte keyed digest of some content.

        ``purpose``, at most 16 bytes, gives each use of the key digests of its own.
        """
        return blake2b(
            content, digest_size=32, key=self._digest_key, person=purpose.encode()
        ).digest()

    def person(self, identity: str) -> str:
        """Return the pseudonym of a person: keyed digest of the identity, 32 hexadecimal digits."""
        normal = " ".join(normalize("NFKC", identity).split()).casefold()
        return self.digest("identity", normal.encode()).hex()[:32]

    def name_digest(self, name: str) -> str:
        """Return the keyed digest of a payer's name, 16 hexadecimal digits; "" for no name."""
        return self.digest("name", name.encode()).hex()[:NAME_DIGEST_DIGITS] if name else ""

    def seal(self, person: str, place: str, plain: str) -> bytes:
        """Encrypt a personal field; an empty text is returned as empty bytes.

        Args:
            person: pseudonym of the person (keyed digest of the identity), or name of a monthly
                key.
            place: event type and field, such as ``AccountOpened.name``.
            plain: the text to encrypt.

        """
        if not plain:
            return b""
        nonce, associated = self._entropy(NONCE_BYTES), _associated(person, place)
        cipher = AESGCM(_field_key(self._key(person, make=True), nonce, associated))
        return nonce + cipher.encrypt(nonce, COMMITMENT + plain.encode(), associated)

    def open(self, person: str, place: str, sealed: bytes) -> str | None:
        """Decrypt a personal field; return ``None`` if the key of the person was destroyed.

        Raises:
            IntegrityError: the ciphertext was not created for this person and field.

        """
        return self._decrypt(person, place, sealed)[1] if sealed else ""

    def field_key(self, person: str, place: str, sealed: bytes) -> bytes | None:
        """Return the key of one encrypted field for disclosure; ``None`` for an erased person.

        Raises:
            IntegrityError: the ciphertext was not created for this person and field.

        """
        return self._decrypt(person, place, sealed)[0]

    def _decrypt(
        self, person: str, place: str, sealed: bytes
    ) -> tuple[bytes, str] | tuple[None, None]:
        """Return the key of an encrypted field and its text; two ``None`` for an erased person."""
        try:
            key = self._key(person, make=False)
        except KeyError:
            return None, None
        disclosed = _field_key(key, sealed[:NONCE_BYTES], _associated(person, place))
        try:
            return disclosed, open_sealed(disclosed, person, place, sealed)
        except IntegrityError:
            if self._was_destroyed(person):
                # The person registered again: this field was sealed under the destroyed key.
                return None, None
            raise

    def destroy(self, person: str, found: bytes | None = None) -> None:
        """Destroy the key of a person or month, so that data under it can never be decrypted.

        A person who registers again gets a new key, which is not destroyed if ``found``, the key
        to destroy, is another one.
        """
        self._cache.pop(person, None)
        self._query(DESTROYED, person)
        self._query("DELETE FROM person WHERE person = ? AND key = ifnull(?, key)", person, found)
        self._query("VACUUM")

    def destroy_keys_of(self, erased: Iterable[str], confirm: Callable[[], None]) -> None:
        """Destroy the keys of erased persons and months that still exist.

        An erasure leaves its key if it is interrupted before the destruction, and a return its new
        key if it is decided and not recorded, here or by another writer.

        Args:
            erased: names of persons and months.
            confirm: raises an error if another writer may have recorded that one of them returned;
                called between the look at the keys and their destruction.

        """
        found = {name: key for name in erased if (key := self._stored(name)) is not None}
        if found:
            confirm()
        for name, key in found.items():
            self.destroy(name, key)

    def periods(self) -> list[str]:
        """List the names of the monthly keys, such as ``statement:2026-11``, in order."""
        query = "SELECT group_concat(person) FROM person WHERE person LIKE '%:%'"
        (names,) = self._query(query) or (None,)
        return sorted(names.decode().split(",")) if names else []

    def has_key(self, person: str) -> bool:
        """Return whether the data of a person can be decrypted."""
        return self._stored(person) is not None

    def knows(self, person: str) -> bool:
        """Return whether the store has, or had until its destruction, a key of the person."""
        return self.has_key(person) or self._was_destroyed(person)

    def _was_destroyed(self, person: str) -> bool:
        return self._query("SELECT 1 FROM destroyed WHERE person = ?", person) is not None

    def _stored(self, person: str) -> bytes | None:
        row = self._query("SELECT key FROM person WHERE person = ?", person)
        if row is None:
            return None
        (key,) = row
        if not isinstance(key, bytes) or len(key) != KEY_BYTES:
            text = f"{self._path} holds something that is no key for {person}"
            raise IntegrityError(f"{text}: keep it, and restore it from a copy")
        return key

    def _query(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        """Execute a statement and return its first row."""
        try:
            row: tuple[Any, ...] | None = self._database.execute(statement, values).fetchone()
        except sqlite3.Error as error:
            raise explain(error, self._path) from error
        if file_identity(self._path) != self._file:
            raise IntegrityError(
                f"{self._path} was deleted, moved or replaced: keep what is left, and start again "
                "with the keys of the chain"
            )
        return row

    def _key(self, person: str, *, make: bool) -> bytes:
        # A reader asks the store each time: another process may have destroyed the key.
        key = (make and self._cache.get(person)) or self._stored(person)
        if key is None:
            if not make:
                raise KeyError(person)
            self._query(
                "INSERT OR IGNORE INTO person VALUES (?, ?)", person, self._entropy(KEY_BYTES)
            )
            key = self._stored(person) or b""  # another process may have made it first
        self._cache[person] = key
        return key


class DryRunKeys(KeyStore):
    """A key store for dry runs: new keys stay in memory, and no key is destroyed."""

    def destroy(self, person: str, found: bytes | None = None) -> None:
        """Do nothing: a dry run destroys no key."""

    def _key(self, person: str, *, make: bool) -> bytes:
        if self._stored(person) is None and (make or person in self._cache):
            return self._cache.setdefault(person, self._entropy(KEY_BYTES))
        return super()._key(person, make=make)


def copy_keys(source: Path, target: Path, *, destroying: Collection[str] = ()) -> None:
    """Copy a key store and the other keys next to it to a new or empty folder.

    The store may be in use. The key of the digests is written last, so that an interrupted copy
    is never mistaken for a complete one; a copy that fails leaves no file.

    Args:
        source: folder of the keys.
        target: a new or empty folder.
        destroying: persons and months whose keys are destroyed in the copy, before it is complete.

    Raises:
        InputError: the target holds something.
        AuthorizationError: users other than the owner may access a file of the store.
        AvailabilityError: a folder can't be used.
        IntegrityError: the database of the keys is damaged.

    """
    with undoing() as created:
        try:
            for file in (source, source / PERSONS):
                require_private(file)
            make_folder(target)
            taken = InputError(
                f"{target} holds files already: move it away, or name another folder"
            )
            if any(target.iterdir()):
                raise taken
            require_private(target)
            copy = target / PERSONS
            if not create_private(copy):
                raise taken
            for file in (copy, copy.with_name(f"{PERSONS}-journal")):
                created(file)
            _copy_database(source / PERSONS, copy, destroying)
            files = sorted(source.glob("*.key"), key=lambda file: file.name == DIGEST_KEY)
            for file in files:
                write_secret(target / file.name, read_secret(file))
                created(target / file.name)
        except sqlite3.Error as error:
            raise explain(error, (source if is_damage(error) else target) / PERSONS) from error
        except OSError as error:
            raise AvailabilityError(f"the keys can't be copied to {target}: {error}") from error


def _copy_database(source: Path, target: Path, destroying: Collection[str]) -> None:
    uri = f"{source.resolve().as_uri()}?mode=ro"
    with (
        contextlib.closing(sqlite3.connect(uri, uri=True)) as database,
        contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        database.backup(copy)
        if not destroying:
            return
        for statement in (*PREPARED, "BEGIN"):
            copy.execute(statement)
        for person in destroying:
            copy.execute(DESTROYED, (person,))
            copy.execute("DELETE FROM person WHERE person = ?", (person,))
        copy.execute("COMMIT")
        copy.execute("VACUUM")


def _associated(person: str, place: str) -> bytes:
    return f"{person}|{place}".encode()


def _field_key(key: bytes, nonce: bytes, associated: bytes) -> bytes:
    return HKDF(hashes.SHA256(), KEY_BYTES, salt=nonce, info=associated).derive(key)


def open_sealed(key: bytes, person: str, place: str, sealed: bytes) -> str:
    """Decrypt one field with a disclosed key (docs/format.md, Personal fields).

    Raises:
        IntegrityError: the field was encrypted under another key.

    """
    nonce, body = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    try:
        plain = AESGCM(key).decrypt(nonce, body, _associated(person, place))
        text = plain[len(COMMITMENT) :].decode()
    except (InvalidTag, ValueError) as error:
        raise IntegrityError(f"{place} of person {person} was altered") from error
    if not plain.startswith(COMMITMENT):
        raise IntegrityError(f"{place} of person {person} was altered")
    return text


def period_key(purpose: str, moment: int) -> str:
    """Return the name of a monthly key, such as ``statement:2026-11``.

    ``moment`` is a timestamp in microseconds; its month in Prague counts.
    """
    return f"{purpose}:{in_prague(moment):%Y-%m}"


def open_fields(keys: KeyStore, person: str, event: Event) -> dict[str, str | None]:
    """Decrypt the personal fields of an event; ``None`` where the key is destroyed."""
    name = type(event).__name__
    return {
        field: keys.open(person, f"{name}.{field}", getattr(event, field))
        for field in event.PERSONAL
    }


def field_keys(keys: KeyStore, person: str, event: Event) -> dict[str, bytes | None]:
    """Return the key of each encrypted field of an event; ``None`` where the person was erased."""
    name = type(event).__name__
    return {
        field: keys.field_key(person, f"{name}.{field}", sealed)
        for field in event.PERSONAL
        if (sealed := getattr(event, field))
    }

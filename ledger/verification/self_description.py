"""Check what a chain states about itself: its name, schemas, keys, checkpoints, sources and seals.

What comes in: the facts of the five event types whose schemas are part of the format, and of the
versions of :data:`SEALING` that this program knows, in order.
What goes out: the state after them, or an error that names the violated rule of docs/format.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.errors import InputError, IntegrityError
from ledger.core.phrases import Phrase
from ledger.events.schema_book import FROZEN, SchemaBook, is_known
from ledger.tlog.algorithms import ECDSA_P256, ED25519
from ledger.tlog.merkle import HASH_BYTES
from ledger.tlog.signing import CHAIN_NAME, Checkpoint, PublicKey
from ledger.tlog.source_seals import MARK_BYTES, SealStatement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.tlog.merkle import RecentRoots
    from ledger.verification.tag_map_check import MapVerifier
    from schemas import Schema

__all__ = [
    "CHECKPOINT_WINDOW",
    "FORMAT_VERSION",
    "HASH_ALGORITHM",
    "SelfDescription",
    "added_key",
    "is_self_description",
]

FORMAT_VERSION = 1
"""The version of docs/format.md that ``ChainOpened`` names."""

HASH_ALGORITHM = "RFC6962-SHA256"
"""The name of the hash that links the messages and hashes the leaves of their tree."""

CHECKPOINT_WINDOW = 65_536
"""A checkpoint is recorded fewer than this many messages after the last one that it covers."""

SEALING = frozenset({"SourceRegistered", "SourceSealed"})
"""Events of sources and their seals, judged in the versions that this program knows."""


def is_self_description(schema: Schema) -> bool:
    """Return whether messages of a schema are judged by :class:`SelfDescription`."""
    return schema.name in FROZEN or (schema.name in SEALING and is_known(schema))


class SelfDescription:
    """State of the self-description of a chain up to the last checked event."""

    def __init__(
        self, keys: Mapping[str, bytes], expected: str | None, tree: RecentRoots, maps: MapVerifier
    ) -> None:
        """Start empty.

        Args:
            keys: trusted keys by key ID; None: the keys that the chain adds are trusted.
            expected: name of the chain; None if the reader does not know it.
            tree: the tree over the messages, at least up to the one being checked.
            maps: receives the tag map root of each checkpoint.

        """
        self.chain = ""
        self.checkpoints = self.covered = 0
        self.book = SchemaBook()
        self._keys = keys
        self._expected = expected
        self.tree = tree
        self._maps = maps
        self.keys: list[PublicKey] = []
        self._signers: dict[str, PublicKey | None] = {}
        self._sources: dict[str, tuple[bytes, bytes]] = {}

    @property
    def keys_in_force(self) -> tuple[PublicKey, ...]:
        """The keys that the chain added and did not revoke."""
        return tuple(key for key in self._signers.values() if key is not None)

    def handler_of(self, event_type: str) -> Callable[[int, dict[str, Any]], None] | None:
        """Return the check of events of a type by position and facts, or None if there is none."""
        return {
            "ChainOpened": self._open_chain,
            "SchemaPublished": self._publish_schema,
            "SigningKeyAdded": self._add_key,
            "SigningKeyRevoked": self._revoke_key,
            "CheckpointSigned": self._check_checkpoint,
            "SourceRegistered": self._register_source,
            "SourceSealed": self._check_seal,
        }.get(event_type)

    def _open_chain(self, at: int, facts: dict[str, Any]) -> None:
        if at:
            raise _fault(at, Phrase("CHAIN_WITHIN_CHAIN", at=at))
        if (facts["format_version"], facts["hash_algorithm"]) != (FORMAT_VERSION, HASH_ALGORITHM):
            version, algorithm = facts["format_version"], f"{facts['hash_algorithm']!r}"
            raise _fault(0, Phrase("FORMAT_UNSUPPORTED", version=version, algorithm=algorithm))
        if not CHAIN_NAME.fullmatch(facts["chain"]):
            raise _fault(0, Phrase("CHAIN_NAME_MALFORMED", at=0))
        if self._expected not in (None, facts["chain"]):
            text = f"the note is of the chain {self._expected}, and this is {facts['chain']}"
            raise InputError(f"{text}: name that one, or ask who replaced its first message")
        self.chain = facts["chain"]

    def _publish_schema(self, at: int, facts: dict[str, Any]) -> None:
        if at == 0:
            raise _fault(0, Phrase("NOT_CHAIN_OPENED", at=0))
        self.book.publish(at, facts)

    def _add_key(self, at: int, facts: dict[str, Any]) -> None:
        key = added_key(self.chain, facts)
        if key is None:
            raise _fault(at, Phrase("KEY_MALFORMED", at=at))
        if key.key_id in self._signers:
            text = Phrase("KEY_ADDED_TWICE", at=at, key=key.key_id)
            raise _fault(at, text)
        if self._keys.get(key.key_id, key.raw) != key.raw:
            text = Phrase("KEY_NOT_TRUSTED", at=at, key=key.key_id)
            raise _fault(at, text)
        self._signers[key.key_id] = key
        self.keys.append(key)

    def _revoke_key(self, at: int, facts: dict[str, Any]) -> None:
        if self._signers.get(facts["key_id"]) is None:
            raise _fault(at, Phrase("KEY_NOT_IN_FORCE", at=at))
        self._signers[facts["key_id"]] = None

    def _check_checkpoint(self, at: int, facts: dict[str, Any]) -> None:
        size = facts["size"]
        if not max(self.tree.first_before(at), 1) <= size <= at:
            raise _fault(at, Phrase("CHECKPOINT_SIZE_WRONG", at=at, size=size))
        if self.tree.settle(size) != facts["root"]:
            text = Phrase("CHECKPOINT_ROOT_WRONG", at=at, size=size)
            raise _fault(at, text)
        if len(facts["map_root"]) != HASH_BYTES:
            text = Phrase("CHECKPOINT_WITHOUT_MAP", at=at)
            raise _fault(at, text)
        key = self._signers.get(facts["key_id"])
        if key is None:
            text = Phrase("CHECKPOINT_KEY_NOT_IN_FORCE", at=at)
            raise _fault(at, text)
        checkpoint = Checkpoint(self.chain, size, facts["root"], facts["map_root"])
        if not key.is_signer_of(checkpoint, facts["signature"]):
            text = Phrase("CHECKPOINT_SIGNATURE_FALSE", at=at)
            raise _fault(at, text)
        self._maps.claim(at, size, facts["map_root"])
        self.checkpoints += 1
        if not self._keys or key.key_id in self._keys:
            self.covered = size

    def _register_source(self, at: int, facts: dict[str, Any]) -> None:
        key, certificate = facts["public_key"], facts["certificate"]
        is_whole = len(key) == ECDSA_P256.key_bytes and key in certificate
        if not is_whole and (key or certificate):
            raise _fault(at, Phrase("SOURCE_KEY_MALFORMED", at=at))
        self._sources[facts["system"]] = key, certificate

    def _check_seal(self, at: int, facts: dict[str, Any]) -> None:
        key, certificate = self._sources.get(facts["system"], (b"", b""))
        statement = SealStatement.of(self.chain, facts)
        is_whole = len(statement.marks) == facts["commands"] * MARK_BYTES
        if not is_whole or not statement.is_signed_by(key, certificate, facts["signature"]):
            raise _fault(at, Phrase("SEAL_SIGNATURE_FALSE", at=at))


def added_key(chain: str, facts: Mapping[str, Any]) -> PublicKey | None:
    """Return the key that the facts of a ``SigningKeyAdded`` add; None if they add no key.

    Version 1 names no algorithm: it is Ed25519.
    """
    try:
        kind = PublicKey.kind_of(facts.get("algorithm", ED25519.name))
    except InputError:
        return None
    key = PublicKey(chain, facts["public_key"], kind)
    return key if key.is_whole and key.key_id == facts["key_id"] else None


def _fault(position: int, text: Phrase) -> IntegrityError:
    return IntegrityError(text, position=position)

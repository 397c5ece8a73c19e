"""English texts of the faults of a chain, by their codes (:mod:`ledger.core.phrases`)."""

from __future__ import annotations

__all__ = ["FAULTS"]

FAULTS: dict[str, str] = {
    "MESSAGE_MISSING": "message {at} is missing: the log goes on at {next}",
    "MESSAGE_OF_OTHER_PLACE": "message {at} says that it is message {other}",
    "MESSAGE_TOO_LARGE": (
        "message {at} has {size} bytes, {most} at most: no writer of this format made it"
    ),
    "MESSAGE_ALTERED": "message {at} was altered",
    "MESSAGE_ALTERED_NEAR": (
        "message {at} of the log, or the one behind it, was altered: run the verifier"
    ),
    "LOG_LACKS_MESSAGE": "the log lacks message {at}: verify it",
    "MESSAGE_ALTERED_BY": "message {at} was altered: {english:english}",
    "PREVIOUS_HASH_NOT_ZERO": "message {at} was altered: its previous hash is not all zeros",
    "PREVIOUS_HASH_OTHER": "message {at} was altered: it does not name the hash of message {other}",
    "MESSAGE_NOT_VOUCHED": "message {at} was altered: it is not what message {other} says it was",
    "ENVELOPE_UNREADABLE": "message {at} was altered: its envelope can't be read",
    "SCHEMA_NOT_PUBLISHED": (
        "message {at} was altered, or its schema {schema} was not published before it"
    ),
    "NOT_CHAIN_OPENED": "message {at} is not ChainOpened",
    "DECISION_NOT_CONTINUED": "message {at} does not continue the decision before it",
    "DECISION_NOT_BEGUN": "message {at} does not begin a decision",
    "RECORDED_BACKWARDS": "message {at} was recorded before the one before it",
    "LOG_EMPTY": "the log holds no message; a chain has at least ChainOpened",
    "DECISION_TORN": "the decision at position {at} is torn: {count} messages lack",
    "LOG_CUT_OFF": (
        "the log ends at {size}, and a log of {other} is remembered: messages were cut off"
    ),
    "HASH_NOT_REMEMBERED": (
        "the hash of message {at} is not the one remembered: history up to it was replaced"
    ),
    "ROOT_NOT_REMEMBERED": (
        "the root of the first {size} messages is not the one remembered: history up to it was "
        "replaced"
    ),
    "CHAIN_WITHIN_CHAIN": "message {at} opens a chain within a chain",
    "FORMAT_UNSUPPORTED": (
        "the chain follows format {version}, {algorithm}: verify it with a gameledger that knows it"
    ),
    "CHAIN_NAME_MALFORMED": (
        "message {at} gives the chain a name with a space, a plus or other signs"
    ),
    "KEY_MALFORMED": "message {at} adds something that is no key",
    "KEY_ADDED_TWICE": "message {at} adds a key {key}, and there was one of that name",
    "KEY_NOT_TRUSTED": "message {at} adds a key {key} that is not the one trusted",
    "KEY_NOT_IN_FORCE": "message {at} revokes a key that is not in force",
    "CHECKPOINT_SIZE_WRONG": (
        "the checkpoint in message {at} covers {size} messages: more than there were, too long "
        "ago, or before another"
    ),
    "CHECKPOINT_ROOT_WRONG": "the checkpoint in message {at} names another root of {size} messages",
    "CHECKPOINT_WITHOUT_MAP": "the checkpoint in message {at} names no root of the tag map",
    "CHECKPOINT_KEY_NOT_IN_FORCE": (
        "the checkpoint in message {at} is by a key that is not in force"
    ),
    "CHECKPOINT_SIGNATURE_FALSE": "the checkpoint in message {at} bears a false signature",
    "CHECKPOINT_MAP_WRONG": (
        "the checkpoint in message {at} names another tag map of {size} messages"
    ),
    "NOTE_MAP_WRONG": "the note names another tag map of {size} messages",
    "SCHEMA_FAULTY": "message {at} publishes a schema {fault:phrase}",
    "SCHEMA_OTHER_TEXT": "{name} v{version} that it has with another text",
    "SCHEMA_FINGERPRINT_TAKEN": "with the fingerprint of {name} v{version} and another text",
    "SCHEMA_NO_EVOLUTION": (
        "{name} v{version} that differs from v{older} by more than fields with a default"
    ),
    "SCHEMA_NOT_KNOWN_ONE": "{name} v{version} that is not the known one",
    "SCHEMA_UNREADABLE": "that can't be read",
    "SCHEMA_MISLABELLED": "under a false name, version or fingerprint",
    "SCHEMA_NOT_PLAIN": "with more than the format allows",
    "CHECKPOINT_NEVER_SIGNED": "message {at} speaks of a checkpoint that was never signed",
    "COVER_MOMENT_WRONG": (
        "message {at} names a moment that lies before the checkpoint was recorded, or after what "
        "it says was"
    ),
    "COSIGNATURE_FALSE": "message {at} bears a false cosignature of {witness}",
    "STAMP_FALSE": "message {at} holds a false stamp: {english:english}",
    "STAMP_MOMENT_WRONG": "message {at} names another moment than the stamp that it holds",
    "CHECKPOINT_KEY_UNKNOWN": "the key {key} of a checkpoint was never added: verify the log",
    "LOG_ENDS_BEFORE_NOTE": (
        "the log ends at {size}, and the note covers {other} messages: messages were cut off"
    ),
    "NOTE_ROOT_WRONG": (
        "the root of the first {size} messages is not the one of the note: history up to it was "
        "replaced"
    ),
    "COMMAND_TWICE": (
        "message {at} decides command {command} again, which message {other} had decided: what "
        "it booked may be booked twice; keep the log, correct the money"
    ),
}

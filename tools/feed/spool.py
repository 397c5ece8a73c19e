"""Messages of a provider, on disk before they are acknowledged, until processed or set aside.

Each message is stored once, by its identifier and the digest of its body. The body is deleted after
processing, the rest some months later; until then a repeat is recognised. A message recorded as
unprocessable stays, with its body. A feed's messages are processed in the order of their numbers.
What is set aside waits to be recorded in the ledger: another content under a known identifier or
number, a number that was skipped, and numbers that were awaited in vain.

Used by two threads, one that receives messages and one that processes them, each with its own
connection.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from tools.data.spool_file import SpoolFile

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from pathlib import Path

    from ledger.decisions.feeds import Reason
    from tools.feed.provider import Place

__all__ = ["MessageOutcome", "SetAsideMessage", "Spool", "StoredMessage"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS messages
(
    row INTEGER PRIMARY KEY,
    message TEXT NOT NULL,
    digest TEXT NOT NULL,
    feed TEXT NOT NULL,
    number INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    kind TEXT NOT NULL,
    round TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'followed', 'aside', 'told')),
    reason TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    body BLOB
);
CREATE UNIQUE INDEX IF NOT EXISTS by_message ON messages (message, digest) WHERE message != '';
CREATE INDEX IF NOT EXISTS by_number ON messages (feed, number);
CREATE INDEX IF NOT EXISTS to_do ON messages (state, feed, number)
    WHERE state IN ('waiting', 'aside');
CREATE INDEX IF NOT EXISTS by_age ON messages (received_at) WHERE state = 'followed';
CREATE TABLE IF NOT EXISTS feeds (feed TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bets
(
    round TEXT, bet TEXT, PRIMARY KEY (round, bet)
) WITHOUT ROWID;
"""
AT_ONCE = 64
"""Messages of one feed that are followed at a time."""
PRUNED_MAX = 1_000
DETAIL_MAX = 1_000


class StoredMessage(NamedTuple):
    """A message that waits to be processed."""

    row: int
    message: str
    feed: str
    number: int
    kind: str
    round: str
    body: bytes


class SetAsideMessage(NamedTuple):
    """A message, or a gap, to be recorded in the ledger instead of being processed."""

    row: int
    message: str
    digest: str
    feed: str
    number: int
    messages: int
    kind: str
    round: str
    reason: Reason
    detail: str


class MessageOutcome(NamedTuple):
    """The outcome of a message: ``reason`` and ``detail`` if it could not be processed."""

    stored: StoredMessage
    reason: str = ""
    detail: str = ""
    accepted: tuple[str, ...] = ()
    taken_back: tuple[str, ...] = ()
    ends_round: bool = False


class Spool:
    """One connection to the file."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it.

        Raises:
            InputError: the file is not a spool.
            AvailabilityError: the file can't be used.

        """
        self._file = SpoolFile(path, SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def waiting(self) -> int:
        """Count the messages that wait to be processed."""
        return int(self._file.rows("SELECT count(*) FROM messages WHERE state = 'waiting'")[0][0])

    def put(self, message: str, body: bytes, place: Place | None, why: str, at: int) -> None:
        """Store a message; storing the same message again changes nothing.

        Args:
            message: the provider's identifier.
            body: raw bytes.
            place: of the message in its feed; None if it can't be read.
            why: reason why it can't be read.
            at: timestamp in microseconds.

        """
        digest = sha256(body).hexdigest()
        with self._file.transaction() as file:
            if self._file.rows(
                "SELECT 1 FROM messages WHERE message = ? AND digest = ?", message, digest
            ):
                return
            state, reason, detail = "waiting", "", ""
            if self._file.rows("SELECT 1 FROM messages WHERE message = ?", message):
                reason, detail = "altered", "another body came under this identifier before"
            elif place is None:
                reason, detail = "unmapped", why
            elif taken := self._file.rows(
                "SELECT message FROM messages WHERE feed = ? AND number = ? AND messages = 1 "
                "AND message != ''",
                place.feed,
                place.number,
            ):
                reason, detail = "altered", f"message {taken[0][0]} has this number"
            elif place.number < self._next(place.feed):
                reason, detail = "late", "what follows it was recorded without it"
            if reason:
                state = "aside"
            feed, number, kind, name = place or ("", 0, "", "")
            file.execute(
                "INSERT INTO messages (message, digest, feed, number, messages, kind, round, "
                "received_at, state, reason, detail, body) "
                "VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)",
                (message, digest, feed, number, kind, name, at, state, reason, detail, body),
            )

    def ready(self) -> list[list[StoredMessage]]:
        """Return the messages that can be processed now, those of each feed in order."""
        return [found for feed in self._feeds() if (found := self._ready(feed))]

    def give_up(self, *, before: int, buffered_max: int) -> bool:
        """Skip the numbers awaited since ``before``, or by too many messages.

        They are set aside as one gap, and the waiting messages become ready. Return whether there
        was a gap.
        """
        found = False
        for feed in self._feeds():
            with self._file.transaction() as file:
                first = self._next(feed)
                number, since, count = self._file.rows(
                    "SELECT min(number), min(received_at), count(*) FROM messages "
                    "WHERE state = 'waiting' AND feed = ?",
                    feed,
                )[0]
                if count and number > first and (since <= before or count > buffered_max):
                    _pass(file, feed, first, number, since)
                    found = True
        return found

    def accepted(self, round_name: str) -> list[str]:
        """Return the bets of a round that the ledger accepted and that were not taken back."""
        rows = self._file.rows("SELECT bet FROM bets WHERE round = ? ORDER BY bet", round_name)
        return [bet for (bet,) in rows]

    def follow(self, outcomes: Iterable[MessageOutcome]) -> None:
        """Store the outcomes of messages of one feed, in their order."""
        with self._file.transaction() as file:
            for one in outcomes:
                stored = one.stored
                file.execute(
                    "UPDATE messages SET state = ?, reason = ?, detail = ?, "
                    "body = iif(? = '', NULL, body) WHERE row = ?",
                    (
                        "aside" if one.reason else "followed",
                        one.reason,
                        one.detail[:DETAIL_MAX],
                        one.reason,
                        stored.row,
                    ),
                )
                _set_next(file, stored.feed, stored.number + 1)
                for bet in one.accepted:
                    file.execute("INSERT OR IGNORE INTO bets VALUES (?, ?)", (stored.round, bet))
                for bet in one.taken_back:
                    file.execute(
                        "DELETE FROM bets WHERE round = ? AND bet = ?", (stored.round, bet)
                    )
                if one.ends_round:
                    file.execute("DELETE FROM bets WHERE round = ?", (stored.round,))

    def aside(self) -> list[SetAsideMessage]:
        """Return what is to be recorded in the ledger."""
        return [
            SetAsideMessage(*row)
            for row in self._file.rows(
                "SELECT row, message, digest, feed, number, messages, kind, round, reason, detail "
                "FROM messages WHERE state = 'aside' ORDER BY row LIMIT ?",
                AT_ONCE,
            )
        ]

    def mark_recorded(self, aside: Iterable[SetAsideMessage]) -> None:
        """Mark messages that were set aside as recorded in the ledger."""
        with self._file.transaction() as file:
            file.executemany(
                "UPDATE messages SET state = 'told' WHERE row = ?", [(one.row,) for one in aside]
            )

    def prune(self, *, before: int) -> None:
        """Delete some of the processed messages older than a timestamp."""
        old = "SELECT row FROM messages WHERE state = 'followed' AND received_at < ? LIMIT ?"
        if rows := self._file.rows(old, before, PRUNED_MAX):
            with self._file.transaction() as file:
                file.executemany("DELETE FROM messages WHERE row = ?", rows)

    def _feeds(self) -> list[str]:
        rows = self._file.rows("SELECT DISTINCT feed FROM messages WHERE state = 'waiting'")
        return [feed for (feed,) in rows]

    def _ready(self, feed: str) -> list[StoredMessage]:
        rows = self._file.rows(
            "SELECT row, message, feed, number, kind, round, body FROM messages "
            "WHERE state = 'waiting' AND feed = ? ORDER BY number LIMIT ?",
            feed,
            AT_ONCE,
        )
        first = self._next(feed)
        found = [StoredMessage(*row) for row in rows]
        return [one for at, one in enumerate(found) if one.number == first + at]

    def _next(self, feed: str) -> int:
        rows = self._file.rows("SELECT next FROM feeds WHERE feed = ?", feed)
        return int(rows[0][0]) if rows else 1


def _pass(file: sqlite3.Connection, feed: str, first: int, number: int, at: int) -> None:
    file.execute(
        "INSERT INTO messages (message, digest, feed, number, messages, kind, round, "
        "received_at, state, reason, detail) "
        "VALUES ('', '', ?, ?, ?, '', '', ?, 'aside', 'missing', '')",
        (feed, first, number - first, at),
    )
    _set_next(file, feed, number)


def _set_next(file: sqlite3.Connection, feed: str, number: int) -> None:
    file.execute("INSERT OR REPLACE INTO feeds VALUES (?, ?)", (feed, number))

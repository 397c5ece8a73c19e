"""What has to be said of a provider: where a message belongs, and which commands it is.

Everything else is common: who signed it, that it is stored before it is acknowledged, in which
order it is followed, that it is decided once, and what becomes of what can't be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.events.command import Command

__all__ = ["Place", "Provider", "UnmappedError"]


class UnmappedError(Exception):
    """A message without a command for it; the text is the reason, without much of the message."""


class Place(NamedTuple):
    """Where a message belongs.

    ``feed`` is the provider's name of what it numbers, such as a table; ``number`` counts its
    messages from 1, without gaps. ``kind`` is what the provider calls such a message, ``round`` the
    round that it names, as the chain will call it, or empty.
    """

    feed: str
    number: int
    kind: str
    round: str


class Provider(Protocol):
    """What one provider means by its messages; it keeps nothing, so the same always means the same.

    ``name`` stands in the chain as the source of its commands; ``after_others`` are kinds whose
    commands depend on which bets of the round were accepted.
    """

    name: str
    after_others: frozenset[str]

    def place(self, body: bytes) -> Place:
        """Say where a message belongs.

        Raises:
            UnmappedError: that can't be read.

        """

    def commands(self, body: bytes, accepted: Collection[str]) -> Sequence[Command]:
        """Say a message in commands, with the moment at which it happened.

        Args:
            body: of a message that has a place.
            accepted: bets of its round that the ledger accepted, as the chain calls them.

        Raises:
            UnmappedError: there are none.

        """

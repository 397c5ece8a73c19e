"""Interface of a provider's adapter: the place of a message in its feed, and its commands.

Everything else is common to all providers: signature checks, storing before acknowledging, order,
deciding once, and the handling of messages that can't be processed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.events.command import Command

__all__ = ["Place", "Provider", "UnmappedError"]


class UnmappedError(Exception):
    """No command corresponds to a message; the text is the reason, with little of the message."""


class Place(NamedTuple):
    """The place of a message in its feed.

    ``feed`` is the provider's name of the numbered sequence, such as a table; ``number`` counts its
    messages from 1, without gaps. ``kind`` is the provider's message type, ``round`` the round that
    the message names, as identified in the chain, or empty.
    """

    feed: str
    number: int
    kind: str
    round: str


class Provider(Protocol):
    """Interpret one provider's messages; stateless, so a message always has the same meaning.

    ``name`` is recorded in the chain as the source of the commands; ``after_others`` are message
    types whose commands depend on which bets of the round were accepted.
    """

    name: str
    after_others: frozenset[str]

    def place(self, body: bytes) -> Place:
        """Return the place of a message in its feed.

        Raises:
            UnmappedError: the place can't be read.

        """

    def commands(self, body: bytes, accepted: Collection[str]) -> Sequence[Command]:
        """Convert a message to commands, with the timestamp at which it happened.

        Args:
            body: of a message that has a place.
            accepted: bets of its round that the ledger accepted, as identified in the chain.

        Raises:
            UnmappedError: the message has no corresponding commands.

        """

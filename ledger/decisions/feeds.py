"""Record messages of a provider's feed that did not become commands.

A feed reports events of another system. A message that cannot become a command, that the rules
refuse, that is late or that is missing is neither dropped nor adapted: it is recorded as a fact of
its own, and it is a finding until it was investigated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Name, OptionalId, OptionalName, OptionalText

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["Reason", "RecordUnmappedMessage", "record_unmapped_message"]

Reason = Literal["unmapped", "refused", "late", "altered", "missing"]


class RecordUnmappedMessage(Command, frozen=True):
    """Record that a message of a provider's feed did not become a command, and why.

    ``digest`` is the SHA-256 of its body. A ``missing`` message has neither a body nor a
    ``message``, the provider's identifier; ``number`` is the position of the first one in the feed.
    """

    provider: Name
    reason: Reason
    feed: OptionalName = ""
    number: Annotated[int, Meta(ge=0, le=10**15)] = 0
    messages: Annotated[int, Meta(ge=1, le=10**15)] = 1
    message: OptionalName = ""
    kind: OptionalName = ""
    round: OptionalId = ""
    digest: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z", max_length=64)] = ""
    detail: OptionalText = ""


def record_unmapped_message(
    _ledger_state: LedgerState, command: RecordUnmappedMessage, _: int
) -> list[e.Event]:
    """Decide :class:`RecordUnmappedMessage`.

    Raises:
        InputError: a missing message has an identifier, or a received one has none.

    """
    is_there = bool(command.message and command.digest)
    if is_there == (command.reason == "missing"):
        raise InputError(
            "record_unmapped_message: what came has `message` and `digest`, what is missing neither"
        )
    return [command.as_event(e.FeedMessageUnmapped)]

"""What a provider told and is not followed, as the write side takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import InputError
from ledger.decisions.feeds import RecordUnmappedMessage

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def test_what_came_has_its_identifier_and_what_is_missing_none(casino: Casino) -> None:
    came: dict[str, Any] = {"message": "m-1", "digest": "0" * 64}
    for reason in ("unmapped", "refused", "late", "altered"):
        command = RecordUnmappedMessage(provider="p", reason=reason, **came)
        assert casino.ledger.execute(command).refused is None
    gap = RecordUnmappedMessage(provider="p", reason="missing", feed="T", number=4, messages=3)
    assert casino.ledger.execute(gap).refused is None
    for wrong in (
        RecordUnmappedMessage(provider="p", reason="late"),
        RecordUnmappedMessage(provider="p", reason="unmapped", message="m-1"),
        RecordUnmappedMessage(provider="p", reason="missing", **came),
    ):
        with pytest.raises(InputError, match="`message` and `digest`"):
            casino.ledger.execute(wrong)

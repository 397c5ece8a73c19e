from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.store.tables import Store


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    """Empty tables that a test may make anew or spoil."""
    return open_store()

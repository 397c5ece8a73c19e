from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from history_cases import emptied
from shared_cases import play_together

if TYPE_CHECKING:
    from projections.store.tables import Store


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tables: Store) -> dict[str, Exception]:
    """What went wrong where the histories of the file were played together."""
    return play_together(request, emptied(tables))

"""Books for the tests of matching."""

from __future__ import annotations

import pytest

from tests.projections.matching.statement_cases import Books


@pytest.fixture
def books() -> Books:
    """Books with an account."""
    made = Books()
    made.account("a")
    return made

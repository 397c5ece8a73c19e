"""An operator, and an authority that mirrors its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tools.mirror_cases import Authority, Operator

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def operator() -> Operator:
    return Operator()


@pytest.fixture
def authority(tmp_path: Path, operator: Operator) -> Authority:
    return Authority(tmp_path / "mirror", operator)

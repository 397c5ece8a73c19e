"""Fixtures of the decision tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ledger.decisions.decisions_casino import Casino

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Casino]:
    """Give a chain with nothing but its beginning."""
    casino = Casino(tmp_path)
    yield casino
    casino.ledger.close()


@pytest.fixture
def house(bare: Casino) -> Casino:
    """Give a house with its tables and no participants."""
    bare.open_house()
    return bare


@pytest.fixture
def casino(house: Casino) -> Casino:
    """Give a house with the participant anna, who has 100,000 CZK and sits at r1."""
    house.player()
    return house


@pytest.fixture
def undecided(house: Casino) -> Casino:
    """Give a house whose participant sits at r1 and has decided no measure yet."""
    house.register()
    house.add_method("anna", "bank", "account")
    house.pay_in(100_000)
    house.log_in()
    house.do("take_seat", account="anna", table="r1")
    return house

"""Fixtures of the decision tests; the test of all refusal codes runs last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.ledger.decisions.decisions_casino import Casino

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
LAST = "test_every_refusal_code_was_produced_by_a_test"


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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the test of all codes run last, and only when all modules are there."""
    mine = {item.path for item in items if item.path.parent == HERE}
    is_whole = mine == set(HERE.glob("test_*.py")) and not config.getoption("keyword")
    last = [item for item in items if item.name == LAST]
    items[:] = [item for item in items if item.name != LAST]
    if is_whole:
        items += last


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let one worker run them: the last test asks whether the others met every refusal."""
    item.add_marker(pytest.mark.xdist_group("decisions"))

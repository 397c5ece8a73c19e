"""``docs/recipes/add-a-finding.md``: two files, and each lack is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.recipes.recipe_cases import Tree

CHECK = "projections/checks/DEPOSIT_TOO_SMALL.sql"
TEXT = """\
-- needs = ["DepositCredited"]
-- view = "cage_findings"
--
-- [DEPOSIT_TOO_SMALL]
-- name.en = "Deposit below the least amount"
-- name.cs = "Vklad nižší než nejnižší možný"
-- text.en = "Only {amount:money} were deposited."
-- text.cs = "Vloženo bylo jen {amount}."
-- paragraph = "SAZKA 10(3)"

SELECT position, account, '' AS round, '' AS bet, amount, '' AS detail
FROM DepositCredited
WHERE position < {size:Int64} AND amount < 10000;
"""
TEST = '''"""Deposits below the least amount."""

import pytest

from projections.reconciliation.reconcile import examine
from tests.projections.history_cases import House, deposited, project
from tests.projections.projection_cases import Chain


@pytest.mark.law("SAZKA 10(3)")
@pytest.mark.parametrize(("amount", "count"), [(9_999, 1), (10_000, 0)])
def test_a_deposit_below_the_least_amount_is_found(store, amount, count):
    house = House(Chain())
    house.account("b")
    house.at(1, deposited("b", amount))
    project(house.chain, store)
    found = examine(store, only=frozenset({"DEPOSIT_TOO_SMALL"})).findings
    assert [one.code for one in found] == ["DEPOSIT_TOO_SMALL"] * count
'''


@pytest.mark.search
def test_a_finding_is_a_check_and_its_test(tree: Tree) -> None:
    # 1. The header is rejected with file and line until it is complete.
    tree.write(CHECK, TEXT.replace("-- name.cs = ", "-- name.de = "))
    assert f"{CHECK}:6: DEPOSIT_TOO_SMALL: " in tree.stale()
    tree.replace(CHECK, "name.de", "name.cs")
    tree.replace(CHECK, 'DepositCredited"]', 'DepositMade"]')
    assert f"{CHECK}:1: DepositMade is no event type" in tree.stale()
    tree.replace(CHECK, "DepositMade", "DepositCredited")
    tree.replace(CHECK, "SAZKA 10(3)", "SAZKA 10(99)")
    assert "SAZKA 10(99)" in tree.stale()
    tree.replace(CHECK, "SAZKA 10(99)", "SAZKA 10(3)")

    # 2. The test is missed until it is there.
    law = ("-m", "pytest", "-q", "-p", "no:randomly", "tests/tools/test_law.py", "-k", "every_code")
    assert "DEPOSIT_TOO_SMALL" in tree.python(*law).stdout
    test = "tests/projections/reconciliation/test_small_deposits.py"
    tree.write(test, TEST)
    done = tree.python("-m", "pytest", "-q", "-p", "no:randomly", test)
    assert done.returncode == 0, done.stdout
    assert tree.python(*law).returncode == 0

    # 3. The page of the law is the only other file that changes.
    assert {line.split()[0] for line in tree.stale().splitlines()} == {"docs/law.md"}
    tree.generate()
    assert tree.changed() == {CHECK, test, "docs/law.md"}

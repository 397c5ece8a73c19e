"""Every package of the month passes the validator, strictly and as the authority's client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from projections.packages.cz.validate import Options, validate

if TYPE_CHECKING:
    from conftest import Month


@pytest.mark.law("L-1")
def test_every_package_of_the_month_is_valid(month: Month) -> None:
    assert month.packages
    for built in month.packages.values():
        strictly = validate(built.folder, Options(earlier=(built.folder.parent,)))
        assert strictly.faults == (), built.folder.name
        assert strictly.rows == {one.name.removesuffix(".csv"): one.rows for one in built.files}
        assert validate(built.folder, Options(strict=False)).is_valid

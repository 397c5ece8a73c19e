"""A mirror that is challenged shows what it signed, or is found out."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SECOND
from ledger.core.errors import IntegrityError
from ledger.log.tiles import TiledLog
from tests.tools.cli_cases import run_here
from tests.tools.mirror_cases import NOW, Authority, Operator
from tools.mirror.challenge import challenge_copy
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 5 * 256 + 44


@pytest.fixture
def place(authority: Authority, operator: Operator) -> Path:
    """The tiles of a copy of five bundles and a part."""
    assert authority.take(operator, operator.note_at(SIZE)).status == 200
    return authority.folder.tiles_of(operator.name)


def test_messages_read_back_are_proved_to_be_in_the_signed_tree(
    authority: Authority, operator: Operator, place: Path
) -> None:
    key = authority.key.public
    assert place.exists()
    with authority.serving() as url:
        copy = f"{url}/{log_path(operator.name)}"
        for bundles, messages in ((2, (300, 512)), (6, (SIZE,)), (99, (SIZE,))):
            found = challenge_copy(TiledLog(copy), key, bundles=bundles, size_min=SIZE)
            assert (found.log, found.size, found.signed_at) == (operator.name, SIZE, NOW * SECOND)
            assert found.messages in messages
        shown = run_here("mirror", "challenge", copy, key.text, data=place)
    assert shown.returncode == 0, shown.stderr
    assert "1 324 of them" in shown.stdout.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("fault", ["missing", "other", "tile"])
def test_one_bundle_that_is_not_as_it_was_is_found(
    authority: Authority, operator: Operator, place: Path, fault: str
) -> None:
    """A challenge of all bundles finds it each time; one of some, by chance."""
    path = place / "tile" / ("0" if fault == "tile" else "entries") / "003"
    if fault == "missing":
        path.unlink()
    elif fault == "other":
        shutil.copyfile(path.with_name("002"), path)
    else:
        path.write_bytes(bytes(len(path.read_bytes())))
    key = authority.key.public
    with pytest.raises(IntegrityError):
        challenge_copy(TiledLog(str(place)), key, bundles=6, size_min=0)
    refused = run_here("mirror", "challenge", str(place), key.text, data=place)
    assert refused.returncode == 3, operator.name


def test_a_mirror_that_signed_more_before_or_is_another_is_refused(
    authority: Authority, operator: Operator, place: Path, tmp_path: Path
) -> None:
    copy, key = TiledLog(str(place)), authority.key.public
    with pytest.raises(IntegrityError, match=f"{SIZE + 1} were signed before"):
        challenge_copy(copy, key, bundles=1, size_min=SIZE + 1)
    other = Authority(tmp_path / "other", operator).key.public
    with pytest.raises(IntegrityError, match="is not signed by"):
        challenge_copy(copy, other, bundles=1, size_min=0)

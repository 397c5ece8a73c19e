"""Nodes start by what the first of them kept, and the first one keeps it."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tools.workshop.broker import Cluster, jars
from tools.workshop.broker.cluster import CLASSES, FIRST_RECORDS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.search
@pytest.mark.usefixtures("kafka_jars")
def test_the_first_node_keeps_what_others_start_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache" / jars().name
    kept = {CLASSES, FIRST_RECORDS}
    shutil.copytree(jars().resolve(), cache, ignore=lambda *_: kept, copy_function=os.symlink)
    monkeypatch.setenv("GAMELEDGER_KAFKA_CACHE", str(cache.parent))
    with Cluster(tmp_path / "nodes") as cluster:
        assert cluster.nodes[0].is_running
        assert all((cache / name).stat().st_size for name in kept)
    assert not [path.name for path in cache.iterdir() if ".making" in path.name]

"""Build a recorded package again from the events, and compare it file by file.

What comes in: the tables and the name of a package that was built. What goes out: for each file the
recorded number of records and SHA-256, and those of the new build with the same settings and
cut-off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.storage.workplace import temporary_folder
from projections.packages.cz.build import build, cut_of
from projections.packages.cz.settings import settings_from_json
from projections.packages.results import RebuiltFile
from projections.packages.status import built_version

if TYPE_CHECKING:
    from projections.packages.cz.names import PackageName
    from projections.store.tables import Store

__all__ = ["rebuild_package"]


def rebuild_package(store: Store, name: PackageName) -> tuple[RebuiltFile, ...]:
    """Build a package again in a temporary folder, and compare it with its record.

    Raises:
        InputError: it was not built.
        AvailabilityError: the folder can't be written.

    """
    recorded = built_version(store, name)
    settings = settings_from_json(recorded.settings)
    with temporary_folder() as folder:
        cut = cut_of(store, name, settings, known_at=recorded.known_at)
        built = build(store, cut, folder / "package")
    before = dict(
        zip(recorded.files, zip(recorded.rows, recorded.digests, strict=True), strict=True)
    )
    now = {one.name: (one.rows, one.digest) for one in built.files}
    nothing = (0, "")
    return tuple(
        RebuiltFile(
            file,
            before.get(file, nothing)[0],
            now.get(file, nothing)[0],
            before.get(file) == now.get(file),
        )
        for file in (before | now)
    )

"""Write the ZIP file of a package; the same content gives the same bytes.

Order, timestamps, modes and compression are fixed, and nothing depends on the machine; only another
version of the compression library could give other bytes for the same content. Packing also
computes the digest of the content that ``PackageBuilt`` records.
"""

from __future__ import annotations

import zipfile
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError
from projections.packages.cz.content import DAMAGED, ContentError, is_damage, open_package
from projections.packages.cz.fields import files
from projections.packages.results import ZipPackage

if TYPE_CHECKING:
    from pathlib import Path

    from projections.packages.cz.content import Package

__all__ = ["pack"]

EARLIEST = (1980, 1, 1, 0, 0, 0)
UNIX = 3
READABLE = 0o644 << 16
PIECE_BYTES = 1 << 20


def pack(source: Path, folder: Path) -> ZipPackage:
    """Pack a folder, or repack an archive, into ``<folder>/<package>.zip``.

    Files that do not belong to a package are packed, too, so that validation finds them.

    Raises:
        InputError: there is no package, or source and target are the same archive.
        AvailabilityError: it cannot be read or written.
    """
    try:
        with open_package(source) as package:
            target = folder / f"{package.name}.zip"
            if target.resolve() == source.resolve():
                raise InputError(f"{source} would overwrite itself: name another folder")
            folder.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(target, "w") as archive:
                digest = _write(archive, package)
    except (*DAMAGED, ContentError) as error:
        raise InputError(f"{source} can't be packed: {error}") from error
    except OSError as error:
        if is_damage(error):
            raise InputError(f"{source} can't be packed: {error}") from error
        raise AvailabilityError(f"{source} can't be packed: {error}") from error
    return ZipPackage(package.name, target, digest)


def _write(archive: zipfile.ZipFile, package: Package) -> str:
    tables = files(package.name.model).values()
    places = {table.file_name: place for place, table in enumerate(tables)}
    names = sorted(package.files, key=lambda name: (places.get(name, len(places)), name))
    lines = []
    for name in names:
        entry = zipfile.ZipInfo(name, EARLIEST)
        entry.create_system = UNIX
        entry.external_attr = READABLE
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.file_size = package.sizes[name]
        digest = sha256()
        with package.files[name]() as source, archive.open(entry, "w") as target:
            while piece := source.read(PIECE_BYTES):
                digest.update(piece)
                target.write(piece)
        lines.append(f"{digest.hexdigest()}  {name}\n")
    return sha256("".join(lines).encode()).hexdigest()

"""Files of packages that npm fetches once into ``.cache/npm`` of the source tree.

Each is compared with a digest that stands here, so that nothing else is ever used. CI has to have
them; elsewhere a test that needs one is skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from hashlib import sha512
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

__all__ = ["npm_file"]

PACKAGES = {
    "axe-core@4.14.1": (
        "1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b73"
        "4f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5"
    ),
    "@asyncapi/specs@6.11.1": (
        "0375812ea00a1a8276fba15616da63065090d6814272ce06c45ef3b081af36aa"
        "7f9251941e3940dda01c67d5cc3292c613cccf7980f3db1f4598ee834ae2ab69"
    ),
    "@cyclonedx/cyclonedx-library@10.3.0": (
        "4484f6f2ca755343c21da69e177c8d47093a26283f5c9f14b1801538c61a1d0f"
        "b45553afb23729d0f4d64052d4a89145f1732e77e29daba1bec2d0c087e40914"
    ),
}
CACHE = Path(__file__).parents[1] / ".cache" / "npm"


def npm_file(package: str, name: str) -> str:
    """Return a file of a package; where it can't be had, fail in CI and skip elsewhere."""
    place, _, version = package.rpartition("@")
    file = CACHE / f"{place.removeprefix('@').replace('/', '-')}-{version}.tgz"
    if not file.is_file():
        _fetch(package, file)
    content = file.read_bytes()
    assert sha512(content).hexdigest() == PACKAGES[package], f"{file} is another: remove it"
    with tarfile.open(fileobj=BytesIO(content)) as archive:
        found = archive.extractfile(f"package/{name}")
        assert found is not None
        return found.read().decode()


def _fetch(package: str, file: Path) -> None:
    if shutil.which("npm") is None:
        _miss("apt-get install npm")
    file.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=file.parent) as folder:
        done = subprocess.run(  # noqa: S603 - a version that is chosen here
            ["npm", "pack", "--silent", package],  # noqa: S607 - the npm of this machine
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            _miss(f"npm could not fetch {package}: {done.stderr.strip()[-500:]}")
        (Path(folder) / file.name).rename(file)


def _miss(why: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"CI has to have it: {why}")
    pytest.skip(why)

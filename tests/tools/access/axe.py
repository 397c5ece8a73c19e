"""The script of axe-core, which finds in a page what keeps people out of it.

npm fetches it once into ``.cache/axe`` of the source tree; it is compared with the digest below
whenever it is read.
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

__all__ = ["axe"]

NAME = "axe-core-4.14.1.tgz"
SHA512 = (
    "1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b73"
    "4f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5"
)
CACHE = Path(__file__).parents[3] / ".cache" / "axe"


def axe() -> str:
    """Return the script; where it can't be had, fail in CI and skip elsewhere."""
    file = CACHE / NAME
    if not file.is_file():
        _fetch(file)
    content = file.read_bytes()
    assert sha512(content).hexdigest() == SHA512, f"{file} is another axe-core: remove it"
    with tarfile.open(fileobj=BytesIO(content)) as package:
        script = package.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def _fetch(file: Path) -> None:
    if shutil.which("npm") is None:
        _miss("apt-get install npm")
    file.parent.mkdir(parents=True, exist_ok=True)
    wanted = file.stem.replace("-core-", "-core@")
    with TemporaryDirectory(dir=file.parent) as folder:
        done = subprocess.run(  # noqa: S603 - a version that is chosen here
            ["npm", "pack", "--silent", wanted],  # noqa: S607 - the npm of this machine
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            _miss(f"npm could not fetch {wanted}: {done.stderr.strip()[-500:]}")
        (Path(folder) / file.name).rename(file)


def _miss(why: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"CI has to look at the pages with axe-core: {why}")
    pytest.skip(f"no axe-core: {why}")

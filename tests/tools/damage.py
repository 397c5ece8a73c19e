"""Ways in which a folder of tables breaks, by a seed."""

from __future__ import annotations

import os
import random
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["KINDS", "damage"]

KINDS = ("cut", "flip", "garbage", "half copy", "lost file", "lost folder", "stale mode")


def damage(folder: Path, seed: int) -> str:
    """Break something in a folder; says what."""
    draw = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    found = sorted(path for path in folder.rglob("*") if not path.is_symlink())
    files = [path for path in found if path.is_file()]
    file = draw.choice([path for path in files if path.stat().st_size])
    if kind == "cut":
        os.truncate(file, draw.randrange(file.stat().st_size))
    elif kind == "flip":
        content = bytearray(file.read_bytes())
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        file.write_bytes(content)
    elif kind == "garbage":
        file.write_bytes(draw.randbytes(file.stat().st_size))
    elif kind == "half copy":
        draw.shuffle(files)
        for path in files[draw.randrange(len(files)) :]:
            path.unlink()
    elif kind == "lost file":
        file.unlink()
    elif kind == "lost folder":
        file = draw.choice([path for path in found if path.is_dir()])
        shutil.rmtree(file)
    else:
        file.chmod(0)
        file.parent.chmod(0o500)
    return f"{kind}: {file.relative_to(folder)}"

"""A machine whose first process is systemd, in namespaces over a copy of this system.

The network is that of the test; what is written stays in memory and ends with the machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.children import child
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

SYSTEMD = Path("/lib/systemd/systemd")
NAMESPACES = ("--pid", "--mount", "--uts", "--ipc", "--cgroup")
RELEASE = "/srv/release"
"""Where the machine sees the folder that it is given."""
SECONDS_MAX = 900
BOOT = """set -e
mount -t tmpfs -o size=8g none /mnt
cd /mnt
mkdir upper work root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work root
mkdir -p root/srv/release
mount --bind "$1" root/srv/release
cd root
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch dev/$name
  mount --bind /dev/$name dev/$name
done
mkdir dev/pts dev/shm
touch dev/console
mount --bind /dev/null dev/console
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
mount -t cgroup2 none sys/fs/cgroup/unified
mount -t cgroup -o none,name=systemd none sys/fs/cgroup/systemd
rm -rf etc/systemd/system/*.wants etc/systemd/system/gameledger*
ln -sf /lib/systemd/system/basic.target etc/systemd/system/default.target
for unit in modules-load binfmt sysctl udevd udev-trigger remount-fs; do
  ln -sf /dev/null etc/systemd/system/systemd-$unit.service
done
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . "$2" --system
"""


class SystemdMachine:
    """The machine; ``run`` is what its administrator types."""

    def __init__(self, first: int) -> None:
        self._first = first

    def ask(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a script as root there."""
        enter = ("nsenter", "-t", str(self._first), "-m", "-p", "-i", "-u", "-r", "-w", "--")
        clean = ("env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TERM=dumb", "COLUMNS=200")
        return subprocess.run(  # noqa: S603 - scripts of this test and of the page
            [*enter, *clean, "bash", "-euc", script],
            cwd="/",
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )

    def run(self, script: str) -> str:
        """Run a script that has to succeed; return what it printed."""
        done = self.ask(script)
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}{self.journal()}"
        return done.stdout

    def journal(self) -> str:
        """Return what the units wrote."""
        return self.ask("journalctl --no-pager --output=cat --unit='gameledger*'").stdout


@contextmanager
def systemd_machine(folder: Path, release: Path) -> Iterator[SystemdMachine]:
    """Boot a machine that sees a folder as ``RELEASE``; where none can be booted, skip."""
    if os.geteuid() or not SYSTEMD.exists() or shutil.which("unshare") is None:
        pytest.skip("no machine with systemd: it needs root, and `apt-get install systemd`")
    log = folder / "boot.log"
    boot = ("bash", "-c", BOOT, "boot", str(release), str(SYSTEMD))
    command = ["unshare", *NAMESPACES, "--fork", "--kill-child", *boot]
    with log.open("wb") as output, child(command, stdout=output, stderr=output) as machine:
        children = Path(f"/proc/{machine.pid}/task/{machine.pid}/children")
        until(lambda: machine.poll() is not None or children.read_text() != "")
        if machine.poll() is not None:
            pytest.skip(f"no machine with systemd: {log.read_text()}")
        found = SystemdMachine(int(children.read_text()))

        def is_up() -> bool:
            if machine.poll() is not None:
                pytest.skip(f"no machine with systemd: {log.read_text()}")
            return found.ask("systemctl is-system-running").stdout in {"running\n", "degraded\n"}

        until(is_up, log.read_text)
        yield found

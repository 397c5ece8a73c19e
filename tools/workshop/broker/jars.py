"""The jars of the broker, copied by Maven from the committed ``pom.xml`` into a cache.

The name of the cache folder includes a digest of the pom, so jars of different versions are never
mixed, and the folder is renamed into place when complete. Nothing is downloaded if it exists.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path

from ledger.core.errors import AvailabilityError

__all__ = ["BrokerMissingError", "jars"]

POM = Path(__file__).with_name("pom.xml")
CACHE = Path(__file__).parents[3] / ".cache" / "kafka"
JAVA_MIN = 17
MAVEN_SECONDS_MAX = 500


class BrokerMissingError(AvailabilityError):
    """A broker can't run here: Java or Maven is missing, or the jars can't be downloaded."""


def jars(version: str = "") -> Path:
    """Return the folder of the jars; download them first if necessary.

    ``GAMELEDGER_KAFKA_CACHE`` names another cache than ``.cache/kafka`` in the source tree.

    Args:
        version: of the broker, such as 4.0.0; by default the one of ``pom.xml``.

    Raises:
        BrokerMissingError: what is missing, and how to get it.

    """
    _require_java()
    cache = Path(os.environ.get("GAMELEDGER_KAFKA_CACHE") or CACHE)
    folder = cache / sha256(POM.read_bytes() + version.encode()).hexdigest()[:16]
    if folder.exists():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _fetch(folder, version)
    return folder


@cache
def _require_java() -> None:
    if shutil.which("java") is None:
        raise BrokerMissingError(
            f"Java is missing: apt-get install openjdk-{JAVA_MIN}-jre-headless"
        )
    told = subprocess.run(
        ["java", "-XshowSettings:properties", "-version"],  # noqa: S607 - the Java of this machine
        check=False,
        capture_output=True,
        text=True,
    ).stderr
    mark = "java.specification.version ="
    version = next((line.split("=")[1].strip() for line in told.splitlines() if mark in line), "")
    if not version.isdigit() or int(version) < JAVA_MIN:
        raise BrokerMissingError(
            f"Java {version or 'of unknown version'} is too old for the broker: "
            f"apt-get install openjdk-{JAVA_MIN}-jre-headless"
        )


def _fetch(folder: Path, version: str) -> None:
    if shutil.which("mvn") is None:
        raise BrokerMissingError(f"Maven is missing to fetch {POM}: apt-get install maven")
    unfinished = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    command = [
        *("mvn", "--batch-mode", "--quiet", "--file", str(POM)),
        "dependency:copy-dependencies",
        f"-DoutputDirectory={unfinished}",
        "-DincludeScope=runtime",
        *([f"-Dkafka.version={version}"] if version else []),
    ]
    try:
        done = subprocess.run(  # noqa: S603 - built above
            command, check=False, capture_output=True, text=True, timeout=MAVEN_SECONDS_MAX
        )
    except subprocess.TimeoutExpired as error:
        text = f"Maven did not fetch the broker of {POM} in {MAVEN_SECONDS_MAX} s"
        raise BrokerMissingError(f"{text}: look at the network and repeat") from error
    if done.returncode or not any(unfinished.glob("kafka_*.jar")):
        words = (done.stdout + done.stderr).strip()[-2000:]
        raise BrokerMissingError(f"Maven could not fetch the broker of {POM}:\n{words}")
    unfinished.rename(folder)

"""Several ClickHouse servers that hold the same tables: what statements and inserts then say.

A chain is in one shard, on each of its replicas. A statement that defines is carried out ``ON
CLUSTER``; tables are ``Replicated…``, found in Keeper by the identifier that one statement gives
them on all replicas, so that no name that was used before is in the way. An insert is answered when
all replicas have it: the watermark is written last, and so lies above nothing that one of them
lacks, whichever of them is asked (ADR 0035).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

__all__ = ["on_cluster", "replicas_of"]

DEFINES = re.compile(
    r"(?:CREATE (?:OR REPLACE )?(?:DATABASE|TABLE|VIEW|MATERIALIZED VIEW)(?: IF NOT EXISTS)?"
    r"|DROP DATABASE(?: IF EXISTS)?) [\w.]+|KILL QUERY|SYSTEM (?:START|STOP) MERGES"
)
ENGINE = re.compile(r"\bENGINE = (\w*MergeTree)\b(?:\(([^)]*)\))?")
PATH = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'"


def on_cluster(statement: str, cluster: str) -> str:
    """Let a statement that defines be carried out on all replicas, its table replicated.

    Args:
        statement: one of ours, that begins with what it defines.
        cluster: name of the cluster; none for a server that stands alone.
    """
    defined = DEFINES.match(statement) if cluster else None
    if defined is None:
        return statement
    rest = statement[defined.end() :]
    if statement.startswith("CREATE TABLE "):
        rest = ENGINE.sub(_replicated, rest, count=1)
    return f"{defined[0]} ON CLUSTER `{cluster}`{rest}"


def _replicated(engine: re.Match[str]) -> str:
    more = f", {engine[2]}" if engine[2] else ""
    return f"ENGINE = Replicated{engine[1]}({PATH}{more})"


def replicas_of(client: Client, cluster: str) -> int:
    """Count the replicas of a cluster.

    Raises:
        InputError: the server knows no such cluster, or it has several shards.
    """
    ((shards, replicas),) = client.query(
        "SELECT uniqExact(shard_num), count() FROM system.clusters WHERE cluster = {name:String}",
        parameters={"name": cluster},
    ).result_rows
    if shards != 1:
        fact = f"has {shards} shards, and a chain is in one" if shards else "is not known there"
        raise InputError(f"the cluster {cluster!r} of ClickHouse {fact}: docs/scale.md says more")
    return int(replicas)

"""Tables on several ClickHouse replicas: rewrite statements, count replicas.

A chain is in one shard, on each of its replicas. DDL statements are executed ``ON CLUSTER``; tables
are ``Replicated…``, identified in Keeper by an identifier that one statement assigns on all
replicas, so that a table name can be reused. An insert is acknowledged when all replicas have it:
the watermark is written last, so no replica lacks a row below it (ADR 0035).
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
    r"|DROP (?:DATABASE|VIEW)(?: IF EXISTS)?) [\w.]+|KILL QUERY|SYSTEM (?:START|STOP) MERGES"
)
ENGINE = re.compile(r"\bENGINE = (\w*MergeTree)\b(?:\(([^)]*)\))?")
PATH = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'"


def on_cluster(statement: str, cluster: str) -> str:
    """Rewrite a DDL statement to run on all replicas, with a replicated table engine.

    Args:
        statement: a statement of this package, beginning with CREATE or the like.
        cluster: name of the cluster; empty for a single server: the statement is unchanged.

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
        InputError: the server does not know the cluster, or it has several shards.
    """
    ((shards, replicas),) = client.query(
        "SELECT uniqExact(shard_num), count() FROM system.clusters WHERE cluster = {name:String}",
        parameters={"name": cluster},
    ).result_rows
    if shards != 1:
        fact = f"has {shards} shards, and a chain is in one" if shards else "is not known there"
        raise InputError(f"the cluster {cluster!r} of ClickHouse {fact}: see docs/clickhouse.md")
    return int(replicas)

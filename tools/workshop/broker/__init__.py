"""A real Apache Kafka for tests and benchmarks: jars by Maven, nodes on loopback.

``python -m tools.workshop.broker`` starts one by hand; tests use the fixtures in
``tests/conftest.py``.
"""

from __future__ import annotations

from tools.workshop.broker.cluster import Cluster, Node
from tools.workshop.broker.jars import BrokerMissingError, jars

__all__ = ["BrokerMissingError", "Cluster", "Node", "jars"]

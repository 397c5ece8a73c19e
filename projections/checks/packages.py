# needs = ["PackagePublished"]
# reads = ["PackageBuilt"]
#
# [PACKAGE_DIFFERS]
# name.en = "Package published with other content"
# name.cs = "Balíček zpřístupněný s jiným obsahem"
# text.en = "The published package is not the one that was built last: {detail}."
# text.cs = "Zpřístupněný balíček není ten, který byl naposledy sestaven: {detail}."
# paragraph = "D10 6 to 9"

"""Find packages that were published with other content than the last build under their name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

PUBLISHED = """
WITH built AS
(
    SELECT series, version, position, digest FROM PackageBuilt WHERE position < {size:Int64}
)
SELECT published.position AS position, published.series AS series, published.version AS version
FROM PackagePublished AS published
ASOF LEFT JOIN built
    ON published.series = built.series AND published.version = built.version
    AND published.position > built.position
WHERE published.position < {size:Int64} AND published.digest != built.digest"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such packages; one that was never built differs, too."""
    for row in of.store.rows(PUBLISHED, size=of.size):
        name = f"{row['series']}-{row['version']:02d}"
        yield DetectedFinding("PACKAGE_DIFFERS", position=row["position"], detail=name, about=name)

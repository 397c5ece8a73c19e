"""Optional packages, and the extra of ``gameledger`` that installs each of them.

A writer needs none of them except ``poker``, and that only if it settles hands of poker. What comes
in: the name of a module. What goes out: an error that names the extra to install.
"""

from __future__ import annotations

from importlib.util import find_spec

from ledger.core.errors import InputError

__all__ = ["EXTRAS", "MissingExtraError", "require_module"]

EXTRAS = {
    "asyncssh": "sftp",
    "chdb": "tables",
    "clickhouse_connect": "tables",
    "fastapi": "service",
    "fpdf": "documents",
    "jinja2": "service",
    "markupsafe": "service",
    "mt940": "statements",
    "pokerkit": "poker",
    "pyarrow": "tables",
    "pyhanko": "documents",
    "pyhanko_certvalidator": "documents",
    "segno": "service",
    "xlsxwriter": "spreadsheets",
}
"""The extra of each module; that of a package's own requirements is the same."""


class MissingExtraError(InputError):
    """A package of an extra is not installed."""

    def __init__(self, module: str) -> None:
        """Name the module and its extra."""
        extra = EXTRAS[module]
        super().__init__(
            f"the package of {module} is not installed: install gameledger[{extra}], or "
            "gameledger[all] for everything"
        )


def require_module(module: str) -> None:
    """Require a module of an extra, without importing it.

    Raises:
        MissingExtraError: it is not installed.

    """
    if find_spec(module) is None:
        raise MissingExtraError(module)

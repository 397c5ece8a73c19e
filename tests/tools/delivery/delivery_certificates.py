"""Certificates of TLS for both ends of the exchange, good ones and others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import trustme

if TYPE_CHECKING:
    from pathlib import Path

DAY = timedelta(days=1)


class TlsAuthority:
    """Vouches for ends of TLS; ``<name>.crt`` and ``<name>.pem`` go to its folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self._authority = folder, trustme.CA(organization_name=name)
        self.path = folder / f"{name}.crt"
        self._authority.cert_pem.write_to_path(str(self.path))

    def vouch(self, name: str, *, days: tuple[int, int] = (-1, 200)) -> None:
        """Make an end that is called localhost, and holds so many days from and to."""
        begin, end = (datetime.now(UTC) + number * DAY for number in days)
        issued = self._authority.issue_cert(
            "localhost", common_name=name, not_before=begin, not_after=end
        )
        issued.cert_chain_pems[0].write_to_path(str(self.folder / f"{name}.crt"))
        path = self.folder / f"{name}.pem"
        path.touch(mode=0o600)
        path.write_bytes(issued.private_key_pem.bytes())

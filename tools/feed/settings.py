"""The settings of a feed: a file in TOML, whose paths are relative to it."""

from __future__ import annotations

import ssl
import sys
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.storage.named_files import read_text, relative_paths, why_unread
from ledger.storage.secret_files import read_secret
from ledger.tlog.source_seals import SourceKey
from tools.service.address import Address
from tools.web.tls import with_key
from tools.web.webhooks import read_webhook_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tools.feed.provider import Provider

    Adapter = Callable[[str, Mapping[str, str]], Provider]

__all__ = ["FeedSettings", "read_feed"]

MODULE = "gameledger_feed_provider"
"""Name of the provider's module in this process."""

ENTRY_POINTS = "gameledger.providers"
"""Entry points of installed packages that are adapters."""


class FeedSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of one feed.

    ``provider`` names the adapter, ``file.py:Class`` or an entry point of an installed package: a
    :class:`tools.feed.provider.Provider` made from ``name`` and ``tables``. ``name`` is the name of
    this feed in the chain.
    ``secrets`` are files of mode 600, any of which may sign; ``tables`` maps the provider's tables
    to ours. ``seal`` is a PEM file of mode 600 with the private key and the certificate of this
    source, which then seals what it sends to ``chain`` as ``system``, each ``seal_minutes``.
    Certificate and key are those of the port; ``plain`` admits other machines without TLS.
    """

    provider: Path
    name: Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,20}\Z")]
    secrets: Annotated[tuple[Path, ...], Meta(min_length=1)]
    spool: Path
    tables: dict[str, str]
    listen: str = "127.0.0.1:7413"
    certificate: Path | None = None
    key: Path | None = None
    plain: bool = False
    seal: Path | None = None
    chain: str = ""
    system: str = ""
    seal_minutes: Annotated[int, Meta(ge=1, le=1_440)] = 4

    def __post_init__(self) -> None:
        """Reject settings that could not work, or that would let others read the messages."""
        file, _, name = self.provider.name.partition(":")
        if not (name or file).isidentifier():
            raise ValueError(
                "provider is a file and a class in it, file.py:Class, or an installed adapter"
            )
        if (self.certificate is None) != (self.key is None):
            raise ValueError("HTTPS needs certificate and key together")
        if self.seal and not self.chain:
            raise ValueError("a seal names the chain: give chain together with seal")
        address = Address.parse(self.listen)
        if address.path is not None:
            raise ValueError(f"{self.listen}: webhooks come by HTTP, give host:port")
        if not (address.is_of_this_machine or self.certificate or self.plain):
            raise ValueError(
                f"other machines reach {address}: give certificate and key, or plain = true if "
                "something before it speaks TLS"
            )

    def tls(self) -> ssl.SSLContext | None:
        """Return the TLS context of the port; None if it has no certificate and key.

        Raises:
            LedgerError: certificate or key can't be used; see :func:`tools.web.tls.with_key`.

        """
        if self.certificate is None or self.key is None:
            return None
        return with_key(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), self.certificate, self.key)

    def reader(self) -> Provider:
        """Load the provider's adapter.

        Raises:
            InputError: the file can't be run, or has no such class; no such adapter is installed.

        """
        file, _, name = self.provider.name.partition(":")
        try:
            adapter = _in_file(self.provider.with_name(file), name) if name else _installed(file)
            return adapter(self.name, self.tables)
        except Exception as error:
            raise InputError(f"the adapter {self.provider} can't be used: {error!r}") from error

    def source_key(self) -> SourceKey | None:
        """Read the key with which this source seals; None if it does not.

        Raises:
            LedgerError: the file can't be used, others may read it, or it has no such key.

        """
        if self.seal is None:
            return None
        try:
            return SourceKey.read(read_secret(self.seal))
        except OSError as error:
            raise InputError(f"{self.seal} can't be used: {why_unread(error)}") from error

    def keys(self) -> list[bytes]:
        """Read the secrets.

        Raises:
            LedgerError: one of them can't be used; see :func:`read_webhook_secret`.

        """
        return [read_webhook_secret(path) for path in self.secrets]


def _in_file(path: Path, name: str) -> Adapter:
    spec = spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is no Python file")
    module = sys.modules[MODULE] = module_from_spec(spec)
    spec.loader.exec_module(module)
    adapter: Adapter = getattr(module, name)
    return adapter


def _installed(name: str) -> Adapter:
    points = entry_points(group=ENTRY_POINTS)
    if name not in points.names:
        raise ImportError(f"no package has it, installed are: {', '.join(points.names) or 'none'}")
    adapter: Adapter = points[name].load()
    return adapter


def read_feed(path: Path) -> FeedSettings:
    """Read the settings of a feed.

    Raises:
        InputError: the file can't be read or is malformed.

    """
    content = read_text(path)
    try:
        return decoder_of(FeedSettings).toml(content, dec_hook=relative_paths(path))
    except (ValueError, InputError) as error:
        text = f"{path}: {error}: see docs/recipes/connect-a-provider.md for the settings"
        raise InputError(text) from error

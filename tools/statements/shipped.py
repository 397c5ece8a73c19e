"""Templates of issuers: settings for the files that common banks and payment providers send.

What comes out: each template with its title, the document or public sample that its columns are
from, and its settings as an issuer's file has them. Guaranteed: every template is a valid issuer,
and a test imports a sample in its layout. A template follows published layouts: the first real
file of an issuer confirms it.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from tools.statements.issuer import Issuer

__all__ = ["Template", "template", "templates"]

ACCOUNT = '"ACCOUNT"'
"""What stands in the settings of a bank where its account number belongs."""


class Template(NamedTuple):
    """Settings for the files of one kind of issuer.

    Attributes:
        name: its name, such as ``stripe``.
        title: whose files, and in which form.
        source: the document or sample that columns and codes are from.
        settings: the settings, as TOML.

    """

    name: str
    title: str
    source: str
    settings: str

    @property
    def issuer(self) -> Issuer:
        """Return the settings as they are read."""
        return decoder_of(Issuer).toml(self.settings)

    @property
    def needs_account(self) -> bool:
        """Return whether the number of an account belongs into the settings."""
        return ACCOUNT in self.settings

    def for_account(self, account: str) -> str:
        """Write the file of an issuer, with where its settings are from.

        Raises:
            InputError: the template needs an account and none is given, or the other way round.

        """
        if bool(account) is not self.needs_account:
            what = "needs an account: --account" if self.needs_account else "has no account"
            raise InputError(f"template {self.name} {what}")
        settings = self.settings.replace(ACCOUNT, json.dumps(account, ensure_ascii=False))
        return (
            f"# {self.title}.\n# Columns and codes from: {self.source}.\n"
            "# To be confirmed by the first real file: `gameledger statement check`.\n\n"
            f"{settings}"
        )


@cache
def templates() -> dict[str, Template]:
    """Return all templates by their names, in the order of the alphabet."""
    folder = files("tools.statements") / "templates"
    index = tomllib.loads(folder.joinpath("index.toml").read_text(encoding="utf-8"))
    return {
        name: Template(
            name, **index[name], settings=folder.joinpath(f"{name}.toml").read_text("utf-8")
        )
        for name in sorted(index)
    }


def template(name: str) -> Template:
    """Return a template.

    Raises:
        InputError: there is none of this name.

    """
    found = templates().get(name)
    if found is None:
        raise InputError(f"no template {name!r}: there are {', '.join(templates())}")
    return found

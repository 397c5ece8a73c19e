"""Uploaded files: parse the form, and keep the file between its check and its import.

Input: the body of a form with one file, at most :data:`UPLOAD_BYTES_MAX`. Output: its fields and
the file. Guaranteed: a body is parsed in a process of its own with bounds, and at most
:data:`AT_ONCE` are read at a time; an upload is returned only to the session that sent it; at most
:data:`KEPT_MAX` are kept, in memory, and the oldest is dropped first. Rejected: a body that is not
such a form.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from contextlib import contextmanager
from email.message import Message
from email.parser import BytesParser
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError, InputError
from ledger.core.phrases import Phrase
from ledger.log.limited_call import CallLimits, call_with_limits
from ledger.storage.workplace import temporary_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["UPLOAD_BYTES_MAX", "Upload", "Uploads", "fields_and_file"]

UPLOAD_BYTES_MAX = 16 << 20
KEPT_MAX = 4
AT_ONCE = 2
BOUNDS = CallLimits(seconds=15, memory_bytes=1 << 30)
"""Of one body: what costs more is no form of ours."""
FIELDS_MAX = 10
FIELD_LENGTH_MAX = 4_000
NAME_LENGTH_MAX = 100
UNUSUAL = re.compile(r"[^\w. +()-]")


class Upload(NamedTuple):
    """A file with the name that the browser sent, and the other fields of the form.

    ``supersedes`` are the statements that the page named which it supersedes.
    """

    name: str
    content: bytes
    fields: dict[str, str]
    supersedes: tuple[str, ...] = ()

    @contextmanager
    def as_file(self) -> Iterator[Path]:
        """Yield the file under its name, in a folder that is removed afterwards."""
        with temporary_folder() as folder:
            path = folder / self.name
            path.write_bytes(self.content)
            yield path


class Uploads:
    """The uploads that wait for a confirmation."""

    def __init__(self) -> None:
        """Begin without uploads."""
        self._kept: OrderedDict[tuple[str, str], Upload] = OrderedDict()
        self._changing = Lock()
        self._places = BoundedSemaphore(AT_ONCE)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Take a place for reading a body.

        Raises:
            AvailabilityError: all places are taken.

        """
        if not self._places.acquire(blocking=False):
            raise AvailabilityError(Phrase("UPLOADS_BUSY"))
        try:
            yield
        finally:
            self._places.release()

    def keep(self, session: str, upload: Upload) -> str:
        """Keep an upload of a session; return the name by which the session retrieves it."""
        name = secrets.token_urlsafe(16)
        with self._changing:
            self._kept[session, name] = upload
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return name

    def of(self, session: str, name: str) -> Upload:
        """Return an upload of a session.

        Raises:
            InputError: the upload is not kept, or no longer.

        """
        with self._changing:
            found = self._kept.get((session, name))
        if found is None:
            raise InputError(Phrase("UPLOAD_FORGOTTEN"))
        return found

    def drop(self, session: str, name: str) -> None:
        """Drop the upload."""
        with self._changing:
            self._kept.pop((session, name), None)


def fields_and_file(kind: str, body: bytes) -> Upload:
    """Parse a form of the type ``multipart/form-data`` with one file, within :data:`BOUNDS`.

    Args:
        kind: the header ``Content-Type``.
        body: of the request, within its limit.

    Raises:
        InputError: the form has another type, has no file, or costs more than the bounds.
        AvailabilityError: no process can be started.

    """
    return call_with_limits(_parse, BOUNDS, kind, body)


def _parse(kind: str, body: bytes) -> Upload:
    try:
        return _upload(kind, body)
    except (RecursionError, ValueError) as error:  # such as a parameter numbered by 5,000 digits
        raise InputError(Phrase("FORM_MALFORMED")) from error


def _upload(kind: str, body: bytes) -> Upload:
    head = f"Content-Type: {kind}\r\n\r\n".encode("latin-1", "replace")
    form = BytesParser().parsebytes(head + body)
    parts = form.get_payload() if form.get_content_type() == "multipart/form-data" else ""
    if not isinstance(parts, list) or not 0 < len(parts) <= FIELDS_MAX:
        raise InputError(Phrase("FORM_MALFORMED"))
    fields: dict[str, str] = {}
    files: list[tuple[str, bytes]] = []
    for part in parts:
        content = part.get_payload(decode=True) if isinstance(part, Message) else None
        if not isinstance(part, Message) or not isinstance(content, bytes):
            raise InputError(Phrase("FORM_PART_NO_FIELD"))
        name = str(part.get_param("name", "", "content-disposition"))
        file = part.get_filename()
        if file is None:
            fields.setdefault(name, content.decode("utf-8", "replace")[:FIELD_LENGTH_MAX])
        elif file:
            files.append((_safe(file), content))
    if len(files) != 1:
        raise InputError(Phrase("ONE_FILE_REQUIRED"))
    return Upload(*files[0], fields)


def _safe(name: str) -> str:
    """Return the last part of a file name, with safe characters only."""
    last = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    last = re.split(r"[/\\]", last)[-1]
    return UNUSUAL.sub("_", last)[-NAME_LENGTH_MAX:].lstrip(". ") or "file"

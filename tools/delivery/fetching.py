"""Confirmations: fetch them from the authority after its notice, store, check and record them.

Input: the notices that are open in the chain. Output: files in ``confirmations/`` below the data
directory, and facts. The order: the file is stored on disk; the fetch is recorded; the file is
opened and read; its findings, or the reason for its refusal, are recorded. After an interruption
work continues from the records. Failures are retried with pauses that double up to a limit, for as
long as the notice is open: an unreachable authority, a wrong certificate, an answer for another
package. The same answer is recorded once.
"""

from __future__ import annotations

from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError, InputError, LedgerError
from ledger.decisions.delivery import RecordConfirmationFetch, RefuseConfirmation
from ledger.events.command import NAME_MAX
from tools.delivery.confirming import confirmation_command, files_that_differ, next_steps
from tools.delivery.server import to_authority
from tools.delivery.trust import key_of, trust_for
from tools.whole_files import write_whole
from tools.witness.web import send_request

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.packages.country import Country
    from projections.packages.results import Confirmation
    from tools.delivery.exchange import Exchange, Notice, Version
    from tools.delivery.recorder import Recorder
    from tools.delivery.settings import Delivery

__all__ = ["ConfirmationFetcher"]

FOUND = 200
DIGEST_SHOWN = 16


class _Pause(NamedTuple):
    """Time of the next attempt for a notice, by the monotonic clock, and the previous pause."""

    until: float
    seconds: float


class ConfirmationFetcher:
    """Fetch the confirmations announced by open notices, whenever :meth:`work` is called."""

    def __init__(
        self,
        delivery: Delivery,
        folder: Path,
        exchange: Exchange,
        recorder: Recorder,
        *,
        country: Country,
        notify: Callable[..., None],
    ) -> None:
        """Prepare; ``folder`` is where confirmations are stored.

        Raises:
            InputError, AuthorizationError, AvailabilityError: a certificate or key can't be used.

        """
        self._client, self._reading = delivery.client, delivery.reading
        self._folder, self._country = folder, country
        self._exchange, self._recorder, self._notify = exchange, recorder, notify
        self._tls = to_authority(delivery.client)
        self._key = key_of(delivery.reading)
        self._pauses: dict[tuple[str, str], _Pause] = {}

    def at_once(self, package: str) -> None:
        """Try a package without a pause, because a new notice of the authority has arrived."""
        for key in [key for key in self._pauses if key[0] == package]:
            self._pauses.pop(key, None)

    def work(self) -> float:
        """Try every open notice whose pause has elapsed.

        Returns:
            Seconds until the next attempt.

        """
        notices = self._exchange.open_notices()
        for notice in notices:
            key = notice.package, notice.verdict
            pause = self._pauses.get(key)
            if pause is not None and pause.until > monotonic():
                continue
            try:
                self._settle(notice)
            except LedgerError as error:
                seconds = self._client.retry_seconds if pause is None else 2 * pause.seconds
                seconds = min(seconds, self._client.retry_seconds_max)
                self._pauses[key] = _Pause(monotonic() + seconds, seconds)
                self._notify(
                    "not_confirmed",
                    package=notice.package,
                    verdict=notice.verdict,
                    why=str(error),
                    again_in_seconds=seconds,
                )
            else:
                self._pauses.pop(key, None)
        left = [one.until - monotonic() for one in self._pauses.values()]
        return max(0.0, min(left, default=self._client.retry_seconds_max))

    def _settle(self, notice: Notice) -> None:
        version = self._exchange.version(notice.package)
        if version is None:
            raise InputError(f"package {notice.package} is not published")
        name = f"{notice.package}.{self._client.word(notice.verdict)}{self._country.SEALED}"
        kept = version.fetched_confirmation(notice)
        received = self._kept(kept.confirmation, kept.file_digest) if kept else None
        if received is None:
            received = self._fetch(notice, version, name)
        digest = sha256(received).hexdigest()
        if version.received.get(digest) == notice.verdict:
            self._notify("confirmed_before", package=notice.package, verdict=notice.verdict)
            return
        try:
            found = self._judged(notice, name, received)
        except AvailabilityError:
            raise
        except LedgerError as error:
            self._refuse(notice, version, name, digest, str(error))
            raise
        self._recorder.record(confirmation_command(found, name, received, source="delivery"))
        others = files_that_differ(found, version.files)
        self._notify(
            "confirmed",
            package=notice.package,
            verdict=found.verdict,
            findings=len(found.findings),
            next=next_steps(
                found,
                was_accepted="OK" in version.received.values(),
                others=others,
                newest=self._exchange.newest(notice.package),
            ),
        )

    def _place(self, name: str, digest: str) -> Path:
        return self._folder / digest[:DIGEST_SHOWN] / name

    def _kept(self, name: str, digest: str) -> bytes | None:
        """Return a file that was fetched before, if it is unchanged."""
        try:
            content = self._place(name, digest).read_bytes()
        except OSError:
            return None
        return content if sha256(content).hexdigest() == digest else None

    def _fetch(self, notice: Notice, version: Version, name: str) -> bytes:
        url = self._client.url(notice.package, notice.verdict)
        answer = send_request(
            url,
            seconds=self._client.answer_seconds,
            bytes_max=self._country.ANSWER_BYTES_MAX,
            tls=self._tls,
        )
        if answer.status != FOUND:
            raise AvailabilityError(f"{url} answers {answer.status}")
        if not answer.body:
            raise AvailabilityError(f"{url} answers with nothing")
        digest = sha256(answer.body).hexdigest()
        write_whole(self._place(name, digest), answer.body)
        known = version.fetched.get(digest)
        if known is None or known[0] < notice.position:
            self._recorder.record(
                RecordConfirmationFetch(
                    package=notice.package,
                    confirmation=name,
                    verdict="OK" if notice.verdict == "OK" else "ERR",
                    file_digest=digest,
                    size=len(answer.body),
                    server=sha256(answer.certificate).hexdigest(),
                    source="delivery",
                )
            )
        return answer.body

    def _judged(self, notice: Notice, name: str, received: bytes) -> Confirmation:
        """Open and read a confirmation.

        Raises:
            SealError, InputError: the file is not a confirmation, or not of this package.
            AvailabilityError: a service needed to verify the seal does not answer, or our own files
                are malformed.

        """
        try:
            trust = trust_for(self._reading, received, self._country)
        except InputError as error:
            raise AvailabilityError(str(error)) from error
        content = self._country.open_sealed(received, self._key, trust).content
        found = self._country.read_confirmation(
            f"{notice.package}.{'Ok' if notice.verdict == 'OK' else 'Err'}{self._country.SEALED}",
            content,
        )
        if (str(found.package), found.verdict) != (notice.package, notice.verdict):
            raise InputError(f"{name} is the confirmation {found.verdict} of {found.package}")
        return found

    def _refuse(
        self, notice: Notice, version: Version, name: str, digest: str, reason: str
    ) -> None:
        if digest in version.refused or digest in version.received:
            return
        self._recorder.record(
            RefuseConfirmation(
                package=notice.package,
                confirmation=name,
                verdict="OK" if notice.verdict == "OK" else "ERR",
                file_digest=digest,
                reason=reason[:NAME_MAX],
                source="delivery",
            )
        )
        self._notify(
            "refused_confirmation",
            package=notice.package,
            verdict=notice.verdict,
            why=reason,
            file=str(self._place(name, digest)),
        )

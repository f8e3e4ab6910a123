"""Requests to a site: what is lost on the way is sent again, and a refusal becomes an exception."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4
from weakref import finalize

import httpx

from cleverdon.client import sending
from cleverdon.client.errors import TOO_LARGE, ClientError, Misfit, Problem, Unreachable
from cleverdon.version import VERSION

if TYPE_CHECKING:
    from ssl import SSLContext

API = "/api/v1/"
PROBLEM = "application/problem+json"
UPLOADS = "uploads/"  # of a campaign
PER_PAGE = 1000
# Seconds before each further attempt; a token's limit may ask for a whole minute.
PAUSES = (0.5, 1, 2, 4, 8)
MOST_SECONDS_TO_WAIT = 60
TOLD = 3  # after so many attempts it is said that there are more
AWAY = {502, 503, 504}
TOO_MANY = 429
Progress = Callable[[int, int], None]
Rows = list[Mapping[str, Any]]
UNFIT = (
    "%s has version %s of Cleverdon and this client is of %s: if something fails, install the "
    "client of that version."
)
TOO_LONG = (
    "Something on the way to %s lets nothing as long as this through. Ask who runs the site to "
    "allow more."
)
NO_ETAG = "seen takes a record as get() returns it: what list() returns has no ETag to compare."
log = logging.getLogger(__name__)


class Record(dict[str, Any]):
    """A record as a plain dict, with the `etag` by which an act says what it was read from."""

    etag = ""


class Connection:
    """A site and a token. `pauses` are the seconds before each further attempt.

    By a `transport` of httpx requests are carried otherwise than over the network.
    """

    def __init__(
        self, url: str, token: str, pauses: tuple[float, ...] = PAUSES, transport: Any = None
    ) -> None:
        self.url, self.pauses, self.version = checked(url), pauses, ""
        if not token.isascii() or token.split() != [token]:
            raise ClientError("An access token is one word, which begins with cleverdon_.")
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "cleverdon"}
        patience = httpx.Timeout(60, connect=10)
        self.http = httpx.Client(
            headers=headers, timeout=patience, verify=trusted(), transport=transport
        )
        # Whoever forgets a client need not close it.
        finalize(self, self.http.close)

    def get(self, path: str, **params: Any) -> Any:
        """Return what is at an address: a list, or a Record with its ETag."""
        return self._body(self.asked("GET", path, params=_given(params)))

    def pages(self, path: str, **params: Any) -> Iterator[dict[str, Any]]:
        """Yield the records of a list, page after page: one that is lost is asked for again."""
        asked: dict[str, Any] | None = _given({"per_page": PER_PAGE, **params})
        while asked is not None:
            answer = self.asked("GET", path, params=asked)
            body = self._body(answer)
            yield from body if isinstance(body, list) else [body]
            # Of the address only what it asks for: the token goes to no other host.
            following = answer.links.get("next", {}).get("url", "")
            asked = dict(parse_qsl(urlsplit(following).query)) if following else None

    def post(
        self,
        path: str,
        values: Mapping[str, Any] | Rows,
        *,
        seen: Record | None = None,
        on_progress: Progress | None = None,
    ) -> Any:
        """Do an act once, however often it is sent; values that are files are sent before.

        An act that takes a list is given one, of rows.
        `seen` is the record that the program read before: if it has changed since, it is refused.
        """
        headers = {"Idempotency-Key": str(uuid4())}
        if seen is not None:
            if not (etag := getattr(seen, "etag", "")):
                raise ClientError(NO_ETAG)
            headers["If-Match"] = etag
        told: Any = values
        if isinstance(values, Mapping):
            files = {name: its for name, its in values.items() if sending.is_file(its)}
            told = {name: its for name, its in values.items() if name not in files}
            uploads = "/".join([*path.split("/")[:2], UPLOADS])
            for its in files.values():
                told["upload"] = sending.sent(self, uploads, its, on_progress)
        return self._body(self.asked("POST", path, json=told, headers=headers))

    @contextmanager
    def whole(self, path: str, **params: Any) -> Iterator[IO[bytes]]:
        """Yield a file that was received to its end; one that breaks off is asked for again."""
        with TemporaryFile() as received:
            self.asked("GET", path, into=received, params=_given(params))
            received.seek(0)
            yield received

    def asked(
        self,
        method: str,
        path: str,
        *,
        into: IO[bytes] | None = None,
        pauses: tuple[float, ...] | None = None,
        **how: Any,
    ) -> Any:
        """Ask until there is an answer; Problem if it is a refusal, Unreachable if none comes."""
        failed = ""
        for n_tried, pause in enumerate((*(self.pauses if pauses is None else pauses), None)):
            try:
                answer = self._once(method, path, into, how)
            except httpx.TransportError as error:
                failed, wait = _why(error), pause
            else:
                failed, wait = f"it answers {answer.status_code}", self._wait(answer, pause)
                self._compare(answer.headers.get("Cleverdon-Version", ""))
                if wait is None:
                    return self._accepted(answer)
            if wait is None:
                break
            if n_tried == TOLD:
                log.warning("%s does not answer: %s. It is tried again.", self.url, failed)
            time.sleep(wait)
        raise Unreachable(f"{self.url} does not answer: {failed}.")

    def _once(self, method: str, path: str, into: IO[bytes] | None, how: dict[str, Any]) -> Any:
        with self.http.stream(method, self.url + API + path, **how) as answer:
            if into is None or not answer.is_success:
                answer.read()
            else:
                into.seek(0)
                into.truncate()
                into.writelines(answer.iter_bytes())
            return answer

    def _compare(self, version: str) -> None:
        """Note the version of the site, and say so if it is not the one that this client fits."""
        if version and not self.version and minor(version) != minor(VERSION):
            log.warning(UNFIT, self.url, version, VERSION)
        self.version = self.version or version

    def _wait(self, answer: Any, pause: float | None) -> float | None:
        """Return the seconds after which to ask again, None for an answer that stands."""
        if pause is None:
            return None
        if answer.status_code == TOO_MANY:
            asked = answer.headers.get("Retry-After", "")
            seconds = int(asked) if asked.isdigit() else pause
            return seconds if seconds <= MOST_SECONDS_TO_WAIT else None
        return pause if answer.status_code in AWAY else None

    def _accepted(self, answer: Any) -> Any:
        """Return an answer that is none of a problem; Misfit for one that is not of the API."""
        if answer.is_success:
            return answer
        status, headers = answer.status_code, answer.headers
        if headers.get("Content-Type", "").startswith(PROBLEM):
            raise Problem(status, answer.json())
        if status == TOO_LARGE:
            raise Misfit(TOO_LONG % self.url, status)
        if answer.is_redirect:
            to, slashed = headers.get("Location", ""), f"{answer.request.url.path}/"
            if urlsplit(to).path == slashed:
                raise Misfit(f"Addresses of the API end in a slash: {slashed.removeprefix(API)}")
            raise Misfit(f"{self.url} leads to {to}: use that address.")
        raise Misfit(
            f"What is at {self.url} answered {status}, and not as version 1 of Cleverdon's API "
            "does. Check the address; or the site is of a version that this client does not fit.",
            status,
        )

    def _body(self, answer: Any) -> Any:
        """Return what was answered, None if nothing was."""
        if not answer.content:
            return None
        try:
            body = answer.json()
        except json.JSONDecodeError as error:
            raise Misfit(f"What is at {self.url} is a page, and not Cleverdon's API.") from error
        if isinstance(body, dict):
            body = Record(body)
            body.etag = answer.headers.get("ETag", "")
        return body


def minor(version: str) -> str:
    """Return as much of a version as must be the same.

    >>> minor("0.12.3.dev0")
    '0.12'
    """
    return ".".join(version.split(".")[:2])


@cache
def trusted() -> SSLContext:
    """Return the authorities that are trusted, read once: that takes a tenth of a second."""
    return httpx.create_ssl_context()


def checked(url: str) -> str:
    """Return the address of a site without what need not be in it; ClientError if it is none."""
    try:
        parts = urlsplit(url.strip())
        is_one = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one or parts.query or parts.fragment or parts.username:
        raise ClientError(f"{url} is no address of a site, such as https://example.org.")
    return parts.geturl().partition(API)[0].rstrip("/")


def _why(error: Exception) -> str:
    return (str(error) or type(error).__name__).rstrip(".")


def _given(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is asked, as an address has it: of several with commas between."""
    return {
        name: ",".join(map(str, its)) if isinstance(its, list | tuple) else its
        for name, its in params.items()
        if its is not None
    }

"""Typed readers of environment variables; `NAME_FILE` may hold the path of a mounted secret."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import SplitResult, quote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """Return the variable, or the content of the file that `NAME_FILE` points to."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        return _secret(name, path)
    return os.environ.get(name) or default


def _secret(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE names {path}, which cannot be read: {error.strerror}."
        ) from error


def flag(name: str, *, default: bool) -> bool:
    value = text(name, str(default)).lower()
    if value not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} must be 'true' or 'false', not {value!r}.")
    return value == "true"


def number(name: str, *, default: int) -> int:
    value = text(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def choice(name: str, options: Sequence[str], *, default: str) -> str:
    value = text(name, default)
    if value not in options:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(options)}, not {value!r}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """Split a comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def url(name: str, password: str = "") -> str:
    """Return a service's URL with `password`, if given, instead of its own.

    A password of its own may hold any character. Inside a URL, `/ ? # @ : [ ] %` must be
    percent-encoded: otherwise they begin another part, which is refused where it shows.
    """
    address = text(name)
    parts = _parts(name, address)
    if not (address and password):
        return address
    user, _, host = parts.netloc.rpartition("@")
    user = user.partition(":")[0]
    netloc = f"{user}:{quote(password, safe='')}@{host}"
    return parts._replace(netloc=netloc).geturl()


def path_of(name: str, address: str) -> str:
    """Return the path of an address, "" at the root of its host.

    It becomes a part of cookies' names and of every link, so it is kept plain.
    """
    path = urlsplit(address).path.rstrip("/")
    if not re.fullmatch(r"(/[\w-]+)*", path, re.ASCII):
        raise ImproperlyConfigured(
            f"The path in {name} may hold letters, digits, - and _ between slashes, not {path!r}."
        )
    return path


def _parts(name: str, address: str) -> SplitResult:
    sentence = (
        f"{name} holds a character that must be percent-encoded there; "
        f"a password may be given as it is in {name.replace('_URL', '_PASSWORD')}."
    )
    try:
        parts = urlsplit(address)
        _ = parts.port  # it is read only when asked for
    except ValueError:  # its words may hold a part of the password
        raise ImproperlyConfigured(sentence) from None
    if "#" in address or "@" in parts.path + parts.query:
        raise ImproperlyConfigured(sentence)
    return parts

"""Typed readers of environment variables; `NAME_FILE` may hold the path of a mounted secret."""

import os
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """Return the variable, or the content of the file that `NAME_FILE` points to."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        return _secret(name, path)
    return os.environ.get(name) or default


def _secret(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
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


def words(name: str, default: str = "") -> list[str]:
    """Split a comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def email(name: str) -> dict[str, object]:
    """Turn `smtp://user:password@host:587/?tls=true` into Django's settings; unset prints to the console."""
    url = urlsplit(text(name))
    if not url.scheme:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if url.scheme != "smtp" or not url.hostname:
        raise ImproperlyConfigured(
            f"{name} must look like smtp://user:password@host:587/?tls=true."
        )
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or 25,
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": parse_qs(url.query).get("tls") == ["true"],
    }

"""System checks: settings that contradict each other, each with an id and a hint."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's name
from django.http.request import validate_host

from config import env


@register
def site_url_is_allowed(app_configs: Any, **_: Any) -> list[CheckMessage]:
    host = urlsplit(settings.SITE_URL).hostname or ""
    if validate_host(host, settings.ALLOWED_HOSTS):
        return []
    hint = "Add the host to ALLOWED_HOSTS, or correct SITE_URL."
    return [
        Error(
            f"SITE_URL names the host {host!r}, which ALLOWED_HOSTS does not.",
            hint=hint,
            id="config.E001",
        )
    ]


@register(Tags.security, deploy=True)
def services_are_not_embedded(app_configs: Any, **_: Any) -> list[CheckMessage]:
    hint = "Set the variable to a server of its own: an embedded one stops with the last process that uses it."
    return [
        Warning(
            f"{name} is not set, so production would run on an embedded server.",
            hint=hint,
            id="config.W001",
        )
        for name in ("DATABASE_URL", "REDIS_URL")
        if settings.IS_EMBEDDED and not env.text(name)
    ]

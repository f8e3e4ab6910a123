"""The app of the whole site: every app's hooks, system checks, a message for a lost choice."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.http.request import validate_host
from django.utils.module_loading import autodiscover_modules

from config import env

NOT_OFFERED = "What was chosen here is not offered, or no longer. Choose again."
CHOICES = (
    forms.ChoiceField,
    forms.MultipleChoiceField,
    forms.ModelChoiceField,
    forms.ModelMultipleChoiceField,
)

# Before any form is made. Choices may change while a page is open.
for _field in CHOICES:
    _field.default_error_messages = {**_field.default_error_messages, "invalid_choice": NOT_OFFERED}


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        autodiscover_modules("hooks")  # once all models are loaded


@checks.register
def site_url_is_allowed(app_configs: Any, **_: Any) -> list[checks.CheckMessage]:
    host = urlsplit(settings.SITE_URL).hostname or ""
    if validate_host(host, settings.ALLOWED_HOSTS):
        return []
    message = f"SITE_URL names the host {host!r}, which ALLOWED_HOSTS does not."
    hint = "Add the host to ALLOWED_HOSTS, or correct SITE_URL."
    return [checks.Error(message, hint=hint, id="config.E001")]


@checks.register(checks.Tags.security, deploy=True)
def services_are_not_embedded(app_configs: Any, **_: Any) -> list[checks.CheckMessage]:
    hint = (
        "Set the variable to a server of its own: "
        "an embedded one stops with the last process that uses it."
    )
    return [
        checks.Warning(
            f"{name} is not set, so production would run on an embedded server.",
            hint=hint,
            id="config.W001",
        )
        for name in ("DATABASE_URL", "REDIS_URL")
        if settings.IS_EMBEDDED and not env.text(name)
    ]

"""The app of the site as a whole: its system checks, and what forms say of a choice that is gone."""

from django import forms
from django.apps import AppConfig

NOT_OFFERED = "What was chosen here is not offered, or no longer. Choose again."
CHOICES = (
    forms.ChoiceField,
    forms.MultipleChoiceField,
    forms.ModelChoiceField,
    forms.ModelMultipleChoiceField,
)

# Before any form is made. What can be chosen may change while a page is open.
for _field in CHOICES:
    _field.default_error_messages = {**_field.default_error_messages, "invalid_choice": NOT_OFFERED}


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        import config.checks  # noqa: F401, PLC0415 - registers the system checks

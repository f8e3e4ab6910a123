"""Forms for signing in, signing up and for one's own account."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    SetPasswordForm,
    UserCreationForm,
)
from django.forms.models import model_to_dict
from django.http import HttpRequest, QueryDict

from accounts import throttle
from accounts.keys import KEYS, USUAL, fault_of, keys_of, shared
from accounts.models import User
from cleverdon.trec.names import tidy

NEW_HELP = "At least 8 characters; not a common password, and not like your name or address."
NO_MATCH = "This username and password do not belong together. Capitals count in the password."
USERNAME_HELP = "For signing in: letters, digits and @ . + - _"
EMAIL_HELP = "Organizers of your campaigns see it, nobody else."


def ask_twice(password: forms.Field, again: forms.Field) -> None:
    """Explain a new password in one sentence; its rules are in the settings."""
    password.help_text = NEW_HELP
    again.label, again.help_text = "The same password again", ""


class SignInForm(throttle.Throttled, AuthenticationForm):
    """Signing in; the answer is the same for an unknown name."""

    error_messages = {**AuthenticationForm.error_messages, "invalid_login": NO_MATCH}

    def clean(self) -> dict[str, Any]:
        request, name = self.request, self.cleaned_data.get("username")
        if request is None or name is None or not self.cleaned_data.get("password"):
            return super().clean()
        attempt = self.attempt(request, name)
        cleaned = super().clean()
        throttle.succeeded(attempt)
        return cleaned


class StaffSignInForm(SignInForm, AdminAuthenticationForm):
    """Signing in to the admin pages."""


class WithName:
    """Keeps the names of a person in one form, so that they are found as they look."""

    cleaned_data: dict[str, Any]

    def clean_first_name(self) -> str:
        return tidy(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        return tidy(self.cleaned_data["last_name"])


class SignUpForm(WithName, UserCreationForm[User]):
    """The account of a new person with an invitation."""

    class Meta:
        model = User
        fields = ["username", "first_name", "last_name", "email"]
        help_texts = {"username": USERNAME_HELP, "email": EMAIL_HELP}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        ask_twice(self.fields["password1"], self.fields["password2"])

    def _get_validation_exclusions(self) -> set[str]:
        # `clean_username` has looked, and saving refuses a name taken since (`NameTaken`). A look
        # in between would find it twice, and tell the person the name of the constraint.
        excluded = super()._get_validation_exclusions()  # type: ignore[misc]  # not in the stubs
        return {*excluded, "username"}


class AccountForm(WithName, forms.ModelForm[User]):
    """One's own name and address. Only changed fields are saved: another tab may have the rest."""

    class Meta:
        model = User
        fields = ["first_name", "last_name", "email"]
        help_texts = {"email": EMAIL_HELP}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for field in self.fields.values():
            field.show_hidden_initial = True

    def changes(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}


class ReadingForm(forms.ModelForm[User]):
    """The type of documents for oneself. Fields not sent stay as they are."""

    class Meta:
        model = User
        fields = ["reading_size", "reading_width", "reading_face"]

    def __init__(self, data: QueryDict | None = None, *, instance: User) -> None:
        present = model_to_dict(instance, self.Meta.fields)
        sent = None if data is None else {**present, **data.dict()}
        super().__init__(sent, instance=instance)

    def changes(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}


AS_TYPED = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class KeysForm(forms.Form):
    """The keys of judging. Only changed fields are saved."""

    single_key_shortcuts = forms.BooleanField(
        label="Judge with single keys",
        required=False,
        show_hidden_initial=True,
        help_text="Grades and the other acts of judging have a key each.",
    )

    def __init__(self, data: QueryDict | None = None, *, instance: User) -> None:
        shown = {**instance.keys, "single_key_shortcuts": instance.single_key_shortcuts}
        super().__init__(data, initial=shown)
        self.chosen = dict(instance.chosen_keys)
        for key in KEYS:
            self.fields[key.name] = forms.CharField(
                label=key.does.partition(":")[0],
                help_text=f"Usually {key.usual}." if shown[key.name] != key.usual else "",
                max_length=1,
                show_hidden_initial=True,
                strip=False,
                widget=forms.TextInput(AS_TYPED),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in USUAL.keys() & set(self.changed_data) & cleaned.keys():
            cleaned[name] = cleaned[name].lower()
            if fault := fault_of(cleaned[name]):
                self.add_error(name, fault)
        for key, names in shared(keys_of(self._chosen(cleaned))).items():
            changed = [name for name in names if name in self.changed_data]
            for name in changed or names:
                self.add_error(name, f"More than one act would have the key {key}.")
        return cleaned

    def _chosen(self, cleaned: Mapping[str, Any]) -> dict[str, str]:
        """Return the keys that are not the usual ones, with the changes of this form."""
        changed = {
            name: cleaned[name] for name in self.changed_data if name in USUAL and name in cleaned
        }
        keys = {**self.chosen, **changed}
        return {name: key for name, key in keys.items() if USUAL.get(name, key) != key}

    def changes(self) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        if "single_key_shortcuts" in self.changed_data:
            changes["single_key_shortcuts"] = self.cleaned_data["single_key_shortcuts"]
        chosen = self._chosen(self.cleaned_data)
        return {**changes, "chosen_keys": chosen} if chosen != self.chosen else changes


class OwnPasswordForm(throttle.Throttled, PasswordChangeForm):
    """A new password, after the old one, with the limits of signing in."""

    def __init__(self, user: User, *, request: HttpRequest, **options: Any) -> None:
        super().__init__(user, **options)
        self.request = request
        ask_twice(self.fields["new_password1"], self.fields["new_password2"])

    def clean_old_password(self) -> str:
        attempt = self.attempt(self.request, self.user.username)
        old: str = super().clean_old_password()
        throttle.succeeded(attempt)
        return old


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # not generic at run time
    """A new password for a person with a reset link."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        ask_twice(self.fields["new_password1"], self.fields["new_password2"])

"""Forms for signing in, signing up and for one's own profile."""

from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.template.defaultfilters import pluralize

from accounts import throttle
from accounts.models import SignInAttempt, User


class SignInForm(AuthenticationForm):
    """Signing in, a limited number of times. What it says and does is the same for a name that nobody has."""

    minutes_to_wait = 0

    def clean(self) -> dict[str, Any]:
        request, name = self.request, self.cleaned_data.get("username")
        if request is None or name is None or not self.cleaned_data.get("password"):
            return super().clean()
        made = throttle.attempt(request, name)
        if not isinstance(made, SignInAttempt):
            self.minutes_to_wait = made
            raise forms.ValidationError(
                f"Too many attempts to sign in have failed. Try again in {made} minute{pluralize(made)}."
            )
        cleaned = super().clean()
        throttle.succeeded(made)
        return cleaned


class StaffSignInForm(SignInForm, AdminAuthenticationForm):
    """Signing in to the admin pages."""


class SignUpForm(BaseUserCreationForm[User]):
    """The account of a new person who follows an invitation."""

    class Meta:
        model = User
        fields = ["username", "first_name", "last_name", "email"]


class ProfileForm(forms.ModelForm[User]):
    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "single_key_shortcuts"]

"""Forms for signing up and for one's own profile."""

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm

from accounts.models import User


class SignUpForm(BaseUserCreationForm[User]):
    """The account of a new person who follows an invitation."""

    class Meta:
        model = User
        fields = ["username", "first_name", "last_name", "email"]


class ProfileForm(forms.ModelForm[User]):
    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "single_key_shortcuts"]

"""The form that makes an access token."""

from typing import Any
from uuid import uuid4

from django import forms

from accounts.models import User
from api.models import MOST_DAYS, AccessToken, Scope
from campaigns.models.campaign import Campaign
from cleverdon.trec.names import tidy

SCOPES = {
    Scope.READ: "Read: everything that your pages and files show you",
    Scope.SUBMIT: "Submit: upload runs for your team, describe and withdraw them",
    Scope.JUDGE: "Judge: record judgments on the topics assigned to you",
    Scope.ORGANIZE: "Organize: change the campaigns that you organize",
}
WHICH = "This page does not say which form it is: open it again."
DAYS = [(days, f"{days} days") for days in (30, 90, MOST_DAYS)]


class TokenForm(forms.Form):
    """What a token is for. The hidden id keeps a page that is loaded again from making another."""

    name = forms.CharField(
        max_length=AccessToken._meta.get_field("name").max_length,
        help_text="What will use it, so that you know it in the list.",
    )
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=SCOPES.items(),
        initial=[Scope.READ],
        help_text="Whatever else it may, it may read.",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one thing that it may do."},
    )
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label="all campaigns that you are in",
    )
    days = forms.TypedChoiceField(label="It ends after", choices=DAYS, coerce=int, initial=90)
    client_id = forms.UUIDField(
        initial=uuid4,
        widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid"), WHICH),
    )

    def __init__(self, user: User, **sent: Any) -> None:
        super().__init__(**sent)
        campaigns = Campaign.objects.filter(membership__user=user).distinct().order_by("name")
        self.fields["campaign"].queryset = campaigns  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        return tidy(self.cleaned_data["name"])

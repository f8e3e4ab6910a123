"""What people may send to invite somebody."""

from django import forms

from campaigns.models import Role


class InvitationForm(forms.Form):
    """The role that a link gives, and the team of a participant."""

    role = forms.ChoiceField(choices=Role.choices)
    team_name = forms.CharField(
        required=False, max_length=60, label="team", help_text="For participants."
    )

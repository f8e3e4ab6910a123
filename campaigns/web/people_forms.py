"""Forms for invitations and teams."""

from django import forms

from accounts.fields import SeenField
from campaigns.models.people import TEAM_GONE, Invitation, Role, Team
from campaigns.services.people import INVITATION_DAYS
from campaigns.web.editing import EditingForm

# The most frequent role comes first, the most powerful one last.
ROLES = [Role.ASSESSOR, Role.PARTICIPANT, Role.ORGANIZER]
MOST_DAYS = 366


class InvitationForm(forms.Form):
    """The role that a link gives, and how often and how long it can be followed."""

    role = forms.ChoiceField(
        choices=[(role.value, role.label) for role in ROLES], initial=Role.ASSESSOR
    )
    team_name = forms.CharField(
        required=False,
        max_length=60,
        label="team",
        help_text="For participants: a new team, or one that is there.",
        widget=forms.TextInput(attrs={"list": "teams", "autocomplete": "off"}),
    )
    name = forms.CharField(
        required=False,
        max_length=60,
        label="for whom",
        help_text="Shown in your list of links only.",
    )
    max_uses = forms.IntegerField(
        min_value=1,
        max_value=Invitation.MOST_USES,
        initial=1,
        label="number of people",
        help_text="How many may join by it.",
    )
    days = forms.IntegerField(
        min_value=1, max_value=MOST_DAYS, initial=INVITATION_DAYS, label="valid for, in days"
    )


class TeamNameForm(forms.Form):
    name = forms.CharField(max_length=60, label="name of the team")


class RenamingForm(EditingForm[Team]):
    class Meta:
        model = Team
        fields = ["name"]
        labels = {"name": "name of the team"}


class MergeForm(forms.Form):
    """Asks into which team another one is merged."""

    into = forms.ModelChoiceField(
        Team.objects.none(),
        label="team",
        empty_label="Choose a team",
        error_messages={"invalid_choice": TEAM_GONE},
    )
    seen = SeenField()

    def __init__(self, *arguments: object, team: Team, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        others = Team.objects.to_merge_with(team)
        self.fields["into"].queryset = others  # type: ignore[attr-defined]

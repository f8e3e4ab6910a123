"""The form that extends one team's deadline."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from campaigns.access.windows import shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.web.merging import Merging
from campaigns.web.zones import Moment, MomentField, zone_shown
from runs.events import RunEvent


class ExtensionForm(Merging, forms.Form):
    """Extend one team's deadline, or take the extension back.

    The page sends its time zone, so that a change since is noticed.
    """

    kind = RunEvent.DEADLINE_EXTENDED
    team = forms.ModelChoiceField(queryset=Team.objects.none(), empty_label="Choose")
    closes_at = MomentField(
        required=False,
        label="may submit until",
        widget=Moment(),
        help_text="In the campaign's time zone. Empty takes the extension back.",
    )
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, *arguments: Any, campaign: Campaign, teams: Iterable[Team], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.follow(campaign.pk)
        self.campaign = campaign
        extended = {str(each.pk): each.submission_closes_at for each in teams}
        choices = Team.objects.filter(campaign=campaign, is_baseline=False).in_order()
        self.fields["team"].queryset = choices  # type: ignore[attr-defined]
        self.fields["times_are_in"].initial = campaign.time_zone
        chosen, self.stored = str(self.data.get("team", "")), {}
        if chosen in extended:
            self.trail = self.trail.filter(detail__team=int(chosen))
            self.stored["closes_at"] = extended[chosen]

    def clean(self) -> dict[str, Any]:
        zone = zone_shown(self.data, self.campaign)
        at = self.cleaned_data.get("closes_at")
        cleaned = super().clean()
        if at and zone.key != self.campaign.time_zone:
            self.add_error("closes_at", self._other_zone(at, zone))
        return cleaned

    def _other_zone(self, at: datetime, zone: ZoneInfo) -> str:
        """Put the moment into the field in the campaign's new time zone; return the error."""
        now = self.campaign.zone
        local = at.astimezone(now).strftime(Moment().format or "")
        sent = self.data.dict()  # type: ignore[attr-defined]
        self.data = {**sent, "closes_at": local, "times_are_in": now.key}
        return (
            f"The campaign's time zone changed while you had the page open, to {now.key}. "
            f"Yours, {shown(self.campaign, at, zone)}, "
            f"is {shown(self.campaign, at)}, and stands in the field: "
            "save again if you mean that moment."
        )

    def shown(self, name: str, value: Any) -> str:
        return shown(self.campaign, value) if value else "no extension"

"""Forms that begin a round, and that correct the topics of one."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from accounts.fields import SeenField
from campaigns.core.spans import read_numbers, spans
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import Round
from campaigns.web.zones import Moment, MomentField

MOST_TEXT = 100_000  # characters of a list of topics


class TopicsForm(forms.Form):
    """The topics of a round."""

    topics = forms.CharField(
        required=False,
        max_length=MOST_TEXT,
        help_text="Numbers or spans such as 31-35, with blanks between; empty for all topics.",
    )
    seen = SeenField(required=True)

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign

    @classmethod
    def of(cls, row: Round) -> "TopicsForm":
        """Return the form with the topics that a round has."""
        initial = {"topics": spans(row.topics)}
        options = {"campaign": row.campaign, "auto_id": f"round-{row.number}-%s"}
        return cls(initial=initial, **cast("dict[str, Any]", options))

    def clean_topics(self) -> Sequence[str]:
        known = list(self.campaign.topic_set.values_list("number", flat=True))
        try:
            return read_numbers(self.cleaned_data["topics"], known)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class RoundForm(TopicsForm):
    """The next round: its topics, and when its runs are taken."""

    submission_opens_at = MomentField(required=False, widget=Moment())
    submission_closes_at = MomentField(
        required=False, widget=Moment(), help_text="Its deadline. An empty date sets no limit."
    )
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, campaign=campaign, **options)
        self.fields["times_are_in"].initial = campaign.time_zone

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # Read by the clock of the page, which may no longer be that of the campaign.
        cleaned.pop("times_are_in", None)
        return cleaned

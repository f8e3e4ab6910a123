"""Forms for assigning topics, and changing who judges what."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms

from accounts.forms import PersonField, QuickNumber, QuickSelect
from accounts.models import BY_NAME, User
from assess.access.answers import MAX_DOCNO_LENGTH
from assess.access.assigning import assessors_of
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from campaigns.web.merging import Merging, last_actor
from collection.models.texts import Topic

MAX_TITLE = 60  # characters
MAX_LIMIT = 2**31 - 1  # the most the column holds


class TopicField(forms.ModelChoiceField[Topic]):
    widget = QuickSelect

    def label_from_instance(self, topic: Topic) -> str:
        title = topic.title if len(topic.title) <= MAX_TITLE else f"{topic.title[:MAX_TITLE]}…"
        return f"{topic.number} {title}".strip()


class AssignmentForm(forms.Form):
    topic = TopicField(Topic.objects.none(), empty_label="Choose")
    kind = forms.ChoiceField(
        choices=[(kind, kind.label) for kind in Assignment.DEALT_KINDS], label="as"
    )
    assessor = PersonField(User.objects.none())
    share = forms.IntegerField(
        min_value=1,
        max_value=100,
        initial=100,
        label="share the second assessor judges, %",
        help_text="A primary assessor judges every document of the topic.",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assessors = assessors_of(campaign).order_by(*BY_NAME)
        topics = campaign.topic_set.defer("description", "narrative")
        self.fields["topic"].queryset = topics  # type: ignore[attr-defined]
        self.fields["assessor"].queryset = assessors  # type: ignore[attr-defined]

    @property
    def chosen_topic(self) -> Topic | None:
        """The topic chosen so far, also in a form that is refused or not sent yet."""
        try:
            found: Topic | None = self.fields["topic"].clean(self["topic"].value())
        except forms.ValidationError:
            return None
        return found

    def offer(self, refused: Mapping[int, str], notes: Mapping[int, str]) -> None:
        """Say who cannot take it, and what is to be known of the others."""
        cast("PersonField", self.fields["assessor"]).mark(refused, notes)


class DistributionForm(forms.Form):
    """Assign all topics at once. The fingerprint is that of the plan that was shown."""

    second_percent = forms.IntegerField(
        min_value=0,
        max_value=100,
        initial=25,
        label="judged twice, in percent",
        help_text="The share of each topic's documents that a second assessor judges too, blind.",
    )
    fingerprint = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class LimitsForm(Merging, forms.Form):
    """The most documents that automatic assignment gives to each assessor; a field for each."""

    def __init__(
        self, *arguments: Any, campaign: Campaign, limits: Mapping[int, int | None], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign
        self.stored = {f"limit_{pk}": limit for pk, limit in limits.items()}
        for name, limit in self.stored.items():
            self.fields[name] = forms.IntegerField(
                required=False,
                min_value=0,
                max_value=MAX_LIMIT,
                initial=limit,
                label="at most",
                widget=QuickNumber,
            )

    def limits(self) -> dict[int, int | None]:
        return {_assessor(name): limit for name, limit in self.changes().items()}

    def changed_by(self, name: str) -> str:
        kind, assessor = AssessEvent.LIMITS_CHANGED, str(_assessor(name))
        return last_actor(self.campaign, kind, detail__assessors__has_key=assessor)

    def shown(self, name: str, value: Any) -> str:
        return "no limit" if value is None else f"{value:,}"


def _assessor(name: str) -> int:
    return int(name.removeprefix("limit_"))


class HandOverForm(forms.Form):
    """Who gets an assignment, and who had it when the page was made."""

    assessor = PersonField(User.objects.none())
    seen_holder = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *arguments: Any, assessors: Iterable[User], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["assessor"].queryset = assessors  # type: ignore[attr-defined]

    def offer(self, refused: Mapping[int, str], notes: Mapping[int, str]) -> None:
        """Say who cannot take it, and what is to be known of the others."""
        field = cast("PersonField", self.fields["assessor"])
        field.mark(refused, notes)


class TakeBackForm(forms.Form):
    """Who had the assignment when the page was made."""

    seen_holder = forms.IntegerField(widget=forms.HiddenInput)


class ResetForm(forms.Form):
    """How much had been changed in the assignment when the page was made."""

    seen_changes = forms.IntegerField(widget=forms.HiddenInput)


class RestoreForm(forms.Form):
    """When the judgments were set aside that are to come back."""

    set_aside_at = forms.DateTimeField(widget=forms.HiddenInput)


class ReopenEarlierForm(forms.Form):
    seen = forms.CharField(max_length=64)


class ReopenForm(forms.Form):
    """The document to be judged again, or all decided ones, of which the page showed changes."""

    seen_changes = forms.IntegerField(required=False, widget=forms.HiddenInput)
    docno = forms.CharField(required=False, max_length=MAX_DOCNO_LENGTH, widget=forms.HiddenInput)

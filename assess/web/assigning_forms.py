"""Forms for assigning topics and changing who judges what, and pages with several of them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.db.models import QuerySet

from accounts.access import Refused
from accounts.fields import PersonField, QuickNumber, QuickSelect, SeenField, SeenForm
from accounts.models import BY_NAME, User
from accounts.pages import UserRequest
from assess.access.answers import MAX_DOCNO_LENGTH
from assess.access.assigning import assessors_of
from assess.models.assigning import Assignment
from assess.planning import Takers, people_of
from assess.services.handover import MAX_REASON
from campaigns.models.campaign import Campaign
from campaigns.web.editing import Editing
from campaigns.web.frame import sentences
from collection.models.texts import Topic
from pooling.core.statistics import SECOND_PERCENT

MAX_TITLE = 60  # characters
MAX_LIMIT = 2**31 - 1  # the most the column holds
MAX_DOCUMENTS = 1_000_000  # of a topic


class TopicField(forms.ModelChoiceField[Topic]):
    widget = QuickSelect

    def label_from_instance(self, topic: Topic) -> str:
        title = topic.title if len(topic.title) <= MAX_TITLE else f"{topic.title[:MAX_TITLE]}…"
        return f"{topic.number} {title}".strip()


class OfCampaign(forms.Form):
    """A form with a topic and an assessor of a campaign."""

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assessors = assessors_of(campaign).order_by(*BY_NAME)
        topics = campaign.topic_set.defer("description", "narrative")
        self.fields["topic"].queryset = topics  # type: ignore[attr-defined]
        self.fields["assessor"].queryset = assessors  # type: ignore[attr-defined]


class SampleFields(forms.Form):
    """What is judged twice of a topic, beside the field of a share in percent."""

    documents = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_DOCUMENTS,
        label="or so many documents",
        help_text="Of each topic, in place of a share.",
    )
    by_grade = forms.BooleanField(
        required=False,
        label="as many of each first grade",
        help_text="Once the primary assessor is done. Agreement then weighs each document.",
    )


class AssignmentForm(OfCampaign, SampleFields):
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

    field_order = ("topic", "kind", "assessor", "share", "documents", "by_grade")

    @property
    def chosen_topic(self) -> Topic | None:
        """The topic chosen so far, even in a form that was refused or not sent yet."""
        try:
            found: Topic | None = self.fields["topic"].clean(self["topic"].value())
        except forms.ValidationError:
            return None
        return found


class AdjudicationForm(OfCampaign):
    assessor = PersonField(User.objects.none(), label="adjudicator")
    least_steps = forms.TypedChoiceField(coerce=int, label="documents whose grades are")
    topic = TopicField(
        Topic.objects.none(), required=False, empty_label="All that nobody adjudicates yet"
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, campaign=campaign, **options)
        most = len(campaign.scale.grades) - 1
        self.fields["least_steps"].choices = [  # type: ignore[attr-defined]
            (n, "different" if n == 1 else f"{n} or more steps apart") for n in range(1, most + 1)
        ]


def offer(form: forms.Form, takers: Takers) -> None:
    """Say who cannot take a topic, and what is to be known of the others."""
    cast("PersonField", form.fields["assessor"]).mark(takers.refused, takers.notes)


class DistributionForm(SampleFields):
    """Assign all topics at once, by the plan that was shown."""

    second_percent = forms.IntegerField(
        min_value=0,
        max_value=100,
        initial=SECOND_PERCENT,
        label="judged twice, in percent",
        help_text="The share of each topic's documents that a second assessor judges too, blind.",
    )
    seen = SeenField()
    field_order = ("second_percent", "documents", "by_grade")

    def sample(self) -> dict[str, Any]:
        """Return what `distribute` takes of a valid form."""
        asked = self.cleaned_data
        return {
            "second_share": asked["second_percent"] / 100,
            "second_n": asked["documents"] or 0,
            "by_grade": asked["by_grade"],
        }


class LimitsForm(Editing, forms.Form):
    """The most documents that automatic assignment gives to each assessor; a field for each."""

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.people = people_of(campaign)
        self.stored = {f"limit_{each.id}": each.limit for each in self.people}
        for name, limit in self.stored.items():
            self.fields[name] = forms.IntegerField(
                required=False,
                min_value=0,
                max_value=MAX_LIMIT,
                initial=limit,
                label="at most",
                widget=QuickNumber,
            )

    def changes(self) -> dict[str, Any]:
        return {name.removeprefix("limit_"): limit for name, limit in super().changes().items()}

    def shown(self, name: str, value: Any) -> str:
        return "no limit" if value is None else f"{value:,}"


class OfAssessors(forms.Form):
    """A form whose field `chooses` among the assessors of a campaign."""

    chooses = "assessor"

    def __init__(self, *arguments: Any, assessors: QuerySet[User], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields[self.chooses].queryset = assessors  # type: ignore[attr-defined]


class HandOverForm(OfAssessors, SeenForm):
    """Who gets an assignment."""

    assessor = PersonField(User.objects.none())


class SampleForm(SeenForm):
    """How many documents more a second assessor judges."""

    n = forms.IntegerField(min_value=1, max_value=MAX_LIMIT, label="documents more", initial=10)
    by_grade = forms.BooleanField(
        required=False,
        label="as many of each first grade",
        help_text="Once the primary assessor is done. Agreement then weighs each document.",
    )


class GiveUpForm(SeenForm):
    """Why nobody is to judge what waits for a second person."""

    reason = forms.CharField(max_length=MAX_REASON, label="why nobody is to judge it")


class RestoreForm(forms.Form):
    """When the judgments were set aside that are to come back."""

    set_aside_at = forms.DateTimeField(widget=forms.HiddenInput)


class ReopenForm(forms.Form):
    """The document to be judged again, or all decided ones."""

    seen = SeenField()
    docno = forms.CharField(required=False, max_length=MAX_DOCNO_LENGTH, widget=forms.HiddenInput)


class PageAct(NamedTuple):
    """An act of a page with several: its form, its service, and the message when it is done."""

    form: type[forms.Form]
    service: Callable[..., Any]
    done: Callable[[Any], str]


def act_sent(
    request: UserRequest, campaign: Campaign, acts: Mapping[str, PageAct], **subject: Any
) -> None:
    """Do the act that a page of a subject sent; Refused if it cannot be done."""
    act = acts.get(request.POST.get("act", ""))
    if act is None:
        raise Refused("The page is out of date: load it again.")
    people: dict[str, Any] = {}
    if issubclass(act.form, OfAssessors):
        people["assessors"] = assessors_of(campaign)
    form = act.form(request.POST, **people)
    if not form.is_valid():
        raise Refused(sentences(form))
    outcome = act.service(user=request.user, **subject, **form.cleaned_data)
    messages.success(request, act.done(outcome))

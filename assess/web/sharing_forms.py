"""Forms for sharing topics, and changing how."""

from typing import Any

from django import forms

from accounts.fields import SeenForm
from accounts.models import BY_NAME, User
from assess.access.assigning import assessors_of
from assess.access.sharing import (
    HOW_LONG_LENT,
    HOW_MANY_WANTED,
    LEAST_MINUTES,
    MOST_MINUTES,
    MOST_WANTED,
    why_not_share,
)
from assess.web.assigning_forms import OfAssessors
from campaigns.core.spans import read_numbers
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool

MINUTES_HELP = "After that, others can have what was not judged."
WHICH_TOPICS = "Say which topics."
MAX_NUMBERS = 100_000  # characters


class PeopleField(forms.ModelMultipleChoiceField[User]):
    """Any number of people: a full name alone may be two people's."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, person: User) -> str:
        return person.label


WRONG_NUMBER = ("required", "invalid", "min_value", "max_value")


class TermsForm(forms.Form):
    n_wanted = forms.IntegerField(
        min_value=1,
        max_value=MOST_WANTED,
        initial=3,
        label="judgments of each document",
        error_messages=dict.fromkeys(WRONG_NUMBER, HOW_MANY_WANTED),
    )
    lease_minutes = forms.IntegerField(
        min_value=LEAST_MINUTES,
        max_value=MOST_MINUTES,
        initial=60,
        label="lent for, in minutes",
        help_text=MINUTES_HELP,
        error_messages=dict.fromkeys(WRONG_NUMBER, HOW_LONG_LENT),
    )


class ShareForm(TermsForm):
    """Share topics among a group; initially all topics without an assessor, and all assessors."""

    field_order = ("topics", "n_wanted", "assessors", "lease_minutes")

    topics = forms.CharField(
        max_length=MAX_NUMBERS,
        strip=True,
        help_text="Numbers or spans such as 31-35, with spaces in between, or all.",
        error_messages={"required": WHICH_TOPICS},
    )
    assessors = PeopleField(
        User.objects.none(), label="among", error_messages={"required": "Choose who is to judge."}
    )

    def __init__(self, *arguments: Any, campaign: Campaign, pool: Pool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign
        people = assessors_of(campaign).order_by(*BY_NAME)
        self.fields["assessors"].queryset = people  # type: ignore[attr-defined]
        pooled = campaign.topic_set.filter(pk__in=PoolEntry.objects.in_pool(pool).values("topic"))
        topics = list(pooled.only("campaign", "number"))
        taken = why_not_share(topics, pool)
        self.free = [topic.number for topic in topics if topic.pk not in taken]
        self.initial = {"topics": " ".join(self.free), "assessors": people, **self.initial}

    def clean_topics(self) -> list[Topic]:
        topics = {topic.number: topic for topic in self.campaign.topic_set.all()}
        try:
            numbers = read_numbers(self.cleaned_data["topics"], [*topics])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        if not numbers:
            raise forms.ValidationError(WHICH_TOPICS)
        return [topics[number] for number in numbers]


class ChangeSharingForm(SeenForm, TermsForm):
    """Change the terms."""


class JoinForm(OfAssessors):
    chooses = "assessors"
    assessors = PeopleField(
        User.objects.none(), label="assessors", error_messages={"required": "Choose somebody."}
    )

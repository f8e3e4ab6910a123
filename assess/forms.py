"""What may be sent by an assessor, and about assignments."""

from typing import Any

from django import forms

from accounts.models import User
from assess.models import Assignment, Judgment, JudgmentEvent
from campaigns.models import Campaign, Role, Topic


class JudgmentForm(forms.Form):
    """One act: a grade, *later*, or *cannot judge* with its reason."""

    docno = forms.CharField(max_length=255)
    act = forms.CharField(max_length=12)
    reason = forms.ChoiceField(choices=Judgment.Reason.choices, required=False)
    comment = forms.CharField(required=False, strip=True)
    client_id = forms.UUIDField()
    method = forms.ChoiceField(choices=JudgmentEvent.Method.choices, required=False)
    active_ms = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    away_ms = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def clean_act(self) -> str:
        act: str = self.cleaned_data["act"]
        if not act.isdecimal() and act not in {
            Judgment.State.LATER,
            Judgment.State.CANNOT_JUDGE,
        }:
            raise forms.ValidationError(
                "Give a grade, put the document off, or say that it cannot be judged."
            )
        return act

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("act") == Judgment.State.CANNOT_JUDGE and not cleaned.get(
            "reason"
        ):
            self.add_error("reason", "Say why the document cannot be judged.")
        return cleaned

    def values(self) -> dict[str, Any]:
        """Return the act in the terms of the service."""
        cleaned = self.cleaned_data
        act = cleaned["act"]
        return {
            "docno": cleaned["docno"],
            "state": Judgment.State.JUDGED if act.isdecimal() else act,
            "grade": int(act) if act.isdecimal() else None,
            "reason": cleaned["reason"] if act == Judgment.State.CANNOT_JUDGE else "",
            "comment": cleaned["comment"],
            "client_id": cleaned["client_id"],
            "method": cleaned["method"] or JudgmentEvent.Method.OTHER,
            "active_ms": cleaned["active_ms"] or 0,
            "away_ms": cleaned["away_ms"] or 0,
        }


class UndoForm(forms.Form):
    client_id = forms.UUIDField()


class AssignmentForm(forms.Form):
    """One topic to one assessor."""

    topic = forms.ModelChoiceField(Topic.objects.none())
    assessor = forms.ModelChoiceField(User.objects.none())
    kind = forms.ChoiceField(choices=Assignment.Kind.choices)
    share = forms.IntegerField(
        min_value=1,
        max_value=100,
        initial=100,
        label="share of the documents, in percent",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assessors = User.objects.filter(
            membership__campaign=campaign, membership__role=Role.ASSESSOR
        )
        self.fields["topic"].queryset = campaign.topic_set.all()  # type: ignore[attr-defined]
        self.fields["assessor"].queryset = assessors.order_by("username")  # type: ignore[attr-defined]


class DistributionForm(forms.Form):
    """All topics at once."""

    second_percent = forms.IntegerField(
        min_value=0,
        max_value=100,
        initial=25,
        label="judged twice, in percent",
        help_text="The share of each topic's documents that a second assessor judges too, blind.",
    )

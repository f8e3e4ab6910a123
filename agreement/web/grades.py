"""The page of one document's grades: what each said, what was official, and correcting that."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.fields import SeenForm
from accounts.pages import UserRequest, signed_in
from assess.access.judging import Judging
from assess.core.rules import CORRECTION
from assess.models.disputes import disputes
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.presenting import present_version
from assess.services.correcting import MAX_REASON, correct, take_back_correction, version_of
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, page
from collection.models.items import Item
from collection.models.texts import Document, Topic


class CorrectionForm(SeenForm):
    grade = forms.TypedChoiceField(coerce=int)
    reason = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 2}),
        max_length=MAX_REASON,
        help_text="Stays on record beside the grade, in the file of official grades too.",
    )

    def __init__(self, *arguments: Any, grades: dict[int, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        choices = [(value, f"{value} {label}") for value, label in grades.items()]
        self.fields["grade"].choices = choices  # type: ignore[attr-defined]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def grades(request: UserRequest, slug: str, pk: int, docno: str) -> HttpResponse:
    """Show the grades of a document for a topic, and correct the official one."""
    campaign = guarded(request, slug, Judging.see)
    topic = get_object_or_404(campaign.topic_set, pk=pk)
    item = get_object_or_404(Item, topic=topic, key=docno)
    scale = campaign.graded_by[item.kind].fixed
    form = CorrectionForm(request.POST or None, grades=scale)
    if request.method == "POST" and (said := _acted(request, form, topic, docno)):
        messages.success(request, said)
        return redirect("agreement:grades", slug, pk, docno)
    of_item = {"topic": topic, "docno": docno}
    context = {"form": form, **of_item, **_shown(campaign, item)}
    return page(request, "agreement/grades.html", campaign, "agreement", **context)


def _acted(request: UserRequest, form: CorrectionForm, topic: Topic, docno: str) -> str:
    """Do what was sent, and say what is so now; "" where the form says why it was refused."""
    if "take_back" in request.POST:
        seen = request.POST.get("seen")
        take_back_correction(user=request.user, topic=topic, docno=docno, seen=seen)
        return f"The correction of {docno} is taken back."
    act = partial(correct, user=request.user, topic=topic, docno=docno)
    if form.is_valid() and done(form, partial(act, **form.cleaned_data)):
        return f"{docno} officially has grade {form.cleaned_data['grade']} now."
    return ""


def _shown(campaign: Campaign, item: Item) -> dict[str, Any]:
    past = OfficialGrade.objects.filter(item=item).select_related("by").order_by("-since")
    official = past.filter(until=None).first()
    differs = [] if official else disputes(campaign, [item.topic_id], items=[item.pk])
    judgments = Judgment.objects.counting().current().filter(item=item)
    judgments = judgments.annotate(present=present_version())
    events = JudgmentEvent.objects.counting().filter(judgment__item=item)
    title = Document.objects.filter(campaign=campaign).titles([item.key]).get(item.key)
    return {
        "official": official,
        "is_tied": any(each.is_tied for each in differs),
        "seen": version_of(official) if official else "",
        "is_corrected": official is not None and official.rule == CORRECTION,
        "past": past,
        "judgments": judgments.select_related("assessor", "assignment").order_by("pk"),
        "events": events.select_related("judgment__assessor", "by"),
        "title": title or item.key,
    }

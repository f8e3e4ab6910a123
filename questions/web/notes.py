"""An assessor's note on a topic, from the judging page or a page of its own."""

from typing import Any

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, signed_in
from assess.models.assigning import Assignment
from assess.web.own import own_topic
from assess.web.records import table_of
from campaigns.web.frame import check_is_of_the_state, page, sentences
from questions.access import NoteChanged, Notes
from questions.core import Note
from questions.models import TopicNote
from questions.services import NOTES, save_note


class NoteForm(forms.Form):
    """A note, as it was typed, and the version of it that the page had."""

    text = forms.CharField(
        label="How I read this topic",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    difficulty = forms.ChoiceField(
        label="How hard it is to judge",
        required=False,
        choices=[("", "not said"), *TopicNote.Difficulty.choices],
    )
    remark = forms.CharField(label="What makes it so", required=False, strip=False)
    note_version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def note(self) -> Note:
        cleaned = self.cleaned_data
        text = cleaned["text"].replace("\r\n", "\n")
        return Note(text, cleaned["difficulty"], cleaned["remark"])


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show and save the assessor's note on the topic; answer the judging page in JSON."""
    assignment = own_topic(request, slug, pk)
    if request.method != "POST":
        return _page(request, assignment, _form_of(assignment, request))
    form = NoteForm(request.POST)
    try:
        saved = _saved(request, assignment, form)
    except Refused as refusal:
        check_is_of_the_state(refusal)
        return _not_saved(request, assignment, form, refusal)
    if request.htmx:
        return JsonResponse(_as_now(saved))
    return redirect("desk:judge_page", slug, pk)


def _saved(request: UserRequest, assignment: Assignment, form: NoteForm) -> TopicNote:
    if not form.is_valid():
        raise Refused(sentences(form))
    return save_note(
        assessor=request.user,
        pk=assignment.pk,
        note=form.note(),
        version=form.cleaned_data["note_version"],
    )


def _as_now(note: TopicNote) -> dict[str, Any]:
    return {**note.note._asdict(), "version": note.version, "at": note.changed_at}


def _not_saved(
    request: UserRequest, assignment: Assignment, form: NoteForm, refusal: Refused
) -> HttpResponse:
    """Show the refusal and what was typed, and the note as it was changed elsewhere."""
    now = refusal.now if isinstance(refusal, NoteChanged) else None
    if request.htmx:
        answer = {"refused": str(refusal), "now": now and _as_now(now)}
        return JsonResponse(answer, status=refusal.status)
    if now:  # the page shows that note, so the next one sent has seen it
        form = NoteForm({**request.POST.dict(), "note_version": now.version})
    return _page(request, assignment, form, refusal=str(refusal), now=now)


def _form_of(assignment: Assignment, request: UserRequest) -> NoteForm:
    saved = TopicNote.objects.of(assignment.topic, request.user)
    return NoteForm(initial={**saved.note._asdict(), "note_version": saved.version})


def _page(
    request: UserRequest, assignment: Assignment, form: NoteForm, **context: Any
) -> HttpResponse:
    context["assignment"], context["form"] = assignment, form
    context["closed"] = why_not(Notes.save, request.user, assignment)
    campaign = assignment.topic.campaign
    return page(request, "questions/note.html", campaign, "judging", **context)


notes_file = table_of(NOTES)

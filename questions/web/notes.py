"""An assessor's note on a topic: saved as it is typed, by the judging page, or by a page of its own."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, signed_in
from assess.access.judging import check_can_judge
from assess.models.assigning import Assignment
from assess.web.own import own_assignment
from assess.web.records import file_of
from campaigns.web.frame import check_is_of_the_state, page, sentences
from questions.access.notes import NoteChanged
from questions.models.notes import TopicNote
from questions.services import notes
from questions.web.note_forms import NoteForm


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show the assessor's note on the topic, and save it. The judging page is answered in JSON."""
    assignment = own_assignment(request, slug, pk)
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
    return notes.save_note(
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
    """Say why, and what the note is where it was changed elsewhere; what was typed stays on the page."""
    now = refusal.now if isinstance(refusal, NoteChanged) else None
    if request.htmx:
        said = {"refused": str(refusal), "now": now and _as_now(now)}
        return JsonResponse(said, status=refusal.status)
    if now:  # what is sent next has been written beside what is there now
        form = NoteForm({**request.POST.dict(), "note_version": now.version})
    return _page(request, assignment, form, refusal=str(refusal), now=now)


def _form_of(assignment: Assignment, request: UserRequest) -> NoteForm:
    saved = TopicNote.objects.of(assignment.topic, request.user)
    return NoteForm(initial={**saved.note._asdict(), "note_version": saved.version})


def _page(
    request: UserRequest, assignment: Assignment, form: NoteForm, **context: Any
) -> HttpResponse:
    context["assignment"], context["form"] = assignment, form
    context["closed"] = why_not(check_can_judge, request.user, assignment)
    campaign = assignment.topic.campaign
    return page(request, "questions/note.html", campaign, "judging", **context)


notes_file = file_of("notes.csv", notes.download_notes)

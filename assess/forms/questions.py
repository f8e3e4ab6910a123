"""Questions to the organizers, and their answers."""

from uuid import uuid4

from django import forms

from assess.models import Answering


class QuestionForm(forms.Form):
    """What is asked, about a document or, without a docno, about the topic. The id keeps it from being asked twice."""

    client_id = forms.UUIDField(
        error_messages={"required": "The question has no client_id.", "invalid": "A client_id is a UUID."},
        initial=uuid4,
        widget=forms.HiddenInput,
    )  # fmt: skip
    about = forms.CharField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label="Your question",
        error_messages={"required": "A question needs some words."},
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AnswerForm(forms.Form):
    """An answer, who is to read it, and the answer that stood on the page."""

    text = forms.CharField(
        label="Your answer",
        error_messages={"required": "An answer needs some words."},
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    audience = forms.ChoiceField(
        label="Who reads it",
        choices=Answering.Audience.choices,
        initial=Answering.Audience.ASKER,
        widget=forms.RadioSelect,
    )
    seen_answer = forms.IntegerField(required=False, widget=forms.HiddenInput)


class SeenForm(forms.Form):
    """Which answers somebody has seen, by id."""

    answers = forms.RegexField(r"^\d{1,18}( \d{1,18}){0,200}$", required=False)

    def ids(self) -> list[int]:
        return [int(each) for each in self.cleaned_data["answers"].split()]

"""Forms of questions to the organizers, and of their answers."""

from uuid import uuid4

from django import forms

from accounts.fields import SeenField
from questions.models.questions import Answering


class QuestionForm(forms.Form):
    """A question about a document or, without a docno, the topic; the id keeps it unique."""

    client_id = forms.UUIDField(
        error_messages={
            "required": "The question has no client_id.",
            "invalid": "A client_id is a UUID.",
        },
        initial=uuid4,
        widget=forms.HiddenInput,
    )
    about = forms.CharField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label="Your question",
        error_messages={"required": "A question needs some words."},
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AnswerForm(forms.Form):
    """An answer and its audience."""

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
    seen = SeenField()


class AnswersSeenForm(forms.Form):
    """The ids of answers that somebody has seen."""

    answers = forms.RegexField(r"^\d{1,18}( \d{1,18}){0,200}$", required=False)

    def ids(self) -> list[int]:
        return [int(each) for each in self.cleaned_data["answers"].split()]

"""A note on a topic."""

from django import forms

from questions.core.notes import Note
from questions.models.notes import TopicNote


class NoteForm(forms.Form):
    """What is noted, and on which version of the note the page rests."""

    text = forms.CharField(
        label="How I read this topic", required=False, widget=forms.Textarea(attrs={"rows": 6})
    )
    difficulty = forms.ChoiceField(
        label="How hard it is to judge",
        required=False,
        choices=[("", "not said"), *TopicNote.Difficulty.choices],
    )
    remark = forms.CharField(label="What makes it so", required=False)
    note_version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def note(self) -> Note:
        """Return it as it is stored: lines end as they do in a field."""
        cleaned = self.cleaned_data
        text = cleaned["text"].replace("\r\n", "\n")
        return Note(text, cleaned["difficulty"], cleaned["remark"])

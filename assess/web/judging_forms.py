"""What the judging page and programs send of judgments: acts."""

import re
from typing import Any, NamedTuple

from django import forms

from accounts.access import Invalid, Refused
from assess.access.answers import NO_CLIENT_ID, NO_DOCNO
from assess.core.answers import Act, Answer, Provenance, Seen, with_grade
from assess.core.passages import Quoted
from assess.fields import marked, rated
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from cleverdon.trec.streams import readable

NO_TIME = {"invalid": "Times are whole numbers of milliseconds."}
NO_NUMBER = {"invalid": "A number is a whole number."}
NO_VERSION = {"invalid": "Versions are whole numbers."}
MOST_ACTS = 100
# Of a request: 50 acts, as many as the page sends, each with the longest comment and passages.
MOST_BYTES, MOST_VALUES = 8_000_000, 30_000
NOT_ACTS = f"Send JSON: a list of at most {MOST_ACTS} acts."
NO_ACT = "An act is an object with a client_id, a docno and a choice."
UNDO = "undo"


class ActForm(forms.Form):
    """An act of an assessor: `choice` is a grade, "later", "cannot_judge" or "undo".

    Only types are checked here; the service checks the rest. `after` is the act before it on the
    same document.
    """

    client_id = forms.UUIDField(
        error_messages={"required": NO_CLIENT_ID, "invalid": "A client_id is a UUID."}
    )
    method = forms.CharField(required=False)
    active_ms = forms.IntegerField(required=False, error_messages=NO_TIME)
    away_ms = forms.IntegerField(required=False, error_messages=NO_TIME)
    viewed_ms = forms.IntegerField(required=False, error_messages=NO_TIME)
    ago_ms = forms.IntegerField(required=False, error_messages=NO_TIME)
    docno = forms.CharField(error_messages={"required": NO_DOCNO})
    number = forms.IntegerField(required=False, error_messages=NO_NUMBER)
    choice = forms.CharField(required=False)
    reason = forms.CharField(required=False)
    comment = forms.CharField(required=False, strip=False)  # the page compares it with its own
    # Objects as JSON has them.
    ratings = forms.Field(required=False)
    passages = forms.Field(required=False)
    # What the page showed; see `Seen`.
    document_version = forms.IntegerField(required=False, error_messages=NO_VERSION)
    topic_version = forms.IntegerField(required=False, error_messages=NO_VERSION)
    scale = forms.CharField(required=False)
    change = forms.IntegerField(required=False, error_messages=NO_VERSION)
    opinions = forms.CharField(required=False, max_length=64)
    after = forms.UUIDField(required=False)

    def clean_ratings(self) -> dict[str, int]:
        return rated(self.cleaned_data["ratings"])

    def clean_passages(self) -> tuple[Quoted, ...]:
        return marked(self.cleaned_data["passages"])

    def act(self) -> Act:
        cleaned = self.cleaned_data
        is_undo = cleaned["choice"] == UNDO
        undone = Answer(cleaned["docno"], Judgment.State.REOPENED)
        names = ("document_version", "topic_version", "change")
        texts = {name: cleaned[name] or None for name in ("scale", "opinions")}
        seen = Seen(**texts, **{name: cleaned[name] for name in names})
        return Act(
            undone if is_undo else self._answer(),
            self._provenance(),
            seen,
            cleaned["after"],
            is_undo,
            cleaned["number"],
        )

    def _provenance(self) -> Provenance:
        cleaned = self.cleaned_data
        return Provenance(
            client_id=cleaned["client_id"],
            method=cleaned["method"] or JudgmentEvent.Method.OTHER,
            active_ms=cleaned["active_ms"] or 0,
            away_ms=cleaned["away_ms"] or 0,
            viewed_ms=cleaned["viewed_ms"],
            ago_ms=cleaned["ago_ms"] or 0,
        )

    def _answer(self) -> Answer:
        cleaned = self.cleaned_data
        choice = cleaned["choice"]
        # A value is a whole number; which ones the item's criterion has, the service knows.
        is_grade = bool(re.fullmatch(r"-?\d{1,9}", choice))
        return Answer(
            docno=cleaned["docno"],
            state=Judgment.State.JUDGED if is_grade else choice,
            answers=with_grade(int(choice) if is_grade else None, cleaned["ratings"]),
            reason=cleaned["reason"],
            # The dialog has no comment field; the comment is then kept.
            comment=cleaned["comment"] if "comment" in self.data else None,
            passages=cleaned["passages"] if "passages" in self.data else None,
        )


class Sent(NamedTuple):
    """An act's id as the page wrote it, and the act or why it cannot be read."""

    id: str
    act: Act | None
    refusal: Refused | None = None


def acts_sent(rows: Any) -> list[Sent]:
    """Read the acts of a request. Invalid unless it is a list."""
    if not isinstance(rows, list) or len(rows) > MOST_ACTS:
        raise Invalid("", NOT_ACTS)
    return [_sent(each) for each in rows]


def _sent(fields: Any) -> Sent:
    if not isinstance(fields, dict):
        return Sent("", None, Refused(NO_ACT))
    client_id = str(fields.get("client_id", ""))
    if unknown := [name for name in fields if name not in ActForm.base_fields]:
        known = ", ".join(ActForm.base_fields)
        why = f"An act has no {readable(unknown[0])}. It has: {known}."
        return Sent(client_id, None, Refused(why))
    form = ActForm({name: value for name, value in fields.items() if value is not None})
    if not form.is_valid():
        return Sent(client_id, None, Refused(_misfits(form)))
    return Sent(client_id, form.act())


def _misfits(form: ActForm) -> str:
    """Join what does not fit; each sentence names its field."""
    found = [(name, str(each)) for name, errors in form.errors.items() for each in errors]
    return " ".join(each if name in each.lower() else f"{name}: {each}" for name, each in found)

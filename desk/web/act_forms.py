"""The acts that the judging page keeps and sends until they are saved."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms

from accounts.access import Refused
from assess.core.answers import Act, Answer
from assess.models.judging import Judgment
from assess.web.judging_forms import JudgmentForm
from campaigns.web.frame import sentences

MOST_ACTS = 100
NOT_ACTS = f"Send JSON: a list of at most {MOST_ACTS} acts."
UNDO = "undo"


class ActForm(JudgmentForm):
    """An answer, or the choice "undo"; `after` is the act before it on the same document."""

    after = forms.UUIDField(required=False)

    def act(self) -> Act:
        how, seen, after = self.provenance(), self.seen(), self.cleaned_data["after"]
        answer, number = self.answer(), self.cleaned_data["number"]
        if self.cleaned_data["choice"] == UNDO:
            undone = Answer(answer.docno, Judgment.State.REOPENED)
            return Act(undone, how, seen, after, is_undo=True, number=number)
        return Act(answer, how, seen, after, number=number)


class Sent(NamedTuple):
    """An act's id as the page wrote it, and the act or why it cannot be read."""

    id: str
    act: Act | None
    refusal: Refused | None = None


def acts_sent(body: bytes) -> list[Sent]:
    """Read the acts of a request. Refused unless it is a list of objects."""
    try:
        rows = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(NOT_ACTS) from error
    is_list = isinstance(rows, list) and all(isinstance(each, dict) for each in rows)
    if not is_list or len(rows) > MOST_ACTS:
        raise Refused(NOT_ACTS)
    return [_sent(each) for each in rows]


def _sent(fields: Mapping[str, Any]) -> Sent:
    client_id = str(fields.get("client_id", ""))
    form = ActForm({name: value for name, value in fields.items() if value is not None})
    if not form.is_valid():
        return Sent(client_id, None, Refused(sentences(form)))
    return Sent(client_id, form.act())

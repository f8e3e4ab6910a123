"""Criteria as rows with fields, a row for each answer; blank ones are left out."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst

from campaigns.access.campaign import fixed_criteria
from campaigns.core import criteria as asked
from campaigns.core.criteria import DOCUMENT, Criterion
from campaigns.core.grades import MAX_GRADE, MIN_GRADE, BadLevel, Grade
from campaigns.models.campaign import Campaign

PREFIX = "criteria"
BLANK_ROWS = 2  # to be filled in; the script offers them one by one
SEE_ROWS = "Some of it cannot be right: what is wrong stands beside it."  # in the summary alone
LEVEL_HELP = (
    "The lowest grade that counts as relevant. Qrels keep the one they were published with."
)
Sent = Mapping[str, Any]


def indexes_in(sent: Iterable[str], prefix: str) -> list[int]:
    """Return the numbers of the rows that were sent, in order."""
    found = (re.match(rf"{prefix}-(\d{{1,4}})-", name, re.ASCII) for name in sent)
    return sorted({int(each[1]) for each in found if each})


class Rows(forms.Widget):
    """Stands for all rows, which the template shows one by one."""

    def value_omitted_from_data(self, data: Sent, files: object, name: str) -> bool:
        return not indexes_in(data, name)


class Row(forms.Form):
    """A row of its own, which may stay blank."""

    def __init__(self, sent: Sent | None, prefix: str, initial: dict[str, Any] | None) -> None:
        super().__init__(
            sent, prefix=prefix, initial=initial, empty_permitted=True, use_required_attribute=False
        )


class AnswerForm(Row):
    """An answer. Its value and label stay as they are where judgments rely on them."""

    value = forms.IntegerField()
    label = forms.CharField(max_length=asked.MAX_LABEL_LENGTH)
    description = forms.CharField(max_length=asked.MAX_TEXT_LENGTH, required=False)

    def fit(self, lowest: int, fixed: Mapping[int, str]) -> None:
        self.fields["value"] = forms.IntegerField(min_value=lowest, max_value=MAX_GRADE)
        shown = str(self["value"].value()), self["label"].value()
        self.is_fixed = shown in {(str(value), label) for value, label in fixed.items()}
        for name, field in self.fields.items():
            if self.is_fixed and name != "description":
                field.widget = forms.HiddenInput()
            else:
                field.widget.attrs |= {"aria-label": name.capitalize(), "placeholder": name}


class CriterionForm(Row):
    """A criterion with a row for each answer; the first one of its kind gives the grade."""

    name = forms.CharField()
    question = forms.CharField(max_length=asked.MAX_TEXT_LENGTH)
    from_grade = forms.IntegerField(required=False, label="asked from grade")
    is_retired = forms.BooleanField(required=False, label="no longer asked")
    level = forms.IntegerField(label="relevant from grade", help_text=LEVEL_HELP)

    def __init__(self, at: int, stored: Criterion | None = None, sent: Sent | None = None) -> None:
        super().__init__(sent, f"{PREFIX}-{at}", vars(stored) if stored else None)
        choices = [(each, f"{each}s") for each in asked.KINDS]
        widget = forms.HiddenInput if len(choices) == 1 else forms.Select
        self.fields["kind"] = forms.ChoiceField(
            label="asked of", choices=choices, initial=DOCUMENT, widget=widget
        )
        answers = stored.answers if stored else ()
        at_row = f"{self.prefix}-answers"
        numbers = indexes_in(sent or (), at_row) or range(len(answers))
        self.rows = [
            AnswerForm(sent, f"{at_row}-{n}", answers[n]._asdict() if answers else None)
            for n in numbers
        ]
        after = max(numbers, default=-1) + 1
        blank = range(after, after + BLANK_ROWS)
        self.blank_rows = [AnswerForm(None, f"{at_row}-{n}", None) for n in blank]

    def fit(self, *, is_first: bool, is_scale: bool, fixed: Criterion | None) -> None:
        """Ask only for what such a criterion has; `is_scale` is that of documents.

        `fixed` is as stored if it was answered. What differs was typed before, and can be put back.
        """
        self.is_scale, self.stays = is_scale, fixed is not None
        if is_scale:
            self.empty_permitted = False
            del self.fields["kind"]
            for name in ("name", "question"):
                self.fields[name].widget = forms.HiddenInput()
        else:
            del self.fields["level"]
        if is_first:
            del self.fields["from_grade"], self.fields["is_retired"]
        for row in (*self.rows, *self.blank_rows):
            row.fit(MIN_GRADE if is_first else 0, fixed.fixed if fixed else {})
        n_fixed = sum(row.is_fixed for row in self.rows)
        self.is_fixed = fixed is not None and n_fixed == len(fixed.answers) == len(self.rows)
        if fixed and self["name"].value() == fixed.name:
            self.fields["name"].widget = forms.HiddenInput()

    def has_changed(self) -> bool:
        """Whether anything was typed, whatever else is chosen."""
        words = (self[name].value() for name in ("name", "question"))
        return any(words) or any(row.has_changed() for row in self.rows)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        try:
            asked.check_name(name)
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return name

    @property
    def answers(self) -> tuple[Grade, ...] | None:
        """What was sent in its rows, in order; None if any of it is faulty."""
        filled = [row for row in self.rows if row.has_changed()]
        if not all(row.is_valid() for row in filled):
            return None
        return tuple(sorted(Grade(**row.cleaned_data) for row in filled))

    @property
    def said(self) -> dict[str, Any]:
        """What was sent and can be read, as criteria are stored."""
        return {**self.cleaned_data, "answers": [each._asdict() for each in self.answers or ()]}

    def made(self) -> Criterion | None:
        """Return the criterion, or None once all that is wrong stands beside its field."""
        is_valid, answers = self.is_valid(), self.answers
        if answers is None:
            return None
        name = self["name"].value()
        said = {"name": name or "this criterion", "question": "", **self.cleaned_data}
        try:
            made = Criterion(answers=answers, **said)
        except BadLevel as error:
            self.add_error("level", str(error))
        except ValueError as error:
            self.add_error(None, str(error) if name else capfirst(str(error)))
        else:
            return made if is_valid else None
        return None

    @property
    def faults(self) -> list[str]:
        """The ids of where something is wrong, in the order of the page."""
        own, in_rows = (
            [
                field.id_for_label
                for each in forms
                for field in each.visible_fields()
                if field.errors
            ]
            for forms in ([self], self.rows)
        )
        if self.non_field_errors():
            in_rows.append(f"id_{self.prefix}_error")
        return [*in_rows, *own] if self.is_scale else [*own, *in_rows]


class CriteriaRows:
    """All criteria of a campaign as forms, as they are stored or were sent, and a blank one."""

    see_rows = SEE_ROWS

    def __init__(self, campaign: Campaign, sent: Sent | None) -> None:
        stored = campaign.every_criterion
        numbers = indexes_in(sent or (), PREFIX)
        self.is_sent = bool(numbers)
        if self.is_sent:
            # The grades of documents are always there.
            first, *others = (CriterionForm(n, sent=sent) for n in numbers)
            self.forms = [first, *(each for each in others if each.has_changed())]
        else:
            self.forms = [CriterionForm(n, stored=each) for n, each in enumerate(stored)]
        self.blank = CriterionForm(max(numbers, default=len(stored) - 1) + 1)
        by_name = {each.name: each for each in stored}
        fixed = fixed_criteria(campaign, by_name) if campaign.pk else set()
        # Another name may have been typed into the row of a criterion.
        at = dict(zip((f"{PREFIX}-{n}" for n in range(len(stored))), stored, strict=True))
        kinds = set[str]()
        for each in (*self.forms, self.blank):
            kind, is_scale = str(each["kind"].value()), not kinds
            is_first = is_scale or (kind not in kinds and each is not self.blank)
            kinds.add(DOCUMENT if is_scale else kind)
            its = by_name.get(str(each["name"].value())) or at.get(str(each.prefix))
            is_fixed = its is not None and its.name in fixed
            each.fit(is_first=is_first, is_scale=is_scale, fixed=its if is_fixed else None)

    def cleaned(self) -> list[dict[str, Any]]:
        """Return the criteria as they are stored. ValidationError if a row is faulty."""
        made = [each.made() for each in self.forms]
        for at, field, sentence in asked.misfits([each.said for each in self.forms]):
            self.forms[at].add_error(field or None, sentence)
        if self.faults or None in made:
            raise ValidationError(SEE_ROWS)
        return [each.to_json() for each in made if each]

    @property
    def faults(self) -> list[str]:
        return [fault for form in self.forms for fault in form.faults]

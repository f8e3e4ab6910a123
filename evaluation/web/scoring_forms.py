"""Forms of scoring, by which measures and rules, and of comparing two evaluations."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict

from cleverdon.measures.family import Measure
from cleverdon.measures.inferred import INFAP, INFNDCG, XINFAP
from cleverdon.measures.trec_eval import measures
from evaluation.models.measured import RuleSet, usual_measures
from evaluation.models.scores import Evaluation
from qrels.models import Qrels
from qrels.samples import has_one_rate

MAX_MEASURES = 40


class CompareForm(forms.Form):
    """Two evaluations; by default the newest and the one before it."""

    before = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    after = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)

    def __init__(self, data: QueryDict, evaluations: Sequence[Evaluation]) -> None:
        super().__init__(data)
        self.by_id = {each.pk: each for each in evaluations}
        for name in ("before", "after"):
            field = cast("forms.TypedChoiceField", self.fields[name])
            field.choices = [(pk, pk) for pk in self.by_id]
            field.error_messages["invalid_choice"] = "There is no such evaluation."

    def clean(self) -> dict[str, Any]:
        cleaned = cast("dict[str, Any]", super().clean())
        newest, earlier, *_ = [*self.by_id, None, None]
        chosen = {"before": cleaned.get("before"), "after": cleaned.get("after")}
        usual = {"before": earlier, "after": newest}
        return {name: self.by_id.get(cast("int", pk or usual[name])) for name, pk in chosen.items()}


OF_SAMPLES = [str(each.measure()) for each in (XINFAP, INFNDCG)]


# The first of the usual measures have a box; the others are named.
WITH_BOX = usual_measures()[:5]


def offered(qrels: Qrels | None) -> list[str]:
    """Return the names of the measures that have a box, of a sample those first that estimate."""
    return [*OF_SAMPLES, *WITH_BOX] if qrels and qrels.is_sample else WITH_BOX


def _unfit(qrels: Qrels) -> set[str]:
    """Return the names of the measures that read samples of another kind than these qrels."""
    if not qrels.is_sample:
        return set(OF_SAMPLES)
    return set() if has_one_rate(qrels) else {str(INFAP.measure())}


class EvaluationForm(forms.Form):
    """Measures, picked by a box or named; the first decides the order of the leaderboard."""

    picked = forms.MultipleChoiceField(
        required=False, choices=[(name, name) for name in (*OF_SAMPLES, *WITH_BOX)]
    )
    others = forms.CharField(
        required=False,
        max_length=2000,
        label="Other measures",
        help_text="Names from the list of measures, in trec_eval's spelling or usual elsewhere, "
        "separated by spaces or commas: P@5, ndcg_cut_20, P.5,10, MRR@10, RBP(p=0.95,graded=True)",
    )
    rules = forms.ChoiceField(choices=RuleSet.choices, initial=RuleSet.NINE, label="Rule set")

    def __init__(self, *args: Any, qrels: Qrels | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.offered = offered(qrels)

    def clean_others(self) -> list[str]:
        text = self.cleaned_data["others"]
        return list(map(str, _checked(text))) if text else []

    def clean(self) -> dict[str, Any]:
        cleaned = cast("dict[str, Any]", super().clean())
        names = [*cleaned.get("picked", []), *cleaned.get("others", [])]
        chosen = list(dict.fromkeys(names))
        if not chosen and not self.errors:
            raise forms.ValidationError("Choose at least one measure.")
        if len(chosen) > MAX_MEASURES:
            raise forms.ValidationError(
                f"You chose {len(chosen)} measures; at most {MAX_MEASURES} can be shown."
            )
        return {**cleaned, "measures": chosen}

    @classmethod
    def like(cls, evaluation: Evaluation | None, qrels: Qrels) -> "EvaluationForm":
        """Return a form filled in like the last evaluation, or with the usual measures.

        The first of a sample has those that estimate for it besides.
        """
        boxes, unfit = offered(qrels), _unfit(qrels)
        is_new = qrels.is_sample and not (evaluation and evaluation.qrels.is_sample)
        like = evaluation.measures if evaluation else usual_measures()
        names = [each for each in [*OF_SAMPLES * is_new, *like] if each not in unfit]
        initial = {
            "picked": [name for name in names if name in boxes],
            "others": " ".join(name for name in names if name not in boxes),
        }
        if evaluation:
            initial["rules"] = evaluation.rules
        return cls(initial=initial, qrels=qrels)


def _checked(names: str) -> list[Measure]:
    """Return the measures of names, as the command's `-m` takes them; else ValidationError."""
    try:
        return measures(names)
    except ValueError as error:
        raise forms.ValidationError(str(error)) from error

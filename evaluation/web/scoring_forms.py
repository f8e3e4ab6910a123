"""Forms of scoring: which qrels, measures, rule set and topic set."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from cleverdon.measures.family import Measure
from cleverdon.measures.inferred import INFAP, INFNDCG, XINFAP
from cleverdon.measures.trec_eval import measures
from cleverdon.trec.topics import HIDDEN
from cleverdon.trec.words import counted
from evaluation.access import check_stands
from evaluation.models.measured import RuleSet, Split, TopicSet, usual_measures
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import graded_of
from qrels.models import Qrels
from qrels.samples import has_one_rate

MAX_MEASURES = 40


def marked(qrels: Qrels) -> str:
    return f"{qrels}{' (withdrawn)' if qrels.is_withdrawn else ''}"


class MarkedQrelsField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A version of the qrels, which says so if it was withdrawn."""

    def label_from_instance(self, obj: Qrels) -> str:
        return marked(obj)


class QrelsForm(forms.Form):
    """A version of the qrels; the newest when none is named."""

    qrels = forms.ModelChoiceField(
        Qrels.objects.none(),
        required=False,
        to_field_name="number",
        error_messages={"invalid_choice": "There is no such version of the qrels."},
    )

    without = MarkedQrelsField(
        Qrels.objects.none(),
        required=False,
        to_field_name="number",
        empty_label="nothing",
        label="Leave out what was judged in",
        help_text="Residual collection: documents judged in that version are taken out of every "
        "run and of the judgments before scoring, as in the later rounds of TREC-COVID.",
        error_messages={"invalid_choice": "There is no such version of the qrels."},
    )

    split = forms.ChoiceField(required=False, label="Topics")
    of_round = forms.TypedChoiceField(
        coerce=int,
        empty_value=None,
        required=False,
        label="Runs and topics",
        error_messages={"invalid_choice": "There is no such round."},
    )

    def __init__(self, data: Mapping[str, Any], campaign: Campaign) -> None:
        super().__init__(data)
        rounds = [(row.number, f"of {row}, {row.of_topics}") for row in campaign.rounds.all()]
        cast("forms.TypedChoiceField", self.fields["of_round"]).choices = [("", "all"), *rounds]
        self.has_rounds = campaign.has_rounds
        n_topics, n_hidden = campaign.topic_set.count(), len(campaign.topic_set.numbers_in(HIDDEN))
        public = counted(n_topics - n_hidden, "public topic")
        cast("forms.ChoiceField", self.fields["split"]).choices = [
            (Split.ALL, f"all {counted(n_topics, 'topic')}"),
            (Split.PUBLIC, f"the {public} only"),
        ]
        self.has_hidden = n_hidden > 0
        versions = Qrels.objects.filter(campaign=campaign)
        self.versions = versions.standing().own_first()
        self.may_leave_out = len(versions) > 1
        for name in ("qrels", "without"):
            field = cast("forms.ModelChoiceField[Qrels]", self.fields[name])
            field.queryset = versions

    def clean_split(self) -> str:
        split = self.cleaned_data["split"] or Split.ALL
        if split != Split.ALL and not self.has_hidden:
            raise forms.ValidationError("No topic is hidden.")
        return str(split)

    def offer_round_of(self, qrels: Qrels, asked: QueryDict) -> None:
        """Offer the round of a version, without the last of an earlier round, unless asked else."""
        earlier = self.versions.filter(round__lt=qrels.round).first()
        usual = {"of_round": str(qrels.round), "without": str(earlier.number) if earlier else ""}
        if self.has_rounds:
            self.data = {**usual, **asked.dict()}

    def rests_on(self, campaign: Campaign) -> str:
        """Say how many judgments, on how many topics, what is offered would rest on."""
        chosen = type(self)(self.data, campaign)
        if not chosen.is_valid() or not chosen.cleaned_data["qrels"]:
            return ""
        part = dict(chosen.cleaned_data)
        graded = graded_of(Evaluation(campaign=campaign, round=part.pop("of_round"), **part))
        n, topics = counted(len(graded.grades), "judgment"), counted(graded.n_topics, "topic")
        return f"{n} on {topics}"

    def clean_qrels(self) -> Qrels | None:
        qrels: Qrels | None = self.cleaned_data["qrels"]
        if qrels is None:
            return self.versions.first()
        try:
            check_stands(qrels)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return qrels


def alike(evaluation: Evaluation) -> str:
    """Return what the form is asked for parts like those of an evaluation; it lacks the qrels."""
    without = evaluation.without.number if evaluation.without else ""
    asked = {"of_round": evaluation.round or "", "without": without, "split": evaluation.split}
    return urlencode(asked)


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
    topic_set = forms.ChoiceField(
        choices=TopicSet.choices, initial=TopicSet.JUDGED, label="Means over"
    )

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
            initial |= {"rules": evaluation.rules, "topic_set": evaluation.topic_set}
        return cls(initial=initial, qrels=qrels)


def _checked(names: str) -> list[Measure]:
    """Return the measures of names, as the command's `-m` takes them; else ValidationError."""
    try:
        return measures(names)
    except ValueError as error:
        raise forms.ValidationError(str(error)) from error

"""The form of a scope: against which qrels, on which topics, and which runs are scored."""

from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from evaluation.access import check_stands
from evaluation.core.scope import ALL, JUDGED, MEANS_OVER, Scope
from evaluation.models.scopes import runs_in
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import graded_of
from qrels.models import Qrels
from runs.models import Run
from trec.topics import HIDDEN, PUBLIC
from trec.words import counted


class MarkedQrelsField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A version of the qrels, which says so if it was withdrawn."""

    def label_from_instance(self, obj: Qrels) -> str:
        return f"{obj}{' (withdrawn)' if obj.is_withdrawn else ''}"


class ScopeForm(forms.Form):
    """A version of the qrels, the newest when none is named, and what is scored against it."""

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
    topic_set = forms.ChoiceField(
        choices=list(MEANS_OVER.items()), required=False, label="Means over"
    )
    teams = forms.TypedMultipleChoiceField(
        coerce=int, required=False, label="All runs of", widget=forms.CheckboxSelectMultiple
    )
    runs = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "There is no valid run with the tag %(value)s."},
    )

    def __init__(self, data: QueryDict, campaign: Campaign) -> None:
        super().__init__(data)
        self.campaign, self.has_rounds = campaign, campaign.has_rounds
        self.has_hidden = bool(campaign.topic_set.numbers_in(HIDDEN))
        for name, choices in {**self._topics(), **self._runs()}.items():
            cast("forms.ChoiceField", self.fields[name]).choices = choices
        versions = Qrels.objects.filter(campaign=campaign)
        self.versions = versions.standing().own_first()
        self.may_leave_out = len(versions) > 1
        for name in ("qrels", "without"):
            cast("forms.ModelChoiceField[Qrels]", self.fields[name]).queryset = versions

    def _topics(self) -> dict[str, list[tuple[Any, str]]]:
        topics, rounds = self.campaign.topic_set, self.campaign.rounds.all()
        public = counted(len(topics.numbers_in(PUBLIC)), "public topic")
        return {
            "of_round": [("", "all"), *((n.number, f"of {n}, {n.of_topics}") for n in rounds)],
            "split": [
                (ALL, f"all {counted(topics.count(), 'topic')}"),
                (PUBLIC, f"the {public} only"),
            ],
        }

    def _runs(self) -> dict[str, list[tuple[Any, str]]]:
        valid = Run.objects.of_round(self.campaign, None).valid().select_related("team")
        runs = list(valid.only("tag", "round", "team__name").order_by("team__name", "tag"))
        of = [f", round {each.round}" if self.has_rounds else "" for each in runs]
        return {
            "teams": list({each.team_id: each.team.name for each in runs}.items()),
            "runs": [
                (each.tag, f"{each.tag} ({each.team.name}{in_round})")
                for each, in_round in zip(runs, of, strict=True)
            ],
        }

    def clean_split(self) -> str:
        split = self.cleaned_data["split"] or ALL
        if split != ALL and not self.has_hidden:
            raise forms.ValidationError("No topic is hidden.")
        return str(split)

    def clean_qrels(self) -> Qrels | None:
        qrels: Qrels | None = self.cleaned_data["qrels"]
        if qrels is None:
            return self.versions.first()
        try:
            check_stands(qrels)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return qrels

    def clean(self) -> dict[str, Any]:
        """Build the `scope`; None without qrels. Chosen runs are those ticked, and of teams."""
        given = cast("dict[str, Any]", super().clean())
        given["scope"] = None
        if self.errors or not given["qrels"]:
            return given
        scope = Scope(
            given["qrels"].number,
            without=given["without"].number if given["without"] else None,
            round=given["of_round"],
            split=given["split"],
            topic_set=given["topic_set"] or JUDGED,
        )
        of_teams = runs_in(self.campaign, scope).filter(team__in=given["teams"])
        chosen = (*given["runs"], *of_teams.values_list("tag", flat=True))
        if given["teams"] and not chosen:
            raise forms.ValidationError("The chosen teams have no valid run of this round.")
        return {**given, "scope": replace(scope, chosen=chosen)}

    def offer(self, qrels: Qrels, like: Evaluation | None) -> None:
        """Offer, unless asked else, what is usual of a version, and means as of the last scores.

        That is its round, without what the last version of an earlier round holds.
        """
        usual = {"topic_set": like.scope.topic_set} if like else {}
        if self.has_rounds:
            earlier = self.versions.filter(round__lt=qrels.round).first()
            number = str(earlier.number) if earlier else ""
            usual |= {"of_round": str(qrels.round), "without": number}
        data = cast("QueryDict", self.data).copy()
        for name, value in usual.items():
            data.setdefault(name, value)
        self.data = data

    def rests_on(self) -> str:
        """Say how many judgments, on how many topics, what is offered would rest on."""
        chosen = type(self)(cast("QueryDict", self.data), self.campaign)
        if not chosen.is_valid() or not chosen.cleaned_data["scope"]:
            return ""
        graded = graded_of(Evaluation.of(self.campaign, chosen.cleaned_data["scope"]))
        n, topics = counted(len(graded.grades), "judgment"), counted(graded.n_topics, "topic")
        return f"{n} on {topics}"


def alike(evaluation: Evaluation) -> str:
    """Return what the form is asked for a scope like this one; it lacks the qrels.

    Of chosen runs those are asked for that are valid still.
    """
    scope = evaluation.scope
    runs = runs_in(evaluation.campaign, scope) if scope.chosen else Run.objects.none()
    asked = {
        "of_round": scope.round or "",
        "without": scope.without or "",
        "split": scope.split,
        "topic_set": scope.topic_set,
        "runs": sorted(each.tag for each in runs),
    }
    return urlencode(asked, doseq=True)

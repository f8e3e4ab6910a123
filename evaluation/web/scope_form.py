"""The form of a scope: against which qrels, on which topics, and which runs are scored."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from cleverdon.trec.streams import brief
from cleverdon.trec.topics import HIDDEN, PUBLIC
from cleverdon.trec.words import counted
from evaluation.access import check_stands
from evaluation.core.scope import ALL, JUDGED, MEANS_OVER, Scope
from evaluation.models.scopes import runs_in
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import graded_of
from qrels.models import Qrels
from runs.models import Run

PARTS = ("qrels", "without", "round", "split", "topic_set")


def _number(missing: str, **options: Any) -> forms.TypedChoiceField:
    """Return a field for a number, or for none."""
    options["error_messages"] = {"invalid_choice": f"There is no such {missing}."}
    return forms.TypedChoiceField(coerce=int, empty_value=None, required=False, **options)


class TickedField(forms.MultipleChoiceField):
    """Any number of boxes; `of` says what they are of valid runs."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, of: str, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.of = of

    def validate(self, value: Iterable[str]) -> None:
        for each in value:
            if not self.valid_value(each):
                raise forms.ValidationError(f"There is no valid run {self.of} {brief(each)}.")


class ScopeForm(forms.Form):
    """A version of the qrels, the newest when none is named, and what is scored against it."""

    qrels = _number("version of the qrels")
    without = _number(
        "version of the qrels",
        label="Leave out what was judged in",
        help_text="Residual collection: documents judged in that version are taken out of every "
        "run and of the judgments before scoring, as in the later rounds of TREC-COVID.",
    )
    of_round = _number("round", label="Runs and topics")
    split = forms.TypedChoiceField(required=False, empty_value=ALL, label="Topics")
    topic_set = forms.TypedChoiceField(
        choices=list(MEANS_OVER.items()), required=False, empty_value=JUDGED, label="Means over"
    )
    teams = TickedField("of the team", label="All runs of")
    runs = TickedField("with the tag")

    def __init__(self, data: QueryDict, campaign: Campaign) -> None:
        super().__init__(data)
        self.campaign, self.has_rounds = campaign, campaign.has_rounds
        self.has_hidden = bool(campaign.topic_set.numbers_in(HIDDEN))
        self.rows = {each.number: each for each in campaign.qrels_set.own_first()}
        self.versions = [each for each in self.rows.values() if not each.is_withdrawn]
        for name, choices in self._choices():
            cast("forms.ChoiceField", self.fields[name]).choices = list(choices)

    def _choices(self) -> Iterable[tuple[str, Iterable[tuple[Any, str]]]]:
        versions = [
            (number, f"{row}{' (withdrawn)' if row.is_withdrawn else ''}")
            for number, row in self.rows.items()
        ]
        yield "qrels", versions
        yield "without", [("", "nothing"), *versions]
        rounds = self.campaign.rounds.all()
        yield "of_round", [("", "all"), *((n.number, f"of {n}, {n.of_topics}") for n in rounds)]
        topics = self.campaign.topic_set
        n_public = len(topics.numbers_in(PUBLIC))
        public = f"the {counted(n_public, 'public topic')} only"
        yield "split", [(ALL, f"all {counted(topics.count(), 'topic')}"), (PUBLIC, public)]
        valid = Run.objects.of_round(self.campaign, None).valid().select_related("team")
        runs = list(valid.order_by("team__name", natural("tag")))
        yield "teams", {each.team.name: each.team.name for each in runs}.items()
        yield "runs", ((each.tag, self._named(each)) for each in runs)

    def _named(self, run: Run) -> str:
        return f"{run.tag} ({run.team.name}{f', round {run.round}' if self.has_rounds else ''})"

    def clean_split(self) -> str:
        split: str = self.cleaned_data["split"]
        if split != ALL and not self.has_hidden:
            raise forms.ValidationError("No topic is hidden.")
        return split

    def clean_qrels(self) -> int | None:
        number: int | None = self.cleaned_data["qrels"]
        if number is None:
            return self.versions[0].number if self.versions else None
        try:
            check_stands(self.rows[number])
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return number

    def clean(self) -> dict[str, Any]:
        """Build the `scope`; None without qrels. Chosen runs are those ticked, and of teams."""
        given = cast("dict[str, Any]", super().clean())
        if self.errors or not given["qrels"]:
            return {**given, "scope": None}
        given["round"] = given["of_round"]
        scope = Scope(**{name: given[name] for name in PARTS})
        of_teams = runs_in(self.campaign, scope).filter(team__name__in=given["teams"])
        chosen = (*given["runs"], *of_teams.values_list("tag", flat=True))
        if given["teams"] and not chosen:
            raise forms.ValidationError("The chosen teams have no valid run of this round.")
        return {**given, "scope": replace(scope, chosen=chosen)}

    @property
    def row(self) -> Qrels | None:
        """The version chosen."""
        return self.rows.get(self.cleaned_data.get("qrels", 0))

    def offer(self, qrels: Qrels, like: Evaluation | None) -> None:
        """Offer, unless asked else, what is usual of a version, and means as of the last scores.

        That is its round, without what the last version of an earlier round holds.
        """
        usual = {"topic_set": like.scope.topic_set} if like else {}
        if self.has_rounds:
            earlier = (each.number for each in self.versions if each.round < qrels.round)
            usual |= {"of_round": str(qrels.round), "without": str(next(earlier, ""))}
        data = cast("QueryDict", self.data).copy()
        for name, value in usual.items():
            data.setdefault(name, value)
        self.data = data

    def rests_on(self) -> str:
        """Say how many judgments, on how many topics, the offered scores would rest on."""
        self.full_clean()  # as what is offered may have been added to what was sent
        scope = self.cleaned_data.get("scope")
        if not scope:
            return ""
        graded = graded_of(Evaluation.of(self.campaign, scope))
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
        "runs": sorted(runs.values_list("tag", flat=True)),
    }
    return urlencode(asked, doseq=True)

"""Evaluations and the scores of runs as lists."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django import forms
from django.db.models import OuterRef, Subquery

from accounts.access import NotThere, Verb
from accounts.models import User
from campaigns.access.roles import organizes
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.noun import ID, Field, Noun, fields_of
from cleverdon.trec.cells import finite
from evaluation.access import Scores, evaluations_shown, runs_shown, sees_all_runs, sees_programs
from evaluation.completeness import Completeness
from evaluation.core.difference import pair_rows
from evaluation.core.disagreement import Disagreement
from evaluation.core.standing import compared_pairs
from evaluation.core.study import Study
from evaluation.leaving_out import Reusability
from evaluation.models.reviews import Review
from evaluation.models.scores import Evaluation, Score
from evaluation.releasing import BY_VERSION, ONE_BY_ONE, What
from pooling.core.completeness import Missing
from qrels.models import Qrels

if TYPE_CHECKING:
    from cleverdon.significance.pairs import AllPairs


def _evaluations(user: User, campaign: Campaign) -> Any:
    return evaluations_shown(user, campaign)


EVALUATIONS = Noun(
    name="evaluations",
    see=Scores.see,
    rows=_evaluations,
    fields={
        "id": Field(str, lambda each: str(each.public_id)),
        "qrels": Field(int, lambda each: each.scope.qrels),
        "without": Field(int | None, lambda each: each.scope.without),
        "round": Field(int | None, lambda each: each.scope.round),
        "split": Field(str, lambda each: each.scope.split),
        "topic_set": Field(str, lambda each: each.scope.topic_set),
        "chosen": Field(str, lambda each: each.scope.hash[:8] if each.scope.chosen else ""),
        "rules": Field(str),
        "measures": Field(list),
        "topics": Field(int, lambda each: len(each.topics)),
        "judgments": Field(int, lambda each: each.n_judgments),
        "marks": Field(list, help="draft, residual, preliminary, withdrawn, sample …"),
        "finished_at": Field(datetime),
    },
    model=Evaluation,
    key=ID,
    help="The finished evaluations that you may see, that is, those released to you.",
)


class BoardRecord(NamedTuple):
    """A run on a leaderboard: its values by measure, and how sure its place is.

    `low` and `high` are the ends of intervals; places and classes are for who sees all runs.
    """

    run: str
    team: str
    topics: int
    values: dict[str, float | None]
    low: dict[str, float | None]
    high: dict[str, float | None]
    first_place: dict[str, int | None]
    last_place: dict[str, int | None]


def _board(user: User, evaluation: Evaluation) -> list[BoardRecord]:
    """Return the runs, best first by the first measure."""
    board = evaluation.leaderboard(0, runs_shown(user, evaluation))
    names, sees_all = evaluation.measures, sees_all_runs(user, evaluation)
    rows = []
    for entry in board:
        standings = entry.standings or [None] * len(names)
        by_name = dict(zip(names, standings, strict=True))

        def of(field: str, of: dict[str, Any] = by_name) -> dict[str, Any]:
            return {name: each and getattr(each, field) for name, each in of.items()}

        values = {n: finite(float(v)) for n, v in zip(names, entry.values, strict=True)}
        places = (of("best"), of("worst")) if sees_all else ({}, {})
        team = str(entry.subject.team)
        rows.append(
            BoardRecord(entry.tag, team, entry.n_topics, values, of("low"), of("high"), *places)
        )
    return rows


BOARD = Noun(
    name="scores",
    see=Scores.see_evaluation,
    rows=_board,
    fields=fields_of(BoardRecord),
    help="A leaderboard: the runs that you may see, best first by the first measure.",
)


class ValueRecord(NamedTuple):
    """The value of a run on a topic by a measure; null where the topic does not count."""

    run: str
    topic: str
    measure: str
    value: float | None


def _scores(user: User, evaluation: Evaluation) -> Any:
    shown = evaluation.scores.filter(run_id__in=runs_shown(user, evaluation))
    return shown.select_related("run", "evaluation").order_by("run__tag", "pk")


def _values(evaluation: Evaluation, scores: Iterable[Score]) -> Iterator[ValueRecord]:
    names, topics = evaluation.measures, evaluation.topics
    for score in scores:
        for topic, row in zip(topics, score.counted(), strict=False):
            for name, value in zip(names, row, strict=True):
                yield ValueRecord(score.run.tag, topic, name, finite(float(value)))


BY_TOPIC = Noun(
    name="values",
    see=Scores.see_evaluation_by_topic,
    rows=lambda user, evaluation: _values(evaluation, _scores(user, evaluation).iterator(50)),
    fields=fields_of(ValueRecord),
    help="Every value by run, topic and measure, one to a line.",
)


class PairRecord(NamedTuple):
    """Two runs by a measure: the mean difference, and p of it alone and among all pairs."""

    measure: str
    run: str
    other: str
    topics: int
    difference: float | None
    p: float | None
    p_corrected: float | None


class PairsOf:
    """The pairs of the runs that somebody sees, compared by one measure when they are read."""

    def __init__(self, user: User, evaluation: Evaluation, measure: str = "") -> None:
        self.user, self.evaluation = user, evaluation
        self.measure = measure or evaluation.measures[0]

    def by(self, measure: str = "") -> "PairsOf":
        return PairsOf(self.user, self.evaluation, measure)

    def __iter__(self) -> Iterator[PairRecord]:
        evaluation = self.evaluation
        if self.measure not in evaluation.measures:
            return
        at, name = evaluation.measures.index(self.measure), self.measure
        shown = runs_shown(self.user, evaluation)
        scores = list(evaluation.by_tag.filter(run_id__in=shown))
        values, measure = evaluation.values(scores, at), evaluation.parsed[at]
        stored = evaluation.pairs.filter(measure=name).first()
        if stored and sees_all_runs(self.user, evaluation):
            pairs: AllPairs | None = stored.among(each.pk for each in scores)
        else:
            pairs = compared_pairs(values, ~np.isnan(values), measure)
        tags = [each.run.tag for each in scores]
        for each in pair_rows(values, measure, pairs):
            yield PairRecord(name, tags[each.one], tags[each.other], *each[2:])


class MeasureFilter(forms.Form):
    measure = forms.CharField(required=False, max_length=80, label="the first one unless named")


PAIRS = Noun(
    name="pairs",
    see=Scores.see_evaluation,
    rows=PairsOf,
    filters=MeasureFilter,
    found=lambda rows, measure="": rows.by(measure),
    fields=fields_of(PairRecord),
    help="All pairs of the runs that you may see, by one measure; p is of a randomization test.",
)


def _computed(
    name: str,
    see: Verb[Any],
    record: type,
    found: Callable[[Any], Any],
    words: str,
    *,
    told: Callable[[User, Any, Any], Any] = lambda _, __, its: its,
) -> Noun:
    """Return what a job has computed as a noun of one row, which is not there before."""

    def rows(user: User, thing: Any) -> list[Any]:
        its = found(thing)
        if not its or not (seen := told(user, thing, its)):
            raise NotThere
        return [seen]

    return Noun(
        name=name,
        see=see,
        rows=rows,
        fields={
            its: Field(dict if each.type is Missing else each.type, itemgetter(its))
            for its, each in fields_of(record).items()
        },
        is_one=True,
        help=words,
    )


def _review(campaign: Campaign) -> Any:
    found = Review.objects.filter(campaign=campaign, found__isnull=False).order_by("-pk").first()
    return found and {**found.found, "missing": Missing(*found.found["missing"])._asdict()}


def _left_out(evaluation: Evaluation) -> Any:
    """Return what was found, with the tags and teams of the runs in place of their ids."""
    if not (found := evaluation.reusability):
        return None
    runs = {each.run_id: each.run for each in evaluation.scores.select_related("run__team")}
    named = {key: {"run": run.tag, "team_name": run.team.name} for key, run in runs.items()}
    measures = [
        {**each, "runs": [{**its, **named[its["run"]]} for its in each["runs"]]}
        for each in found["measures"]
    ]
    return {**found, "measures": measures}


def _of_people(user: User, evaluation: Evaluation, stored: Any) -> Any:
    """Return what is told of people's grades, to organizers of programs too."""
    if sees_programs(user, evaluation):
        return stored
    found = Disagreement.from_json(stored)
    return found.of_people().to_json() if found.n_twice else None


COMPUTED = [
    _computed(
        "figures",
        Scores.see_computed,
        Study,
        attrgetter("study"),
        "What the study of an evaluation found: what its measures and topics can tell.",
    ),
    _computed(
        "reusability",
        Scores.see_computed,
        Reusability,
        _left_out,
        "What runs score without what they, or their teams, alone found.",
    ),
    _computed(
        "disagreement",
        Scores.see_computed,
        Disagreement,
        attrgetter("disagreement"),
        "What disagreement between assessors does to the ranking, by other grades of what was "
        "judged twice.",
        told=_of_people,
    ),
]
COMPLETENESS = _computed(
    "completeness",
    Scores.review_pool,
    Completeness,
    _review,
    "What the last review of the pool found: how completely it is judged, and what is missing.",
)


def _releases(_: User, campaign: Campaign) -> Any:
    scores = Evaluation.objects.filter(pk=OuterRef("subject_id")).values("public_id")
    versions = Qrels.objects.filter(pk=OuterRef("subject_id")).values("number")
    named = campaign.releases.annotate(scores=Subquery(scores), qrels=Subquery(versions))
    return named.order_by("-pk")


def _version(release: Any) -> int | None:
    of_pool = release.subject_id if release.what == What.POOL else None
    return release.qrels if release.what in BY_VERSION else of_pool


RELEASES = Noun(
    name="releases",
    see=Verb(organizes),
    rows=_releases,
    fields={
        "what": Field(str, choices=What.values),
        "audience": Field(str, choices=Release.Audience.values),
        "evaluation": Field(
            str | None,
            lambda release: str(release.scores) if release.what == What.SCORES else None,
            "whose scores",
        ),
        "version": Field(int | None, _version, "of the qrels, or of the pool"),
        "round": Field(
            int | None,
            lambda release: release.subject_id if release.what in ONE_BY_ONE else None,
            "of runs and topics; null for those of all rounds",
        ),
        "from_at": Field(datetime),
        "ended_at": Field(datetime | None, help="when it was replaced or taken back"),
        "is_in_force": Field(bool),
    },
    model=Release,
    help="What participants or everybody may see, and might before.",
)

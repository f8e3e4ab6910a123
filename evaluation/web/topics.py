"""The page of a topic's scores: how hard it is, what each run reaches on it, and who found what."""

from collections import Counter
from collections.abc import Sequence
from math import inf, isnan, nan
from typing import Any, NamedTuple

import numpy as np
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest
from assess.models.judging import Judgment
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, page
from evaluation.access import (
    check_can_see_scores_by_topic,
    evaluations_shown,
    runs_opened,
    runs_seen,
    sees_all_runs,
    sees_grades,
    teams_of,
)
from evaluation.core.columns import MeasureColumn
from evaluation.core.retrieved import Finders, finders
from evaluation.core.topics import place, spread
from evaluation.models.scores import Evaluation, Score
from evaluation.rankings import judged_on, placed_on
from evaluation.web.boards import sorted_by
from evaluation.web.rankings import of_topic, opened
from pictures.strips import spread_strip
from qrels.web.versions import grade_rows
from questions.models.notes import TopicNote
from runs.models import Run
from trec.arrays import Floats
from trec.words import counted, ordinal


class TopicRun(NamedTuple):
    """A run on the topic: its place among all, None where the topic does not count for it."""

    score: Score
    text: str
    place: int | None
    is_own: bool


class FoundBy(NamedTuple):
    """A relevant document, the words of its grade, and the run or team that alone retrieved it."""

    document: Finders
    label: str
    alone: str

    @property
    def n_runs(self) -> int:
        return len(self.document.runs)


@open_to_visitors
@require_safe
def topic_scores(request: UserRequest, slug: str, pk: int, number: str) -> HttpResponse:
    """Show one topic to readers who see all runs."""
    campaign = guarded(request, slug, check_can_see_scores_by_topic)
    evaluation = get_object_or_404(evaluations_shown(request.user, campaign), pk=pk)
    if not sees_all_runs(request.user, evaluation) or number not in evaluation.topics:
        raise Http404
    by = sorted_by(request, evaluation)
    context: dict[str, Any] = {
        **of_topic(request, campaign, evaluation, number),
        **_runs(request, evaluation, by, evaluation.topics.index(number)),
        "by": by,
        "seen": runs_seen(request.user, campaign),
    }
    if sees_grades(request.user, evaluation):
        context |= _grades(evaluation, number)
        runs = list(runs_opened(request.user, evaluation).select_related("team").order_by("tag"))
        context |= _finders(request, evaluation, number, runs) if runs else {}
    if can(check_can_organize, request.user, campaign):
        context |= _remarks(campaign, number)
    return page(request, "evaluation/topic_scores.html", campaign, "leaderboard", **context)


def _runs(request: UserRequest, evaluation: Evaluation, by: str, at: int) -> dict[str, Any]:
    """Return how hard the topic is among all by the measure, and the runs on it, best first."""
    scores = list(evaluation.scores.select_related("run__team").order_by("run__tag"))
    columns = [MeasureColumn.of(measure) for measure in evaluation.parsed]
    which, teams = evaluation.measures.index(by), teams_of(request.user, evaluation.campaign)
    values = np.stack([each.counted()[:-1, which] for each in scores])
    column, own = columns[which], values[:, at].tolist()
    places = [None if isnan(value) else place(own, value, column.sign) for value in own]
    rows = [
        TopicRun(score, column.text(value), its, score.run.team_id in teams)
        for score, value, its in zip(scores, own, places, strict=True)
    ]
    return {
        "columns": columns,
        "runs": sorted(rows, key=lambda row: row.place or inf),
        "runs_strip": spread_strip(own, None, sentence=f"{by} of {counted(len(rows), 'run')}."),
        **_difficulty(values, at, column),
    }


def _difficulty(values: Floats, at: int, column: MeasureColumn) -> dict[str, Any]:
    """Return the topic's place by the median of all runs, the hardest topic first."""
    medians = [each.median if each else nan for each in spread(values)]
    own, n = medians[at], sum(not isnan(each) for each in medians)
    if isnan(own):
        return {}
    hardest = place(medians, own, -column.sign)
    words = f"{f'{ordinal(hardest)} ' if hardest > 1 else ''}hardest of {counted(n, 'topic')}"
    sentence = f"{words} by median {column.name}, {column.text(own)}"
    strip = spread_strip(medians, own, sentence=f"Topic is {sentence}.")
    return {"difficulty": sentence, "difficulty_strip": strip}


def _grades(evaluation: Evaluation, number: str) -> dict[str, Any]:
    """Return how many documents have each grade, and how many of the pool are unjudged."""
    judged, pool = judged_on(evaluation, number).grades.tolist(), evaluation.qrels.pool
    n_unjudged = None
    if pool and evaluation.without is None:
        n_unjudged = pool.entries.filter(topic__number=number).count() - len(judged)
    rows = grade_rows(evaluation.campaign.scale, sorted(Counter(judged).items()))
    return {"grades": rows, "n_unjudged": n_unjudged}


def _finders(
    request: UserRequest, evaluation: Evaluation, number: str, runs: Sequence[Run]
) -> dict[str, Any]:
    """Return the relevant documents with who retrieved them, of the runs given."""
    judged, labels = judged_on(evaluation, number), evaluation.campaign.scale.fixed
    placed = placed_on(evaluation, runs, number)
    found = [
        FoundBy(each, labels.get(each.grade, ""), _alone([runs[n] for n in each.runs]))
        for each in finders(placed, judged, evaluation.qrels.level)
    ]
    return {
        "found": found,
        "opened": opened(request, evaluation.campaign, [each.document.docno for each in found]),
        "n_finding": len(runs),
        "n_alone": sum(each.n_runs == 1 for each in found),
        "n_by_none": sum(not each.n_runs for each in found),
    }


def _alone(runs: Sequence[Run]) -> str:
    """Return the one run that retrieved a document, or the one team of several; "" for others."""
    teams = {str(run.team) for run in runs}
    if len(teams) != 1:
        return ""
    return f"{runs[0]} ({runs[0].team})" if len(runs) == 1 else f"team {runs[0].team}"


def _remarks(campaign: Campaign, number: str) -> dict[str, Any]:
    """Return what assessors wrote on the topic and with their judgments."""
    of_topic = {"topic__campaign": campaign, "topic__number": number}
    current = Judgment.objects.current().filter(**of_topic).exclude(comment="")
    notes = TopicNote.objects.written().filter(**of_topic).select_related("author")
    return {
        "notes": notes.order_by("pk"),
        "comments": current.select_related("item", "assessor").order_by("item__key", "pk"),
    }

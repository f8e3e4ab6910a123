"""Where the scores of a run are, for the pages of the apps below."""

from django.urls import reverse

from accounts.access import can
from accounts.models import User
from campaigns.models.campaign import Campaign
from evaluation.access import Scores, evaluations_shown, front, runs_shown
from evaluation.core.columns import MeasureColumn
from evaluation.models.scores import Evaluation, Score
from runs.from_above import NO_SCORES, BoardScores, Link
from runs.models import Run


def score_links(user: User, run: Run) -> list[Link]:
    """Return the page of the run's scores on the person's board or, failing that, the newest."""
    campaign = run.campaign
    if not can(Scores.see_by_topic, user, campaign):
        return []
    evaluations = list(evaluations_shown(user, campaign).filter(runs=run))
    main = front(user, campaign)
    evaluations.sort(key=lambda each: each == main, reverse=True)
    for evaluation in evaluations:
        score = Score.objects.filter(evaluation=evaluation, run=run).first()
        if score and run.pk in runs_shown(user, evaluation):
            address = reverse("evaluation:run_scores", args=[campaign.slug, score.pk])
            return [Link(f"Scores ({_against(evaluation)})", address)]
    return []


def main_scores(user: User, campaign: Campaign) -> BoardScores:
    """Return the first measure of the person's board, and their runs' values by run id."""
    may_open = can(Scores.see_by_topic, user, campaign)
    evaluation = front(user, campaign) if may_open else None
    if evaluation is None:
        return NO_SCORES
    column = MeasureColumn.of(evaluation.parsed[0])
    shown = evaluation.scores.filter(run__in=runs_shown(user, evaluation))
    rows = shown.values_list("run", "pk", "aggregates__0")
    links = {
        run: Link(
            column.text(value), reverse("evaluation:run_scores", args=[campaign.slug, pk]), value
        )
        for run, pk, value in rows
    }
    return BoardScores(column.name, _against(evaluation), links)


def _against(evaluation: Evaluation) -> str:
    return ", ".join([evaluation.scope.name, *evaluation.marks])

"""Where the scores of a run are, for the pages of the apps below."""

from django.urls import reverse

from accounts.access import can
from accounts.models import User
from campaigns.insights import Link
from campaigns.models import Run
from evaluation.access import check_can_see_scores_by_topic, runs_shown
from evaluation.models import Evaluation, Score


def score_links(user: User, run: Run) -> list[Link]:
    """Return the page of the run's scores in the evaluation that the leaderboard shows, or else in the newest that has it."""
    campaign = run.campaign
    if not can(check_can_see_scores_by_topic, user, campaign) or run.pk not in runs_shown(user, campaign):  # fmt: skip
        return []
    latest = Evaluation.objects.latest_of(campaign)
    found = Score.objects.filter(run=run, evaluation__finished_at__isnull=False)
    score = found.filter(evaluation=latest).first() or found.order_by("-evaluation").first()  # fmt: skip
    if not score:
        return []
    address = reverse("evaluation:run_scores", args=[campaign.slug, score.pk])
    return [Link("Scores", address)]

"""What an organizer does on this floor: have every run scored."""

from django.db import transaction

from assess.models import Qrels
from campaigns import jobs
from campaigns.access import Refused, check_can_organize
from campaigns.models import AuditEvent, Job, Run, User
from evaluation.core.measures import LEADERBOARD
from evaluation.models import Evaluation


@transaction.atomic
def request_evaluation(*, user: User, qrels: Qrels) -> Evaluation:
    """Have the workers score every valid run against a qrels version."""
    check_can_organize(user, qrels.campaign)
    runs = list(Run.objects.filter(campaign=qrels.campaign).valid())
    if not runs:
        raise Refused("There is no valid run to score.")
    evaluation = Evaluation.objects.create(
        campaign=qrels.campaign,
        qrels=qrels,
        measures=[str(m) for m in LEADERBOARD],
        topics=[],
        created_by=user,
    )
    evaluation.runs.set(runs)
    AuditEvent.record(
        qrels.campaign, user, "asked for scores", f"{len(runs)} runs, {qrels}"
    )
    jobs.request(
        campaign=qrels.campaign,
        kind=Job.Kind.SCORE_RUNS,
        subject_id=evaluation.pk,
        user=user,
    )
    return evaluation

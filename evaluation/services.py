"""Have every run scored."""

from collections.abc import Sequence

from django.db import transaction

from accounts.access import Refused
from accounts.models import User
from assess.models import Qrels
from campaigns import jobs
from campaigns.access import check_can_organize
from campaigns.models import AuditEvent, Run
from evaluation import tasks
from evaluation.events import ScoreEvent
from evaluation.models import Evaluation, RuleSet, TopicSet, usual_measures


@transaction.atomic
def request_evaluation(
    *,
    user: User,
    qrels: Qrels,
    measures: Sequence[str] = (),
    rules: str = RuleSet.NINE,
    topic_set: str = TopicSet.JUDGED,
) -> Evaluation:
    """Have workers score every valid run against a qrels version, by the measures named or else the usual ones."""
    check_can_organize(user, qrels.campaign)
    runs = list(Run.objects.filter(campaign=qrels.campaign).valid())
    if not runs:
        raise Refused("There is no valid run to score.")
    evaluation = Evaluation.objects.create(
        campaign=qrels.campaign,
        qrels=qrels,
        measures=list(measures) or usual_measures(),
        rules=rules,
        topic_set=topic_set,
        created_by=user,
    )
    evaluation.runs.set(runs)
    AuditEvent.record(
        qrels.campaign,
        user,
        ScoreEvent.REQUESTED,
        qrels,
        runs=len(runs),
        rules=rules,
        topic_set=topic_set,
    )
    jobs.request(
        campaign=qrels.campaign,
        kind=tasks.score_runs,
        subject_id=evaluation.pk,
        user=user,
    )
    return evaluation

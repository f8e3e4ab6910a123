"""Have every run scored."""

from collections.abc import Sequence

from django.db import transaction

from accounts.access import Refused
from accounts.models import User
from assess.models import Qrels
from campaigns import jobs
from campaigns.access import check_can_organize
from campaigns.models import AuditEvent, Campaign, Run
from evaluation import tasks
from evaluation.access import check_can_score, check_is_new
from evaluation.events import ScoreEvent
from evaluation.models import Evaluation, RuleSet, TopicSet, usual_measures
from evaluation.placing import graded_by


@transaction.atomic
def request_evaluation(
    *,
    user: User,
    qrels: Qrels,
    measures: Sequence[str] = (),
    rules: str = RuleSet.NINE,
    topic_set: str = TopicSet.JUDGED,
    without: Qrels | None = None,
) -> Evaluation:
    """Have workers score every valid run against a qrels version, by the measures named or else the usual ones.

    Documents judged in the version `without` are left out of runs and judgments.
    """
    campaign, choices = qrels.campaign, {"rules": rules, "topic_set": topic_set}
    check_can_organize(user, campaign)
    if without and not graded_by(qrels, without).n_topics:
        raise Refused(f"Nothing is left to score against: {without} has every document judged in {qrels}.")  # fmt: skip
    runs = list(Run.objects.filter(campaign=campaign).valid())
    names = list(measures) or usual_measures()
    # The lock makes the second of two equal requests see the first.
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    check_can_score(qrels, runs)
    check_is_new(qrels, runs, measures=names, without=without, **choices)
    evaluation = Evaluation.objects.create(
        campaign=campaign,
        qrels=qrels,
        without=without,
        measures=names,
        created_by=user,
        **choices,
    )
    evaluation.runs.set(runs)
    AuditEvent.record(
        campaign,
        user,
        ScoreEvent.REQUESTED,
        qrels,
        runs=len(runs),
        **choices,
        **({"without": without.number} if without else {}),
    )
    jobs.request(
        campaign=campaign, kind=tasks.score_runs, subject_id=evaluation.pk, user=user
    )
    return evaluation

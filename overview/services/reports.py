"""Ask for a report on an evaluation."""

from accounts.access import Refused
from accounts.models import User
from campaigns.acting import act
from campaigns.models.trail import AuditEvent
from evaluation.access import Scores
from evaluation.events import ScoreEvent
from evaluation.models.scores import Evaluation
from jobs import work
from jobs.models import Job
from overview import tasks


@act(Scores.report)
def request_report(*, user: User, evaluation: Evaluation) -> Job:
    """Have a worker make the report; the one that is being made is not asked for twice."""
    # The lock makes the second of two equal requests see the first.
    Evaluation.objects.select_for_update(no_key=True, of=("self",)).get(pk=evaluation.pk)
    earlier = Job.objects.about(tasks.write_report.name, evaluation.pk)
    if earlier and not earlier.is_finished:
        raise Refused("This report is being made already.")
    AuditEvent.record(evaluation.campaign, user, ScoreEvent.REPORTED, evaluation.qrels)
    return work.request(
        campaign=evaluation.campaign, kind=tasks.write_report, subject_id=evaluation.pk, user=user
    )

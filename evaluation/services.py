"""Have every run scored, and release scores, qrels and the like."""

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from accounts.access import Refused, check_seen
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.models.trail import AuditEvent
from evaluation import tasks
from evaluation.access import check_can_score, check_can_study, check_is_new
from evaluation.events import ScoreEvent
from evaluation.models.measured import RuleSet, TopicSet, usual_measures
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import graded_by
from evaluation.releasing import check_can_release, check_is_other, described, released
from jobs import work
from qrels.models import Qrels
from runs.models import Run
from trec.versions import version


@in_campaign
def request_evaluation(
    *,
    user: User,
    qrels: Qrels,
    measures: Sequence[str] = (),
    rules: str = RuleSet.NINE,
    topic_set: str = TopicSet.JUDGED,
    without: Qrels | None = None,
) -> Evaluation:
    """Have workers score every valid run, by the measures named or else the usual ones.

    Documents judged in the version `without` are left out of runs and judgments.
    """
    campaign, choices = qrels.campaign, {"rules": rules, "topic_set": topic_set}
    check_can_organize(user, campaign)
    if without and not graded_by(qrels, without).n_topics:
        raise Refused(
            f"Nothing is left to score against: {without} has every document judged in {qrels}."
        )
    runs = list(Run.objects.filter(campaign=campaign).valid())
    names = list(measures) or usual_measures()
    # The lock makes the second of two equal requests see the first.
    _lock(campaign)
    check_can_score(qrels, runs)
    check_is_new(qrels, runs, measures=names, without=without, **choices)
    _mark_scored(runs)
    evaluation = Evaluation.objects.create(
        campaign=campaign, qrels=qrels, without=without, measures=names, created_by=user, **choices
    )
    evaluation.runs.set(runs)
    facts = {"runs": len(runs), **choices, **({"without": without.number} if without else {})}
    AuditEvent.record(campaign, user, ScoreEvent.REQUESTED, qrels, **facts)
    work.request(campaign=campaign, kind=tasks.score_runs, subject_id=evaluation.pk, user=user)
    return evaluation


@in_campaign
def request_study(*, user: User, evaluation: Evaluation) -> None:
    """Have a worker compute what the measures and topics of an evaluation can tell."""
    campaign = evaluation.campaign
    check_can_organize(user, campaign)
    # The lock makes the second of two requests see the first.
    _lock(campaign)
    check_can_study(evaluation)
    AuditEvent.record(campaign, user, ScoreEvent.STUDIED, evaluation.qrels)
    work.request(campaign=campaign, kind=tasks.study, subject_id=evaluation.pk, user=user)


@in_campaign
def release(
    *,
    user: User,
    campaign: Campaign,
    what: str,
    audience: str,
    subject_id: int | None = None,
    from_at: datetime | None = None,
    seen: str | None = None,
) -> Release:
    """Let people see something from now on, or from a moment, instead of what they saw of it.

    `seen` is the version of what is `released` of it.
    """
    check_can_organize(user, campaign)
    _lock(campaign, what, seen)
    of_it = campaign.releases.filter(what=what, audience=audience)
    before = of_it.first()
    now = Release(
        pk=before.pk if before else None,
        campaign=campaign,
        what=what,
        audience=audience,
        subject_id=subject_id,
        from_at=from_at or timezone.now(),
    )
    check_can_release(now)
    check_is_other(before, now)
    now.save()
    change = {"before": described(before), "after": described(now)}
    AuditEvent.record(campaign, user, ScoreEvent.RELEASED, now, **change)
    return now


@in_campaign
def replace_scores(*, user: User, evaluation: Evaluation, by: Evaluation) -> None:
    """Release other scores instead of these, to the same people from the same moment on."""
    campaign = evaluation.campaign
    check_can_organize(user, campaign)
    _lock(campaign)
    rows = list(evaluation.releases)
    if not rows:
        raise Refused("These scores are not released any more. Look at what is, then decide again.")
    for row in rows:
        before = described(row)
        row.subject_id = by.pk
        check_can_release(row)
        row.save()
        change = {"before": before, "after": described(row)}
        AuditEvent.record(campaign, user, ScoreEvent.RELEASED, row, **change)


@in_campaign
def take_back_release(
    *, user: User, campaign: Campaign, what: str, audience: str, seen: str | None = None
) -> None:
    """Let people no longer see something."""
    check_can_organize(user, campaign)
    _lock(campaign, what, seen)
    row = campaign.releases.filter(what=what, audience=audience).first()
    if row is None:
        raise Refused("It is not released, so there is nothing to take back.")
    change = {"before": described(row), "after": ""}
    row.delete()
    AuditEvent.record(campaign, user, ScoreEvent.TAKEN_BACK, row, **change)


def _lock(campaign: Campaign, what: str = "", seen: str | None = None) -> None:
    """Keep qrels from being withdrawn, and others from releasing, until the transaction ends."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    now = released(campaign, what)
    check_seen(seen, version(now), f"What is released, now {now},")


def _mark_scored(runs: Sequence[Run]) -> None:
    """Note that a board has these runs; Refused if one has just been withdrawn or found invalid."""
    # The update reads the state of each row once it has locked it.
    valid = Run.objects.filter(pk__in=[run.pk for run in runs]).valid()
    if valid.update(is_scored=True) != len(runs):
        raise Refused("A run has just been withdrawn, disqualified or found invalid. Score again.")

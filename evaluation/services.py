"""Have every run scored, and release scores, qrels and the like."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from accounts.access import Refused, Verb, check, check_accepted, check_seen
from accounts.models import User
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version
from evaluation import completeness, leaving_out, tasks, varying
from evaluation.access import (
    Releases,
    Scores,
    check_can_score,
    check_is_idle,
    check_is_new,
    check_is_round,
)
from evaluation.core.scope import Scope
from evaluation.events import ScoreEvent
from evaluation.models.measured import RuleSet, usual_measures
from evaluation.models.reviews import Review
from evaluation.models.scopes import runs_in
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import graded_of
from evaluation.releasing import (
    ONE_BY_ONE,
    check_can_release,
    check_is_other,
    described,
    in_short,
    named,
    released,
    teams_hidden,
    to_name,
)
from jobs import work
from jobs.models import Job
from pooling.models.pools import Pool
from runs.models import Run


@act(Scores.request)
def request_evaluation(
    *,
    user: User,
    campaign: Campaign,
    scope: Scope,
    measures: Sequence[str] = (),
    rules: str = RuleSet.NINE,
) -> Evaluation:
    """Have workers score the valid runs of a scope, by the measures named or the usual ones.

    A choice of all of them is no choice.
    """
    # The lock makes the second of two equal requests see the first.
    _lock(campaign)
    check_is_round(campaign, scope.round)
    how = {"measures": list(measures) or usual_measures(), "rules": rules}
    asked = Evaluation.of(campaign, scope, created_by=user, **how)
    runs = list(runs_in(campaign, scope))
    check_can_score(asked, runs)
    asked.n_available = Run.objects.of_round(campaign, scope.round).valid().count()
    if len(runs) == asked.n_available:
        asked.scope = replace(scope, chosen=())
    check_is_new(asked, runs)
    _fix_topics(asked)
    _mark_scored(runs)
    asked.save()
    asked.runs.set(runs)
    facts = {"runs": len(runs), "rules": rules, **asked.scope.to_json()}
    AuditEvent.record(campaign, user, ScoreEvent.REQUESTED, asked.qrels, **facts)
    work.request(campaign=campaign, kind=tasks.score_runs, subject_id=asked.pk, user=user)
    return asked


def _fix_topics(asked: Evaluation) -> None:
    """Note the topics, which never change from now on, and how many judgments they have."""
    graded = graded_of(asked)
    if not graded.n_topics:
        name = asked.scope.name
        raise Refused(f"Nothing is left to score against: {name} have no judgments.")
    asked.topics, asked.n_judgments = list(graded.topics), len(graded.grades)


def number_boards(campaign: Campaign) -> None:
    """Have the boards of a campaign's only round be of round 1 once there are others, and back."""
    boards, number = Evaluation.objects.of(campaign), None
    if campaign.has_rounds:
        boards, number = boards.exclude(scope__has_key="round"), 1
    for each in boards.order_by("pk"):
        each.scope = replace(each.scope, round=number)
        each.save(update_fields=["scope"])


@in_campaign
def request_study(*, user: User, evaluation: Evaluation) -> Job:
    """Have a worker compute what the measures and topics of an evaluation can tell."""
    return _request(user, evaluation, Scores.study, ScoreEvent.STUDIED, tasks.study)


@in_campaign
def request_reusability(*, user: User, evaluation: Evaluation) -> Job:
    """Have a worker score each run without what it, or its team, alone brought into the pool."""
    return _request(user, evaluation, Scores.leave_out, ScoreEvent.LEFT_OUT, leaving_out.leave_out)


@in_campaign
def request_disagreement(*, user: User, evaluation: Evaluation) -> Job:
    """Have a worker see what disagreement between the assessors does to the ranking."""
    return _request(user, evaluation, Scores.vary, ScoreEvent.VARIED, varying.vary_assessors)


def _request(
    user: User,
    evaluation: Evaluation,
    verb: Verb[Evaluation],
    event: ScoreEvent,
    kind: work.JobKind,
) -> Job:
    campaign = evaluation.campaign
    # The lock makes the second of two requests see the first.
    _lock(campaign)
    check(verb, user, evaluation)
    AuditEvent.record(campaign, user, event, evaluation.qrels)
    return work.request(campaign=campaign, kind=kind, subject_id=evaluation.pk, user=user)


@act(Scores.review_pool)
def request_review(*, user: User, campaign: Campaign) -> Review:
    """Have a worker see how completely the pool is judged."""
    _lock(campaign)
    pool = Pool.objects.kept(campaign.pk)
    if pool is None:
        raise Refused("No pool is frozen, so nothing can have been judged.")
    last = Review.objects.filter(pool=pool).last()
    if last:
        check_is_idle(completeness.review_pool.name, last.pk, "How completely the pool is judged")
    review = Review.objects.create(campaign=campaign, pool=pool, created_by=user)
    AuditEvent.record(campaign, user, ScoreEvent.REVIEWED, pool)
    work.request(campaign=campaign, kind=completeness.review_pool, subject_id=review.pk, user=user)
    return review


@act(Releases.make)
def release(
    *,
    user: User,
    campaign: Campaign,
    what: str,
    audience: str,
    subject_id: int | None = None,
    from_at: datetime | None = None,
    seen: str | None = None,
    accepts: str | None = None,
) -> Release:
    """Let people see something from now on, or from a moment, instead of what they saw of it.

    Of runs and topics those are named that there are now; `subject_id` is their round. `seen` is
    the version of what is `released` of it. To take the runs of teams off the leaderboard is
    refused until `accepts` is the sentence that names them, or None.
    """
    _lock(campaign, what, seen)
    if from_at and from_at < timezone.now():
        raise Refused("That is past: nobody saw it then. For now, give no date.")
    before = campaign.releases.standing().filter(what=what, audience=audience).first()
    to_whom = {"campaign": campaign, "what": what, "audience": audience}
    now = Release(**to_whom, subject_id=subject_id, from_at=from_at or timezone.now())
    check_can_release(now)
    check_is_other(before, now)
    check_accepted(teams_hidden(now), accepts)
    return _put(user, before, now)


def _put(user: User, before: Release | None, now: Release) -> Release:
    """Store a release in place of the one before, which stays on record."""
    was = described(before)
    if before:
        _end(before)
    now.save()
    if now.what in ONE_BY_ONE:
        names = now.runs if now.what == Release.What.RUNS else now.topics
        names.set(to_name(now.campaign, now.what, now.subject_id))
    change = {"before": was, "after": described(now)}
    subject = f"{in_short(now)}{f', in place of {named(before)}' if before else ''}"
    AuditEvent.record(now.campaign, user, ScoreEvent.RELEASED, subject, **change)
    return now


def _end(release: Release) -> None:
    release.ended_at = timezone.now()
    release.save(update_fields=["ended_at"])


@act(Releases.replace)
def replace_scores(*, user: User, evaluation: Evaluation, by: Evaluation) -> None:
    """Release other scores instead of these, to the same people from the same moment on."""
    campaign = evaluation.campaign
    _lock(campaign)
    rows = list(evaluation.releases)
    if not rows:
        raise Refused("These scores are not released any more. Look at what is, then decide again.")
    for row in rows:
        from_at = timezone.now() if row.is_in_force else row.from_at
        to_whom = {"campaign": campaign, "what": row.what, "audience": row.audience}
        now = Release(**to_whom, subject_id=by.pk, from_at=from_at)
        check_can_release(now)
        _put(user, row, now)


@act(Releases.take_back)
def take_back_release(
    *, user: User, campaign: Campaign, what: str, audience: str, seen: str | None = None
) -> None:
    """Let people no longer see something."""
    _lock(campaign, what, seen)
    row = campaign.releases.standing().filter(what=what, audience=audience).first()
    if row is None:
        raise Refused("It is not released, so there is nothing to take back.")
    was, subject = described(row), in_short(row)
    _end(row)
    AuditEvent.record(campaign, user, ScoreEvent.TAKEN_BACK, subject, before=was, after="")


def _lock(campaign: Campaign, what: str = "", seen: str | None = None) -> Campaign:
    """Keep qrels from being withdrawn, and others from releasing, until the transaction ends."""
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    now = released(campaign, what)
    check_seen(seen, version(now), "What is released")
    return locked


def _mark_scored(runs: Sequence[Run]) -> None:
    """Note that a board has these runs; Refused if one has just been withdrawn or found invalid."""
    # The update reads the state of each row once it has locked it.
    valid = Run.objects.filter(pk__in=[run.pk for run in runs]).valid()
    if valid.update(is_scored=True) != len(runs):
        raise Refused("A run has just been withdrawn, disqualified or found invalid. Score again.")

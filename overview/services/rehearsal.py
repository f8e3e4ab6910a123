"""Throw a rehearsal away: the frozen pool and every answer since."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import get_text_list

from accounts.access import Refused, check, check_seen
from accounts.models import User
from assess.core.purposes import PRACTICE
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.sharing import SharedQueue
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services.ending import erase
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from overview.access import NOTHING_TO_THROW_AWAY, WholeCampaigns
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool
from questions.models import Question, TopicNote
from runs.checking import request_recheck
from runs.models import Run


@transaction.atomic
def throw_away_rehearsal(*, user: User, campaign: Campaign, seen: str | None = None) -> None:
    """Delete the frozen pool and all answers; the grades can then be changed again.

    `seen` is the version of what `describe_rehearsal` says.
    """
    # Waits for every act in the campaign, which holds a key-share lock.
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    check(WholeCampaigns.throw_away_rehearsal, user, campaign)
    going = describe_rehearsal(campaign)
    if not going:
        raise Refused(NOTHING_TO_THROW_AWAY)
    check_seen(seen, version(going), f"What would go, now {going},")
    counts = {what: rows.count() for what, rows in _going(campaign).items()}
    AuditEvent.record(campaign, user, AssessEvent.REHEARSAL_THROWN_AWAY, going, counts=counts)
    Run.objects.filter(campaign=campaign, is_pooled=True).update(is_pooled=False)
    request_recheck(campaign, user)  # pooled runs stayed valid, whatever their checks found
    Campaign.objects.filter(pk=campaign.pk).update(has_fixed_scale=False)
    judged = Assignment.objects.filter(topic__campaign=campaign)
    graded = OfficialGrade.objects.filter(item__campaign=campaign)
    for roots in (graded, judged, _frozen(campaign), *_apart(campaign).values()):
        erase(roots)


def describe_rehearsal(campaign: Campaign) -> str:
    """Return what would be deleted, as in "12 pooled documents and 2 assignments", or ""."""
    counts = {what: rows.count() for what, rows in _going(campaign).items()}
    return str(get_text_list([counted(n, what) for what, n in counts.items() if n], "and"))


def _frozen(campaign: Campaign) -> QuerySet[Pool]:
    return Pool.objects.filter(campaign=campaign)


def _going(campaign: Campaign) -> Mapping[str, QuerySet[Any]]:
    """Return the rows that would be deleted, by what people call them."""
    of_pool = {"pool__in": _frozen(campaign)}
    events = JudgmentEvent.objects.filter(judgment__topic__campaign=campaign)
    return {
        "pooled document": PoolEntry.objects.with_grades_in(campaign),
        "assignment": Assignment.objects.counting().filter(**of_pool),
        "shared topic": SharedQueue.objects.filter(**of_pool),
        "answer": Judgment.objects.served().filter(topic__campaign=campaign),
        "judgment event": events.exclude(judgment__purpose=PRACTICE),
        **_apart(campaign),
    }


def _apart(campaign: Campaign) -> Mapping[str, QuerySet[Any]]:
    """Return the answers and notes that do not depend on the pool."""
    return {
        "practice answer": Judgment.objects.practice().filter(topic__campaign=campaign),
        "question": Question.objects.filter(topic__campaign=campaign),
        "topic note": TopicNote.objects.filter(topic__campaign=campaign),
    }

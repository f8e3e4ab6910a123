"""What has been released in a campaign, as rows."""

from datetime import timedelta

from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from evaluation.models.scores import Evaluation
from evaluation.releasing import ONE_BY_ONE, to_name
from pooling.models.pools import Pool
from qrels.models import Qrels

TEAMS, ALL = "participants", "everybody"
NEWEST = {"scores": Evaluation, "qrels": Qrels, "agreement": Qrels}


def show_to(
    campaign: Campaign, *audiences: str, what: str = "scores", subject: int | None = None
) -> None:
    """Release something to just these, as of an hour ago: the newest unless others are named."""
    if what in NEWEST and subject is None:
        subject = NEWEST[what].objects.filter(campaign=campaign).latest("pk").pk
    if what == "pool" and subject is None:
        subject = Pool.objects.get(campaign=campaign).version
    campaign.releases.filter(what=what).delete()
    at = timezone.now() - timedelta(hours=1)
    for audience in audiences:
        if (what, audience) != ("topics", TEAMS):
            row = Release.objects.create(
                campaign=campaign, what=what, audience=audience, subject_id=subject, from_at=at
            )
            if what in ONE_BY_ONE:
                named = row.runs if what == "runs" else row.topics
                named.set(to_name(campaign, what, subject))

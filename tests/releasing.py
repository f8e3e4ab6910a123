"""What has been released in a campaign, as rows."""

from datetime import timedelta

from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from evaluation.models.scores import Evaluation
from qrels.models import Qrels

TEAMS, ALL = "participants", "everybody"


def show_to(
    campaign: Campaign, *audiences: str, what: str = "scores", subject: int | None = None
) -> None:
    """Release something to just these, as of an hour ago: the newest unless others are named."""
    newest = {"scores": Evaluation, "qrels": Qrels}
    if what in newest and subject is None:
        subject = newest[what].objects.filter(campaign=campaign).latest("pk").pk
    campaign.releases.filter(what=what).delete()
    at = timezone.now() - timedelta(hours=1)
    for audience in audiences:
        if (what, audience) != ("topics", TEAMS):
            Release.objects.create(
                campaign=campaign, what=what, audience=audience, subject_id=subject, from_at=at
            )

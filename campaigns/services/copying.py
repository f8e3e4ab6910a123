"""Copy a campaign."""

import secrets
from collections.abc import Collection

from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.copying import copy_parts, parts, settings_of
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import establish
from jobs import work


@in_campaign
def copy_campaign(
    *, user: User, campaign: Campaign, name: str, taking: Collection[str] = ()
) -> Campaign:
    """Make a campaign with the settings of another; a worker copies the `copying.parts` taken."""
    source = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_can_organize(user, source)
    asked = [each for each in parts() if each in taking]
    copy = Campaign(name=name, seed=secrets.randbits(62), **settings_of(source))
    establish(copy, user)
    detail = {"source": source.pk, "copy": copy.pk, "parts": asked}
    for each in (source, copy):
        AuditEvent.record(
            each, user, CampaignEvent.COPIED, f"{source} to {copy}", **detail
        )
    if asked:
        about = ", ".join(asked)
        work.request(
            campaign=copy, kind=copy_parts, subject_id=source.pk, user=user, about=about
        )
    return copy

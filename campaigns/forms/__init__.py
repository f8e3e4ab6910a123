"""What people may send to create a campaign, import, submit and invite."""

from campaigns.forms.campaign import TIME_ZONES, CampaignForm, Moment
from campaigns.forms.imports import (
    IN_REQUEST_BYTES,
    DocumentSearchForm,
    DocumentsForm,
    TopicsForm,
)
from campaigns.forms.leaving import RemovalForm
from campaigns.forms.people import InvitationForm, MergeForm, TeamNameForm
from campaigns.forms.runs import RunForm

__all__ = [
    "IN_REQUEST_BYTES",
    "TIME_ZONES",
    "CampaignForm",
    "DocumentSearchForm",
    "DocumentsForm",
    "InvitationForm",
    "MergeForm",
    "Moment",
    "RemovalForm",
    "RunForm",
    "TeamNameForm",
    "TopicsForm",
]

"""What people may send to create a campaign, import, submit and invite."""

from campaigns.forms.campaign import TIME_ZONES, CampaignForm, Moment
from campaigns.forms.imports import (
    CollectionForm,
    ConfirmForm,
    DocumentSearchForm,
    DocumentsForm,
    ShownForm,
    TopicsForm,
)
from campaigns.forms.leaving import RemovalForm
from campaigns.forms.people import InvitationForm, MergeForm, TeamNameForm
from campaigns.forms.runs import RunForm

__all__ = [
    "TIME_ZONES",
    "CampaignForm",
    "CollectionForm",
    "ConfirmForm",
    "DocumentSearchForm",
    "DocumentsForm",
    "InvitationForm",
    "MergeForm",
    "Moment",
    "RemovalForm",
    "RunForm",
    "ShownForm",
    "TeamNameForm",
    "TopicsForm",
]

"""What people may send to create a campaign, import, submit and invite."""

from campaigns.forms.campaign import (
    TIME_ZONES,
    CampaignForm,
    DeletionForm,
    Moment,
    zone_of,
)
from campaigns.forms.imports import (
    CollectionForm,
    ConfirmForm,
    DocumentSearchForm,
    DocumentsForm,
    SeenForm,
    ShownForm,
    TopicSearchForm,
    TopicsForm,
)
from campaigns.forms.leaving import RemovalForm
from campaigns.forms.merging import MergingForm
from campaigns.forms.people import (
    InvitationForm,
    MemberSearchForm,
    MergeForm,
    RenamingForm,
    TeamNameForm,
    TeamSearchForm,
)
from campaigns.forms.runs import RunForm

__all__ = [
    "TIME_ZONES",
    "CampaignForm",
    "CollectionForm",
    "ConfirmForm",
    "DeletionForm",
    "DocumentSearchForm",
    "DocumentsForm",
    "InvitationForm",
    "MemberSearchForm",
    "MergeForm",
    "MergingForm",
    "Moment",
    "RemovalForm",
    "RenamingForm",
    "RunForm",
    "SeenForm",
    "ShownForm",
    "TeamNameForm",
    "TeamSearchForm",
    "TopicSearchForm",
    "TopicsForm",
    "zone_of",
]

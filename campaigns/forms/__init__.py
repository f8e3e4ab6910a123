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
    TopicsForm,
    UndoForm,
)
from campaigns.forms.leaving import RemovalForm
from campaigns.forms.merging import MergingForm
from campaigns.forms.people import (
    InvitationForm,
    MergeForm,
    RenamingForm,
    TeamNameForm,
    TeamSearchForm,
)
from campaigns.forms.runs import RunForm
from campaigns.forms.searching import SearchForm

__all__ = [
    "TIME_ZONES",
    "CampaignForm",
    "CollectionForm",
    "ConfirmForm",
    "DeletionForm",
    "DocumentSearchForm",
    "DocumentsForm",
    "InvitationForm",
    "MergeForm",
    "MergingForm",
    "Moment",
    "RemovalForm",
    "RenamingForm",
    "RunForm",
    "SearchForm",
    "SeenForm",
    "ShownForm",
    "TeamNameForm",
    "TeamSearchForm",
    "TopicsForm",
    "UndoForm",
    "zone_of",
]

"""What people may send to judge, to assign topics, and to publish or import qrels."""

from assess.forms.assigning import (
    AssignmentForm,
    DistributionForm,
    HandOverForm,
    LimitsForm,
    ReopenForm,
    ResetForm,
    RestoreForm,
    TakeBackForm,
)
from assess.forms.judging import JudgmentForm, ProvenanceForm
from assess.forms.publishing import (
    ImportForm,
    PublishForm,
    UploadForm,
    WithdrawForm,
)

__all__ = [
    "AssignmentForm",
    "DistributionForm",
    "HandOverForm",
    "ImportForm",
    "JudgmentForm",
    "LimitsForm",
    "ProvenanceForm",
    "PublishForm",
    "ReopenForm",
    "ResetForm",
    "RestoreForm",
    "TakeBackForm",
    "UploadForm",
    "WithdrawForm",
]

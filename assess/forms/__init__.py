"""What people may send to judge, to assign topics, and to publish or import qrels."""

from assess.forms.judging import (
    AssignmentForm,
    DistributionForm,
    JudgmentForm,
    ProvenanceForm,
)
from assess.forms.publishing import (
    ImportForm,
    PublishForm,
    UploadForm,
    WithdrawForm,
)

__all__ = [
    "AssignmentForm",
    "DistributionForm",
    "ImportForm",
    "JudgmentForm",
    "ProvenanceForm",
    "PublishForm",
    "UploadForm",
    "WithdrawForm",
]

"""What people may send to judge, to assign topics, and to publish or import qrels."""

from assess.forms.acts import MOST_ACTS, Sent, acts_sent
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
from assess.forms.notes import NoteForm
from assess.forms.publishing import (
    ImportForm,
    PublishForm,
    UploadForm,
    WithdrawForm,
)
from assess.forms.questions import AnswerForm, QuestionForm, SeenForm

__all__ = [
    "MOST_ACTS",
    "AnswerForm",
    "AssignmentForm",
    "DistributionForm",
    "HandOverForm",
    "ImportForm",
    "JudgmentForm",
    "LimitsForm",
    "NoteForm",
    "ProvenanceForm",
    "PublishForm",
    "QuestionForm",
    "ReopenForm",
    "ResetForm",
    "RestoreForm",
    "SeenForm",
    "Sent",
    "TakeBackForm",
    "UploadForm",
    "WithdrawForm",
    "acts_sent",
]

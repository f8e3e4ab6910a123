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
from assess.forms.judging import JudgmentForm, ProvenanceForm, marked, rated
from assess.forms.known import KnownForm, RemoveKnownForm
from assess.forms.notes import NoteForm
from assess.forms.practice import (
    ConfirmPracticeForm,
    PracticeAnswerForm,
    PracticeForm,
)
from assess.forms.publishing import (
    ImportForm,
    PublishForm,
    UploadForm,
    WithdrawForm,
)
from assess.forms.questions import AnswerForm, QuestionForm, SeenForm
from assess.forms.sharing import ChangeSharingForm, JoinForm, ShareForm, UnshareForm

__all__ = [
    "MOST_ACTS",
    "AnswerForm",
    "AssignmentForm",
    "ChangeSharingForm",
    "ConfirmPracticeForm",
    "DistributionForm",
    "HandOverForm",
    "ImportForm",
    "JoinForm",
    "JudgmentForm",
    "KnownForm",
    "LimitsForm",
    "NoteForm",
    "PracticeAnswerForm",
    "PracticeForm",
    "ProvenanceForm",
    "PublishForm",
    "QuestionForm",
    "RemoveKnownForm",
    "ReopenForm",
    "ResetForm",
    "RestoreForm",
    "SeenForm",
    "Sent",
    "ShareForm",
    "TakeBackForm",
    "UnshareForm",
    "UploadForm",
    "WithdrawForm",
    "acts_sent",
    "marked",
    "rated",
]

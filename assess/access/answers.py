"""What an answer may contain, whatever it is about."""

from accounts.access import Refused
from assess.core.answers import Answer, Provenance
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import MISSING
from campaigns.core.grades import Scale
from collection.core.readability import EMPTY, UNREADABLE
from trec.streams import storable

MAX_COMMENT_LENGTH = 10_000
MAX_DOCNO_LENGTH = 255  # the most the column holds
# What page and API say if an answer lacks something.
NO_CLIENT_ID = (
    "The answer has no client_id: send a new UUID with each answer, "
    "so that one sent twice counts once."
)
NO_DOCNO = "The answer does not say which document it is about: docno is missing."
NO_ANSWER = "Give a grade, put the document off, or say that it cannot be judged."
# Why a document cannot be graded, and the reason to give instead.
FAULTS = {
    MISSING: ("has not been imported", "missing"),
    EMPTY: ("is empty", "missing"),
    UNREADABLE: ("holds mostly characters that could not be decoded", "unreadable"),
}
MAX_TIME_MS = 2**31 - 1  # the most the column holds: 24 days


class Stale(Refused):
    """Refused because what the client shows has changed. The page keeps what was typed."""


class Invalid(Refused):
    """Refused because of what was sent in `field`."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


def check_answer(answer: Answer, scale: Scale) -> None:
    """Refuse an answer that a judgment may not have. Form and API check only types."""
    is_judged = answer.state == Judgment.State.JUDGED
    is_impossible = answer.state == Judgment.State.CANNOT_JUDGE
    reason, comment = answer.reason, answer.comment or ""
    reasons = Judgment.Reason.values
    too_long = f"A comment has at most {MAX_COMMENT_LENGTH:,} characters"
    _refuse(
        ("state", not is_judged and not is_impossible and answer.state != "later", NO_ANSWER),
        ("grade", is_judged and answer.grade is None, "A judged document needs a grade."),
        (
            "grade",
            not is_judged and answer.grade is not None,
            "Only a judged document has a grade.",
        ),
        ("reason", is_impossible and not reason, "Say why the document cannot be judged."),
        (
            "reason",
            not is_impossible and bool(reason),
            "Only a document that cannot be judged has a reason.",
        ),
        ("reason", reason not in ["", *reasons], f"A reason is one of {', '.join(reasons)}."),
        (
            "comment",
            len(comment) > MAX_COMMENT_LENGTH,
            f"{too_long}; this one has {len(comment):,}.",
        ),
        (
            "comment",
            storable(comment) != comment,
            "A comment may not contain NUL characters or lone surrogates.",
        ),
    )
    if is_judged and answer.grade not in scale.fixed:
        raise Refused(f"{answer.grade} is not a grade of this campaign's scale.")


def check_provenance(provenance: Provenance) -> None:
    times, methods = range(MAX_TIME_MS + 1), JudgmentEvent.Method.values
    sentence = f"Times are milliseconds, from 0 to {MAX_TIME_MS:,}."
    _refuse(
        ("method", provenance.method not in methods, f"A method is one of {', '.join(methods)}."),
        ("active_ms", provenance.active_ms not in times, sentence),
        ("away_ms", provenance.away_ms not in times, sentence),
    )


def _refuse(*faults: tuple[str, bool, str]) -> None:
    """Raise `Invalid` for the first fault; each is (field, whether it is wrong, sentence)."""
    for field, is_wrong, sentence in faults:
        if is_wrong:
            raise Invalid(field, sentence)

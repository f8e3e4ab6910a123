"""What an answer may contain, whatever it is about."""

from accounts.access import Invalid, Refused
from assess.core.answers import Answer, Provenance
from assess.models.disputes import disputes
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import MISSING, AssignmentEntry
from campaigns.core.criteria import Criterion
from cleverdon.trec.streams import storable
from collection.core.readability import EMPTY, UNREADABLE

MAX_COMMENT_LENGTH = 10_000
MAX_DOCNO_LENGTH = 255  # the most the column holds
# What page and API say if an answer lacks something.
NO_CLIENT_ID = (
    "The answer has no client_id: send a new UUID with each answer, "
    "so that one sent twice counts once."
)
NO_DOCNO = "The answer does not say which document it is about: docno is missing."
NO_ANSWER = (
    "Give a grade, put the document off, or say that it cannot be judged. "
    "A grade is a whole number."
)
NO_REASON = "Only a document that cannot be judged has a reason."
LONGEST = f"A comment has at most {MAX_COMMENT_LENGTH:,} characters"
NOT_STORABLE = "A comment may not contain NUL characters or lone surrogates."
# Why a document cannot be graded, and the reason to give instead.
FAULTS = {
    MISSING: ("has not been imported", "missing"),
    EMPTY: ("is empty", "missing"),
    UNREADABLE: ("holds mostly characters that could not be decoded", "unreadable"),
}
MAX_TIME_MS = 2**31 - 1  # the most the column holds: 24 days


class Stale(Refused):
    """Refused because what the client shows has changed. The page keeps what was typed."""


def check_is_practised(entry: AssignmentEntry) -> None:
    """Refuse a document that has left practice, or is left out, while a page showed it."""
    if not entry.assignment.is_practice:
        return
    known, scale = entry.known, entry.assignment.topic.campaign.scale
    if known is None or entry.served.fault or not scale.has(known.grade):
        raise Refused(f"{entry.docno} is no longer a practice document.")


def check_is_disputed(entry: AssignmentEntry) -> None:
    """Refuse an adjudicator's first answer on a document whose assessors agree by now."""
    of = entry.assignment
    if not of.is_adjudication or entry.state in Judgment.DECIDED_STATES:
        return
    campaign, topic = of.topic.campaign, of.topic_id
    if not disputes(campaign, [topic], of.least_steps or 1, items=[entry.item_id]):
        raise Stale(f"{entry.docno} is no longer in dispute, so nothing was recorded.")


def check_answer(answer: Answer, first: Criterion) -> None:
    """Refuse an answer that a judgment may not have. Form and API check only types.

    `first` is the criterion whose answer is the grade.
    """
    state, grade, reason = answer.state, answer.grade, answer.reason
    is_judged, is_impossible = state == "judged", state == "cannot_judge"
    comment, reasons = answer.comment or "", Judgment.Reason.values
    one_of = f"A reason is one of {', '.join(reasons)}."
    too_long = f"{LONGEST}; this one has {len(comment):,}."
    _refuse(
        ("state", not is_judged and not is_impossible and state != "later", NO_ANSWER),
        ("grade", is_judged and grade is None, "A judged document needs a grade."),
        ("grade", not is_judged and grade is not None, "Only a judged document has a grade."),
        ("reason", is_impossible and not reason, "Say why the document cannot be judged."),
        ("reason", not is_impossible and bool(reason), NO_REASON),
        ("reason", reason not in ["", *reasons], one_of),
        ("comment", len(comment) > MAX_COMMENT_LENGTH, too_long),
        ("comment", storable(comment) != comment, NOT_STORABLE),
    )
    if is_judged and grade not in first.fixed:
        raise Refused(f"{grade} is not a grade of this campaign's scale.")


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

"""What an answer may contain, and what it must be about."""

from collections.abc import Iterable, Mapping

from django.utils.text import get_text_list

from accounts.access import Refused
from assess.core.answers import Answer, Provenance, Seen
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import MISSING, AssignmentEntry, ServedDocument
from campaigns.core.criteria import MAX_NAME_LENGTH, Criterion
from campaigns.core.grades import Scale
from collection.core.readability import EMPTY, UNREADABLE
from collection.models.texts import Topic
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
NO_EVIDENCE = "This campaign no longer takes passages as evidence: load the page again."
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


def check_is_practised(entry: AssignmentEntry) -> None:
    """Refuse a document that has left practice while a page showed it."""
    if entry.assignment.is_practice and entry.known is None:
        raise Refused(f"{entry.docno} is no longer a practice document.")


def check_can_answer(answer: Answer, seen: Seen, document: ServedDocument, topic: Topic) -> None:
    _check_answer(answer, topic.campaign.scale)
    _check_seen(seen, topic, document)
    if document.fault and answer.state == Judgment.State.JUDGED:
        what, reason = FAULTS[document.fault]
        raise Refused(f"{document.docno} {what}, so it cannot be graded: say that it is {reason}.")


def _check_answer(answer: Answer, scale: Scale) -> None:
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


def check_ratings(
    ratings: Mapping[str, int], grade: int | None, criteria: Iterable[Criterion]
) -> None:
    """Refuse ratings that a judgment with this grade may not have. Those not asked are ignored."""
    known = {each.name: each for each in criteria}
    for name, value in ratings.items():
        if name not in known:
            unknown = storable(name)[:MAX_NAME_LENGTH]
            raise Invalid("ratings", f"{unknown} is not a criterion of this campaign.")
        if value not in known[name].fixed:
            listed = ", ".join(f"{each} {label}" for each, label in known[name].fixed.items())
            why = f"{value} is not an answer to {name}, whose answers are {listed}."
            raise Invalid("ratings", why)
    asked = [name for name, each in known.items() if each.applies_to(grade)]
    if missing := [name for name in asked if name not in ratings]:
        listed = get_text_list(missing, "and")
        raise Invalid("ratings", f"With grade {grade} it also needs an answer to {listed}.")


def _check_seen(seen: Seen, topic: Topic, document: ServedDocument) -> None:
    text, statement = f"The text of {document.docno}", f"The statement of topic {topic}"
    shown = (
        ("document_version", seen.document_version, document.version, text),
        ("topic_version", seen.topic_version, topic.version, statement),
    )
    for field, version, current, what in shown:
        if version is None and current > 1:
            raise Invalid(
                field, f"{what} has had {current:,} versions: say in {field} which one was judged."
            )
        if version == 0 and current:
            raise Stale(f"{document.docno} was missing, and is here now: read it first.")
        if version not in {None, current}:
            raise Stale(f"{what} was replaced meanwhile: read it again.")
    if seen.scale not in {None, topic.campaign.asked_version}:
        raise Stale(
            "The scale of grades or the criteria were changed meanwhile: load the page again."
        )


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

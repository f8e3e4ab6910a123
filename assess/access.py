"""Who may assign, judge and publish, in which state, and what a judgment may hold."""

from collections.abc import Collection

from django.db.models import QuerySet
from django.template.defaultfilters import pluralize
from django.utils.formats import date_format

from accounts.access import NotThere, NotYours, Refused
from accounts.models import User
from assess.core.answers import Answer, Provenance, Seen
from assess.core.qrels import QrelsFacts
from assess.models import (
    Assignment,
    Judgment,
    JudgmentEvent,
    Qrels,
    QrelsImport,
    ServedDocument,
)
from campaigns.access import check_can_organize, check_window, roles
from campaigns.core.grades import Scale
from campaigns.models import AuditEvent, Campaign, Role, Topic
from pooling.models import Contributor, Pool, PoolEntry
from trec.streams import storable

MAX_COMMENT_LENGTH = 10_000
MAX_DOCNO_LENGTH = 255  # the most the column holds
# What page and API say of an answer that lacks something.
NO_CLIENT_ID = "The answer has no client_id, a UUID that is new for each answer: it keeps an answer sent twice from counting twice."
NO_DOCNO = "The answer does not say which document it is about: docno is missing."
NO_ANSWER = "Give a grade, put the document off, or say that it cannot be judged."
MAX_TIME_MS = 2**31 - 1  # the most the column holds: 24 days


def check_can_assign(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if Pool.objects.frozen_of(campaign) is None:
        raise Refused(
            "Topics can be assigned once the pool is frozen: until then there is nothing to judge."
        )


def assessors_of(campaign: Campaign) -> QuerySet[User]:
    return User.objects.filter(
        membership__campaign=campaign, membership__role=Role.ASSESSOR
    )


def check_can_distribute(campaign: Campaign, second_share: float) -> None:
    n_assessors = assessors_of(campaign).count()
    if not n_assessors:
        raise Refused("There is nobody to assign topics to: invite assessors first.")
    if second_share and n_assessors < 2:
        raise Refused("A second judgment needs a second assessor: invite one more.")


def in_conflict(campaign: Campaign) -> QuerySet[User]:
    """Return the people whose team has a run in the frozen pool: they could judge for their own run."""
    pool = Pool.objects.frozen_of(campaign)
    pooled = Contributor.objects.filter(pool=pool, run__campaign=campaign)
    return User.objects.filter(
        membership__campaign=campaign,
        membership__team__in=pooled.values("run__team"),
    )


def check_can_be_assigned(assessor: User, topic: Topic, kind: str) -> None:
    primary = None
    if kind == Assignment.Kind.PRIMARY:
        primary = Assignment.objects.primary().filter(topic=topic).first()
    check_can_work_on(assessor, topic, primary)
    if primary and not primary.taken_back_at:
        raise Refused(f"Topic {topic} already has a primary assessor.")


def check_can_work_on(
    assessor: User, topic: Topic, assignment: Assignment | None = None
) -> None:
    """Refuse somebody who could not judge a topic, or an assignment of it that there is already."""
    campaign = topic.campaign
    if Role.ASSESSOR not in roles(assessor, campaign):
        raise Refused(f"{assessor} is not an assessor of {campaign}.")
    pooled = PoolEntry.objects.filter(topic=topic, pool__state=Pool.State.FROZEN)
    if not pooled.exists():
        raise Refused(
            f"Topic {topic} is not in the frozen pool, so it has no documents to judge."
        )
    check_is_independent(assessor, topic, assignment)
    if (
        campaign.refuses_conflicts
        and in_conflict(campaign).filter(pk=assessor.pk).exists()
    ):
        raise Refused(
            f"The team of {assessor} has a run in the pool, and by the settings of {campaign} nobody judges then."
        )


def check_is_independent(
    assessor: User, topic: Topic, assignment: Assignment | None = None
) -> None:
    """Refuse whoever has, or has judged in, another assignment of the topic: nobody is compared with themselves."""
    others = Assignment.objects.filter(topic=topic)
    if assignment:
        others = others.exclude(pk=assignment.pk)
    if others.live().filter(assessor=assessor).exists():
        raise Refused(f"{assessor} already judges topic {topic}.")
    given = Judgment.objects.current().filter(assignment__in=others, assessor=assessor)
    earlier = given.select_related("assignment").first()
    if earlier:
        raise Refused(
            f"{assessor} has judged documents of topic {topic} already, in its {earlier.assignment.kind} assignment."
        )


def check_can_judge(user: User, assignment: Assignment) -> None:
    check_can_read_judgments(user, assignment)
    check_takes_judgments(assignment.topic.campaign)


def check_takes_judgments(campaign: Campaign) -> None:
    """Refuse judgments from anybody; those there are can still be read."""
    check_window(campaign, "Judging", None, campaign.judging_closes_at)


def check_can_read_judgments(user: User, assignment: Assignment) -> None:
    """Let assessors read what they were given and their own judgments, also after judging has closed.

    To others the assignment is as one that does not exist; organizers and whoever had it before read that it is somebody else's.
    """
    campaign = assignment.topic.campaign
    user_roles = roles(user, campaign)
    is_theirs = assignment.assessor_id == user.pk
    if not is_theirs and not _may_know_of(assignment, user, user_roles):
        raise NotThere
    if not is_theirs:
        raise NotYours(f"Topic {assignment.topic} was given to somebody else to judge.")
    if Role.ASSESSOR not in user_roles:
        raise NotYours(f"You are no longer an assessor of {campaign}.")
    if assignment.taken_back_at:
        raise NotYours(f"Topic {assignment.topic} was taken back from you.")
    # What is archived can be read, however far judging had come.
    if not campaign.archived_at:
        check_window(campaign, "Judging", campaign.judging_opens_at, None)


def _may_know_of(
    assignment: Assignment, user: User, user_roles: Collection[str]
) -> bool:
    """Tell whether somebody may know of an assignment that is not theirs: an organizer, and a member who had it before."""
    if Role.ORGANIZER in user_roles or not user_roles:
        return bool(user_roles)
    if Judgment.objects.filter(assignment=assignment, assessor=user).exists():
        return True
    left = [{"assignment": assignment.pk, "assessor": user.pk}]
    events = AuditEvent.objects.filter(campaign=assignment.topic.campaign)
    return events.filter(detail__left__contains=left).exists()


def reason_to_keep(campaign: Campaign) -> str:
    """Return why a campaign cannot be deleted, or nothing."""
    n_judgments = Judgment.objects.filter(topic__campaign=campaign).count()
    has_qrels = Qrels.objects.filter(campaign=campaign).exists()
    if not n_judgments and not has_qrels:
        return ""
    held = f"{n_judgments:,} judgment{pluralize(n_judgments)}" if n_judgments else "published qrels"  # fmt: skip
    return f"{campaign} has {held}, so it can be archived, not deleted."


def check_can_publish(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if not Assignment.objects.n_official(campaign):
        raise Refused(
            "There is nothing to publish yet: no primary assessor has judged a document."
        )


class Stale(Refused):
    """Refused because the client shows what is no longer so. The page is shown as it is now, with what was typed."""


class Invalid(Refused):
    """Refused because of what was sent; `field` names what is wrong in it."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


def check_answer(answer: Answer, scale: Scale) -> None:
    """Refuse an answer that a judgment may not hold. Form and API only check types, and a database constraint has no sentence to show."""
    is_judged = answer.state == Judgment.State.JUDGED
    is_impossible = answer.state == Judgment.State.CANNOT_JUDGE
    reason, comment = answer.reason, answer.comment or ""
    reasons = Judgment.Reason.values
    _refuse(
        ("state", not is_judged and not is_impossible and answer.state != "later", NO_ANSWER),
        ("grade", is_judged and answer.grade is None, "A judged document needs a grade."),
        ("grade", not is_judged and answer.grade is not None, "Only a judged document has a grade."),
        ("reason", is_impossible and not reason, "Say why the document cannot be judged."),
        ("reason", not is_impossible and bool(reason), "Only a document that cannot be judged has a reason."),
        ("reason", reason not in ["", *reasons], f"A reason is one of {', '.join(reasons)}."),
        ("comment", len(comment) > MAX_COMMENT_LENGTH, f"A comment has at most {MAX_COMMENT_LENGTH:,} characters; this one has {len(comment):,}."),
        ("comment", storable(comment) != comment, "A comment may not contain NUL characters or lone surrogates."),
    )  # fmt: skip
    if is_judged and not scale.has(answer.grade):
        raise Refused(f"{answer.grade} is not a grade of this campaign's scale.")


def check_seen(seen: Seen, topic: Topic, document: ServedDocument) -> None:
    """Refuse an answer about a text or a scale that was replaced since it was read."""
    shown = (
        ("document_version", seen.document_version, document.version, f"The text of {document.docno}"),
        ("topic_version", seen.topic_version, topic.version, f"The statement of topic {topic}"),
    )  # fmt: skip
    for field, version, current, what in shown:
        if version is None and current > 1:
            raise Invalid(field, f"{what} has had {current:,} versions: say in {field} which one was judged.")  # fmt: skip
        if version == 0 and current:
            raise Stale(f"{document.docno} was missing when this page was loaded, and has been imported since: look at it first.")  # fmt: skip
        if version not in {None, current}:
            raise Stale(f"{what} was replaced after this page was loaded: read it again.")  # fmt: skip
    if seen.scale not in {None, topic.campaign.scale.digest}:
        raise Stale(
            "The scale of grades was changed after this page was loaded: read it again."
        )


def check_can_grade(document: ServedDocument) -> None:
    """Refuse a grade for what nobody can have read."""
    if document.version == 0:
        raise Refused(f"{document.docno} has not been imported, so it cannot be graded: say that it is missing.")  # fmt: skip
    if document.is_empty:
        raise Refused(f"{document.docno} is empty, so it cannot be graded: say that it is missing.")  # fmt: skip


def check_provenance(provenance: Provenance) -> None:
    """Refuse a method or a time that an event may not hold."""
    times, methods = range(MAX_TIME_MS + 1), JudgmentEvent.Method.values
    sentence = f"Times are milliseconds, from 0 to {MAX_TIME_MS:,}."
    _refuse(
        ("method", provenance.method not in methods, f"A method is one of {', '.join(methods)}."),
        ("active_ms", provenance.active_ms not in times, sentence),
        ("away_ms", provenance.away_ms not in times, sentence),
    )  # fmt: skip


def _refuse(*faults: tuple[str, bool, str]) -> None:
    """Raise `Invalid` for the first fault; each is (field, whether it is wrong, sentence)."""
    for field, is_wrong, sentence in faults:
        if is_wrong:
            raise Invalid(field, sentence)


def check_level(level: int, highest: int) -> None:
    """Refuse a lowest relevant grade that is not above 0, or above the highest grade there is."""
    if not 0 < level <= max(1, highest):
        raise Invalid(
            "level",
            f"Documents are relevant from a grade from 1 to {max(1, highest)}, the highest there is; not from {level}.",
        )


def check_nothing_since(last: Qrels | None, seen: int | None) -> None:
    """Refuse to add a version to others than the person has seen; `seen` is the number of the last one, 0 for none."""
    if seen is None or seen == (last.number if last else 0):
        return
    if last is None:
        raise Refused("Publish from the page Qrels as it is now.")
    at = date_format(last.published_at, "j F Y, H:i")
    raise Refused(
        f"{last.published_by} added v{last.number} on {at} UTC, after this page was loaded. Look at it first, then decide again."
    )


def check_is_new(campaign: Campaign, sha256: str, level: int) -> None:
    """Refuse a version equal to the newest one."""
    newest = Qrels.objects.newest(campaign)
    if newest and (newest.sha256, newest.level) == (sha256, level):
        raise Refused(
            f"This would be v{newest.number} again: the same {_counted(newest.n_judgments, 'judgment')}, relevant from the same grade."
        )


def check_can_import(upload: QrelsImport) -> QrelsFacts:
    """Return what an uploaded file holds; refuse one that has not been read, or is no longer waiting to be imported."""
    states = QrelsImport.State
    name = upload.file_name
    if upload.state == states.IMPORTED:
        raise Refused(f"{name} has been imported already, as {upload.qrels}.")
    if upload.state == states.DISCARDED:
        raise Refused(f"{name} has been discarded. Upload it again to import it.")
    if upload.state == states.REFUSED:
        raise Refused(f"{name} cannot be imported. {upload.fault}")
    if upload.facts is None:
        raise Refused(f"{name} is still being read.")
    return upload.facts


def why_not_import(upload: QrelsImport) -> str:
    """Return why an uploaded file cannot be imported now; "" if it can."""
    try:
        check_can_import(upload)
    except Refused as refusal:
        return str(refusal)
    return ""


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{pluralize(n)}"

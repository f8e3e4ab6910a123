"""What this app tells the floors below it."""

from collections.abc import Collection, Iterator, Sequence

import assess.tasks  # noqa: F401 - registers the kinds of job
from accounts.models import User
from assess.access.known_grades import n_graded
from assess.core.purposes import CONTROLS
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.days import recount
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment, JudgmentQuerySet
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from assess.planning import judging_of
from assess.services import batches, official
from campaigns.from_above import (
    ANSWERED,
    HISTORIES,
    HOLD_JUDGING,
    N_GRADED,
    N_JUDGED,
    SETTINGS_CHANGED,
    SETTINGS_COST,
)
from campaigns.models.campaign import Campaign
from campaigns.models.trail import EVENTS
from collection.from_above import DOCUMENT_MENTIONS, JUDGING, TOPIC_MENTIONS, USES, Mention, Use
from collection.models.texts import Document, Topic
from pooling.from_above import (
    CHECK_TAKING_BACK,
    DEPENDENTS,
    GRADES,
    GROWN,
    N_LEFT,
    REGRADED,
    REMOVE_DEPENDENTS,
)

events, known_grades = JudgmentEvent.objects, KnownGrade.objects.controls_of
controls = AssignmentEntry.objects.controls_of


def _judgments(campaign: Campaign) -> JudgmentQuerySet:
    return Judgment.objects.served().filter(topic__campaign=campaign)


def _of_judging(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield who judged these documents and how, and their known grades."""
    current = (
        Judgment.objects.served().current().filter(topic__campaign=campaign, item__key__in=docnos)
    )
    rows = current.select_related("topic", "item", "assessor")
    for each in rows.order_by("topic__sort_key", "item__key", "pk"):
        answer = f"grade {each.grade}" if each.grade is not None else each.get_state_display()
        part = each.get_purpose_display()
        what = f"{each.assessor}, {answer} ({part}, version {each.document_version})"
        kind = "control" if each.purpose in CONTROLS else "judged"
        yield Mention(each.docno, str(each.topic), kind, what, str(each.assessor))
    known = KnownGrade.objects.controls_of(campaign).filter(item__key__in=docnos)
    ordered = known.select_related("item__topic").order_by("item__topic__sort_key", "item__key")
    for grade in ordered:
        versions = ", ".join(map(str, grade.document_versions))
        what = f"grade {grade.grade} (version {versions})"
        yield Mention(grade.docno, str(grade.topic), "known grade", what)


def _of_topics(campaign: Campaign, numbers: Collection[str]) -> Iterator[Mention]:
    """Yield who judged for these topics, once each."""
    judgments = (
        Judgment.objects.served()
        .current()
        .filter(topic__campaign=campaign, topic__number__in=numbers)
    )
    rows = judgments.order_by().values_list("topic__number", "assessor").distinct()
    pairs = sorted(rows)
    people = User.objects.in_bulk({pk for _, pk in pairs})
    for number, pk in pairs:
        yield Mention(number, "", "judged", by=str(people[pk]))


def _hold_judging(campaign: Campaign) -> None:
    """Lock every assignment: acts wait, and read the campaign again after that."""
    Assignment.objects.filter(topic__campaign=campaign).lock()


def _count_days(campaign: Campaign, _: User, changed: Sequence[str]) -> None:
    """Count the days of judging again where they begin at another hour now."""
    if "time_zone" in changed:
        _hold_judging(campaign)
        recount(Campaign.objects.get(pk=campaign.pk))


EVENTS.append(AssessEvent)
HISTORIES.append(("assess.JudgmentEvent", "judgment__assessor"))
ANSWERED.register(events.criteria_answered)
HOLD_JUDGING.register(_hold_judging)
N_GRADED.register(n_graded)
N_JUDGED.register(Assignment.objects.n_official_by_topic)
CHECK_TAKING_BACK.register(batches.check_nothing_is_judged)
DEPENDENTS.register(batches.described)
GRADES.register(OfficialGrade.objects.grades)
REGRADED.register(official.regrade)
GROWN.register(batches.serve_batch)
N_LEFT.register(batches.n_left_by_topic)
REMOVE_DEPENDENTS.register(batches.remove)
DOCUMENT_MENTIONS.register(_of_judging)
TOPIC_MENTIONS.register(_of_topics)
JUDGING.register(judging_of)
SETTINGS_CHANGED.register(_count_days)
SETTINGS_CHANGED.register(official.decide_by_new_rule)
SETTINGS_COST.register(official.cost_of_rule)
SETTINGS_COST.register(official.cost_of_level)
USES += [
    Use(Document, "change delete", "judged", _judgments, "item__docno"),
    Use(Document, "undo", "judged", events.about_present_documents, "judgment__item__docno"),
    Use(Document, "delete remove", "used with a known grade", known_grades, "item__docno"),
    Use(Document, "delete remove", "mixed in among an assessor's own", controls, "item__docno"),
    Use(Topic, "delete remove", "used with known grades", known_grades, "item__topic__number"),
    Use(Topic, "change", "judged", _judgments, "topic__number"),
    Use(Topic, "undo", "judged", events.about_present_topics, "judgment__topic__number"),
    Use(Topic, "delete remove", "assigned", Assignment.objects.in_campaign, "topic__number"),
]

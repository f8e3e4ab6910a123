"""What this app tells the floors below it."""

import assess.tasks  # noqa: F401 - registers the kinds of job
from assess.access.known_grades import n_graded
from assess.events import AssessEvent
from assess.mentions import of_judging, of_topics
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment, JudgmentQuerySet
from assess.models.serving import AssignmentEntry
from assess.planning import judging_of
from assess.services import batches, leaving
from campaigns.from_above import HOLDINGS, LOCK_WORK, N_GRADED, N_JUDGED, RELEASE_WORK
from campaigns.models.campaign import Campaign
from campaigns.models.trail import EVENTS
from collection.from_above import DOCUMENT_MENTIONS, JUDGING, TOPIC_MENTIONS, USES, Use
from collection.models.texts import Document, Topic
from pooling.from_above import (
    CHECK_TAKING_BACK,
    DEPENDENTS,
    GRADES,
    GROWN,
    N_LEFT,
    REMOVE_DEPENDENTS,
)

events, known_grades = JudgmentEvent.objects, KnownGrade.objects.of
controls = AssignmentEntry.every.controls_of


def _judgments(campaign: Campaign) -> JudgmentQuerySet:
    return Judgment.with_controls.filter(topic__campaign=campaign)


EVENTS.append(AssessEvent)
HOLDINGS.register(leaving.find_work)
LOCK_WORK.register(leaving.lock_work)
RELEASE_WORK.register(leaving.release_work)
N_GRADED.register(n_graded)
N_JUDGED.register(Assignment.objects.n_official_by_topic)
CHECK_TAKING_BACK.register(batches.check_nothing_is_judged)
DEPENDENTS.register(batches.described)
GRADES.register(batches.grades_so_far)
GROWN.register(batches.serve_batch)
N_LEFT.register(batches.n_left_by_topic)
REMOVE_DEPENDENTS.register(batches.remove)
DOCUMENT_MENTIONS.register(of_judging)
TOPIC_MENTIONS.register(of_topics)
JUDGING.register(judging_of)
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

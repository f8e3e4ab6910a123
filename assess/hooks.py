"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

import assess.tasks  # noqa: F401 - registers the kinds of job
from assess.access.known_grades import n_graded
from assess.events import AssessEvent
from assess.mentions import of_judging, of_topics
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.planning import judging_of
from assess.services import unfreezing
from assess.services.leaving import WORK
from campaigns.access.campaign import register_graded
from campaigns.holdings import register_holdings
from campaigns.models.trail import register_events
from campaigns.progress import register_counts
from collection.mentions import register_judging, register_mentions
from collection.models.texts import Document, Topic, register_use
from pooling import dependents

register_events(AssessEvent)
register_holdings(WORK)
register_graded(n_graded)
dependents.register(
    dependents.Dependent(
        unfreezing.check_nothing_is_judged, unfreezing.described, unfreezing.remove
    )
)
events, judgments, judged = JudgmentEvent.objects, Judgment.with_controls, "judged"
register_use(
    Document,
    ["change", "delete"],
    judged,
    lambda campaign: judgments.filter(topic__campaign=campaign).values("docno"),
)
register_use(
    Document,
    ["undo"],
    judged,
    lambda campaign: events.about_present_documents(campaign).values("judgment__docno"),
)
register_use(
    Document,
    ["delete", "remove"],
    "used with a known grade",
    lambda campaign: KnownGrade.objects.of(campaign).values("docno"),
)
register_use(
    Document,
    ["delete", "remove"],
    "mixed in among an assessor's own",
    lambda campaign: AssignmentEntry.with_controls.controls_of(campaign).values("docno"),
)
register_use(
    Topic,
    ["delete", "remove"],
    "used with known grades",
    lambda campaign: KnownGrade.objects.of(campaign).values("topic__number"),
)
register_use(
    Topic,
    ["change"],
    judged,
    lambda campaign: judgments.filter(topic__campaign=campaign).values("topic__number"),
)
register_use(
    Topic,
    ["undo"],
    judged,
    lambda campaign: events.about_present_topics(campaign).values("judgment__topic__number"),
)
register_use(
    Topic,
    ["delete", "remove"],
    "assigned",
    lambda campaign: Assignment.objects.in_campaign(campaign).order_by().values("topic__number"),
)
register_mentions(Document, of_judging)
register_mentions(Topic, of_topics)
register_counts("judged", Assignment.objects.n_official_by_topic)
register_judging(judging_of)

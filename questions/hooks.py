"""What this app registers below: its event, and what keeps a topic from being deleted."""

from campaigns.models.trail import register_events
from collection.models.texts import Topic, register_use
from questions.events import QuestionEvent
from questions.models.notes import TopicNote
from questions.models.questions import Question

register_events(QuestionEvent)
register_use(
    Topic,
    ["delete", "remove"],
    "asked about",
    lambda campaign: Question.objects.in_campaign(campaign).order_by().values("topic__number"),
)
register_use(
    Topic,
    ["delete", "remove"],
    "noted on by an assessor",
    lambda campaign: TopicNote.objects.filter(topic__campaign=campaign).values("topic__number"),
)

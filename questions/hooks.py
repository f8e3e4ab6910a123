"""What this app tells the floors below it."""

from django.db.models import QuerySet

from campaigns.models.campaign import Campaign
from campaigns.models.trail import EVENTS
from collection.from_above import USES, Use
from collection.models.texts import Topic
from questions.events import QuestionEvent
from questions.models import Question, TopicNote


def _notes(campaign: Campaign) -> QuerySet[TopicNote]:
    return TopicNote.objects.filter(topic__campaign=campaign)


EVENTS.append(QuestionEvent)
USES += [
    Use(Topic, "delete remove", "asked about", Question.objects.in_campaign, "topic__number"),
    Use(Topic, "delete remove", "noted on by an assessor", _notes, "topic__number"),
]

"""What this app tells the floors below it."""

import collection.tasks  # noqa: F401 - registers the kinds of job
from campaigns.access.topics import check_can_read_topics
from campaigns.from_above import TABS, Tab
from campaigns.models.people import Role
from campaigns.models.trail import EVENTS
from collection.events import CollectionEvent

EVENTS.append(CollectionEvent)
TABS += [
    Tab(210, "topics", "collection:topics", check=check_can_read_topics),
    Tab(220, "documents", "collection:documents", {Role.ORGANIZER}),
]

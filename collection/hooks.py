"""What this app tells the floors below it."""

import collection.tasks  # noqa: F401 - registers the kinds of job
from campaigns.from_above import TABS, Tab
from campaigns.models.people import Role
from campaigns.models.trail import EVENTS
from collection.access import Topics
from collection.events import CollectionEvent

EVENTS.append(CollectionEvent)
TABS += [
    Tab(210, "topics", "collection:topics", verb=Topics.see),
    Tab(220, "documents", "collection:documents", {Role.ORGANIZER}),
]

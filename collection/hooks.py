"""What this app tells the floors below it: tabs, kinds of event and of job."""

import collection.tasks  # noqa: F401 - registers the kinds of job
from campaigns.access.roles import check_can_read_topics
from campaigns.models.people import Role
from campaigns.models.trail import register_events
from campaigns.web.frame import register_tab
from collection.events import CollectionEvent

register_events(CollectionEvent)
register_tab(210, "topics", "collection:topics", check=check_can_read_topics)
register_tab(220, "documents", "collection:documents", Role.ORGANIZER)

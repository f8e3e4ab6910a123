"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

import campaigns.tasks  # noqa: F401 - registers the kinds of job
from accounts.pages import register_judges
from campaigns.access.roles import check_can_read_topics
from campaigns.access.runs import check_only_released_runs
from campaigns.events import CampaignEvent
from campaigns.models.people import Membership, Role
from campaigns.models.trail import register_events
from campaigns.pages import register_tab

register_events(CampaignEvent)
assessors = Membership.objects.filter(role=Role.ASSESSOR)
register_judges(lambda user: assessors.filter(user=user).exists())
register_tab(210, "topics", "campaigns:topics", check=check_can_read_topics)
register_tab(220, "documents", "campaigns:documents", Role.ORGANIZER)
register_tab(310, "runs", "campaigns:runs", Role.ORGANIZER, Role.PARTICIPANT)
register_tab(311, "runs", "campaigns:released_runs", check=check_only_released_runs)
register_tab(320, "team", "campaigns:my_team", Role.PARTICIPANT)
register_tab(230, "people", "campaigns:people", Role.ORGANIZER)
register_tab(610, "settings", "campaigns:settings", Role.ORGANIZER)

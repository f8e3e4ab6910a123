"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

import qrels.tasks  # noqa: F401 - registers the kinds of job
from campaigns.access.campaign import register_reason_to_keep
from campaigns.models.trail import register_events
from campaigns.web.frame import register_tab
from qrels.access import check_qrels_shown, reason_to_keep
from qrels.events import QrelsEvent

register_events(QrelsEvent)
register_reason_to_keep(reason_to_keep)
register_tab(510, "qrels", "qrels:qrels", check=check_qrels_shown)

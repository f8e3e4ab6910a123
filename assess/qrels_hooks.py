"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

import assess.qrels_tasks  # noqa: F401 - registers the kinds of job
from assess.access.publishing import check_qrels_shown, reason_to_keep
from assess.qrels_events import QrelsEvent
from campaigns.access.campaign import register_reason_to_keep
from campaigns.models.work import register_events
from campaigns.pages import register_tab

register_events(QrelsEvent)
register_reason_to_keep(reason_to_keep)
register_tab(510, "qrels", "qrels:qrels", check=check_qrels_shown)

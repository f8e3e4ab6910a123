"""What this app tells the floors below it."""

import qrels.tasks  # noqa: F401 - registers the kinds of job
from campaigns.from_above import TABS, WHY_KEEP, Tab
from campaigns.models.trail import EVENTS
from qrels.access import check_qrels_shown, reason_to_keep
from qrels.events import QrelsEvent

EVENTS.append(QrelsEvent)
WHY_KEEP.register(reason_to_keep)
TABS.append(Tab(510, "qrels", "qrels:qrels", check=check_qrels_shown))

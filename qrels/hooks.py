"""What this app tells the floors below it."""

import qrels.tasks  # noqa: F401 - registers the kinds of job
from campaigns.from_above import OF_ROUND, TABS, WHY_KEEP, Tab
from campaigns.models.trail import EVENTS
from pooling.from_above import CHECK_TAKING_BACK, EXISTING
from qrels.access import (
    check_nothing_published_since,
    check_qrels_shown,
    reason_to_keep,
    versions_of_round,
)
from qrels.events import QrelsEvent
from qrels.facts import existing, why_kept_for_pool
from qrels.from_above import WHY_NOT_WITHDRAW

EVENTS.append(QrelsEvent)
CHECK_TAKING_BACK.register(check_nothing_published_since)
EXISTING.register(existing)
OF_ROUND.register(versions_of_round)
WHY_KEEP.register(reason_to_keep)
WHY_NOT_WITHDRAW.register(why_kept_for_pool)
TABS.append(Tab(510, "qrels", "qrels:qrels", check=check_qrels_shown))

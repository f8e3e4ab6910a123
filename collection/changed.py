"""Topics and documents have changed, or are to: what the apps above say to it."""

from collections.abc import Set

from accounts.models import User
from campaigns.models.campaign import Campaign
from trec.hook import Hook

# Called after topics or documents have changed.
CHANGED: Hook[[Campaign, User], object] = Hook()
# What deleting the topics with these numbers would cost, in a sentence; "" for nothing.
COSTS: Hook[[Campaign, Set[str]], str] = Hook()

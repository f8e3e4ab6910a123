"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from accounts.hook import Hook
from accounts.models import User
from campaigns.models.campaign import Campaign

# Called with a campaign's id once judgments in it are committed.
JUDGED: Hook[[int], None] = Hook()
# Raise Refused for somebody who may not read the practice of a campaign, or not answer it now.
READ_PRACTICE: Hook[[User, Campaign], None] = Hook()
ANSWER_PRACTICE: Hook[[User, Campaign], None] = Hook()

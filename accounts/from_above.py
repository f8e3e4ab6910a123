"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from accounts.models import User
from trec.hook import Hook

# Whether somebody judges anywhere.
DOES_JUDGE: Hook[[User], bool] = Hook()

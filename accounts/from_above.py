"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from accounts.hook import Hook
from accounts.models import User

# Whether somebody judges anywhere.
DOES_JUDGE: Hook[[User], bool] = Hook()

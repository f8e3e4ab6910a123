"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from accounts.hook import Hook
from qrels.models import Qrels

# Why a version cannot be withdrawn, in a sentence; "" for no reason.
WHY_NOT_WITHDRAW: Hook[[Qrels], str] = Hook()

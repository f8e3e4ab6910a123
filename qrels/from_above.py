"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from qrels.models import Qrels
from trec.hook import Hook

# Why a version cannot be withdrawn, in a sentence; "" for no reason.
WHY_NOT_WITHDRAW: Hook[[Qrels], str] = Hook()

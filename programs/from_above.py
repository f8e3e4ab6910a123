"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from accounts.hook import Hook
from programs.models import Program

# Why a program has to be kept, in a sentence; "" for no reason.
WHY_KEEP: Hook[[Program], str] = Hook()

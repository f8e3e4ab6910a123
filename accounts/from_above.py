"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.hook import Hook

if TYPE_CHECKING:  # the checks are loaded before the models
    from accounts.models import User

# Ends the access tokens of a person: whose act it is, None for the people who run this site; and
# why, "password" or "closed".
TOKENS_END: Hook[[User, User | None, str], None] = Hook()
# Whether somebody judges anywhere.
DOES_JUDGE: Hook[[User], bool] = Hook()

"""What this app does when an account changes."""

from accounts.from_above import TOKENS_END
from api.services import revoke_all

TOKENS_END.register(revoke_all)

"""What this app does when an account changes, and when a campaign is deleted."""

from accounts.from_above import TOKENS_END
from api.once import forget
from api.services import revoke_all
from campaigns.from_above import DELETED

DELETED.register(forget)
TOKENS_END.register(revoke_all)

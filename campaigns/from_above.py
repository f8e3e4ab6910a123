"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from accounts.access import can
from accounts.hook import Hook
from accounts.models import User
from campaigns.models.campaign import Campaign

# Why a campaign has to be kept, for good or for now, in a sentence; "" for no reason.
WHY_KEEP: Hook[[Campaign], str] = Hook()
# Called before a campaign is deleted.
DELETED: Hook[[Campaign], None] = Hook()
# Whether grades from elsewhere count, which fix the scale like judgments.
FIXES_SCALE: Hook[[Campaign], bool] = Hook()
# Which criteria beside the grade, by name, were ever answered, whatever became of the answers.
ANSWERED: Hook[[Campaign, Collection[str]], Collection[str]] = Hook()
# Has acts of judging wait until the transaction ends. The campaign is locked.
HOLD_JUDGING: Hook[[Campaign], None] = Hook()
# How many things that are no judgments have one of these grades, by their noun.
N_GRADED: Hook[[Campaign, Collection[int]], Mapping[str, int]] = Hook()
# What a change of settings would cost, in a sentence; "" for nothing.
SETTINGS_COST: Hook[[Campaign, Mapping[str, Any]], str] = Hook()
# Called once settings, by these names, have changed; "topics" are those of rounds.
SETTINGS_CHANGED: Hook[[Campaign, User, Sequence[str]], None] = Hook()
# Tables whose rows are about a person by way of another row: the table, and the lookup.
HISTORIES: list[tuple[str, str]] = []


class Tab(NamedTuple):
    """A page in the frame of a campaign, for people with one of the roles or who may do the verb.

    Tabs are in the order of `position`; those with the same first digit form a group.
    """

    position: int
    name: str
    view: str
    roles: Collection[str] = ()
    verb: Callable[[Any, Campaign], None] | None = None

    @property
    def group(self) -> int:
        return self.position // 100

    def is_for(self, user: Any, user_roles: Collection[str], campaign: Campaign) -> bool:
        if self.verb:
            return can(self.verb, user, campaign)
        return not set(self.roles).isdisjoint(user_roles)


TABS: list[Tab] = []


class Progress(NamedTuple):
    """How many documents of a topic are in the pool, and how many have an official grade."""

    n_pooled: int
    n_judged: int

    @property
    def n_left(self) -> int:
        return max(0, self.n_pooled - self.n_judged)

    @property
    def share(self) -> float:
        """The judged share; below 0 if there is nothing to judge."""
        return self.n_judged / self.n_pooled if self.n_pooled else -1.0

    @property
    def kind(self) -> str:
        """What lists of topics are filtered by."""
        if self.n_judged >= self.n_pooled:
            return "judged"
        return "under way" if self.n_judged else "not started"


# How many documents of each topic, by its id, are in the pool, and are judged.
N_POOLED: Hook[[Campaign], Mapping[int, int]] = Hook()
N_JUDGED: Hook[[Campaign], Mapping[int, int]] = Hook()


def progress_of(campaign: Campaign) -> dict[int, Progress]:
    """Return the progress of each topic in the pool, by its id."""
    [pooled], [judged] = N_POOLED(campaign), N_JUDGED(campaign)
    return {pk: Progress(n, judged.get(pk, 0)) for pk, n in pooled.items()}

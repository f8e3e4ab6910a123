"""When judging will be done: when the last assessor is, each at their own pace."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from assess.core.pace import Likely
from cleverdon.trec.words import counted, verb

# More people are counted, not named.
NAMED = 3
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Share(NamedTuple):
    """The documents somebody has left, `n_primary` of them official, and the day if known."""

    name: str
    n_left: int
    n_primary: int
    has_begun: bool
    likely: Likely | None


class Outlook(NamedTuple):
    """What is left of judging: by assessor, in shared topics, without an assessor, and stuck.

    A stuck document is in a shared topic, with too few assessors for the judgments wanted.
    """

    shares: Sequence[Share]
    n_nobodys: int = 0
    deadline: date | None = None
    shared: Share | None = None
    n_stuck: int = 0

    @property
    def everything(self) -> list[Share]:
        return [*self.shares, *([self.shared] if self.shared else [])]

    @property
    def known(self) -> list[Share]:
        return [each for each in self.everything if each.likely]

    @property
    def done(self) -> date | None:
        """The day on which the last of those with a pace will be done."""
        return max((each.likely.done for each in self.known if each.likely), default=None)

    @property
    def whole(self) -> date | None:
        """The day on which everything will be judged, if every share has one."""
        rest = self.n_nobodys + self.n_stuck
        is_whole = len(self.known) == len(self.everything) and not rest
        return self.done if is_whole else None

    @property
    def against(self) -> str:
        """That day and the deadline: ", three days early"; "" without both."""
        return against(self.whole, self.deadline)

    @property
    def partly(self) -> str:
        """Who will be done when, and how much has no date; "" with a day for all or for nobody."""
        if self.whole or not self.done:
            return ""
        people = [each.name for each in self.shares if each.likely]
        names = people if len(people) <= NAMED else [counted(len(people), "assessor")]
        if self.shared and self.shared.likely:
            names = [*names, self.shared.name]
        finish = "finishes" if names == people[:1] else "finish"
        return f"{_listed(names)} {finish} about {written(self.done)}. {self._without_date()}"

    def _without_date(self) -> str:
        idle = [each for each in self.shares if not each.likely and not each.has_begun]
        slow = sum(each.n_left for each in self.shares if not each.likely and each.has_begun)
        n_shared = self.shared.n_left if self.shared and not self.shared.likely else 0
        several = counted(len(idle), "assessor")
        who = _listed([each.name for each in idle]) if 0 < len(idle) <= NAMED else several
        numbers = [
            (f"{who} {verb(len(idle), 'has')} not started ", sum(each.n_left for each in idle), ""),
            ("", slow, " with people who judge too slowly to tell"),
            ("", n_shared, " of shared topics without a date"),
            ("", self.n_nobodys, " without an assessor"),
            ("", self.n_stuck, " that too few people can judge"),
        ]
        parts = [f"{start}{counted(n, 'document')}{end}" for start, n, end in numbers if n]
        return "; ".join(parts)


def written(day: date) -> str:
    return f"{day.day} {day:%B}"


def against(done: date | None, deadline: date | None) -> str:
    """Return how many days that is before or after the deadline.

    >>> deadline = date(2026, 12, 18)
    >>> against(date(2026, 12, 15), deadline), against(date(2026, 12, 19), deadline)
    (', three days early', ', one day late')
    >>> against(deadline, deadline), against(deadline, None)
    (', on the last day', '')
    """
    if done is None or deadline is None:
        return ""
    n = (deadline - done).days
    if not n:
        return ", on the last day"
    number = NUMBERS[abs(n)] if abs(n) < len(NUMBERS) else f"{abs(n):,}"
    days = "day" if abs(n) == 1 else "days"
    return f", {number} {days} {'early' if n > 0 else 'late'}"


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last

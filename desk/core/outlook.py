"""When judging will be done: each assessor at their own pace, all together when the last of them is."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from assess.core.pace import Likely
from trec.words import counted, verb

# More people than that are counted rather than named.
NAMED = 3
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Share(NamedTuple):
    """What somebody has left, `n_primary` of it for official grades, and when they will be done; None where that cannot be said."""

    name: str
    n_left: int
    n_primary: int
    has_begun: bool
    likely: Likely | None


class Outlook(NamedTuple):
    """The shares of all who have something left, how many documents nobody has, and what is left of shared topics.

    That is a share too, of the whole group, but for the documents that cannot get their judgments. There is a day for all
    only where there is one for each share, and every document has somebody.
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
        """The day on which everything will be judged; None where somebody's day is not known."""
        rest = self.n_nobodys + self.n_stuck
        is_whole = len(self.known) == len(self.everything) and not rest
        return self.done if is_whole else None

    @property
    def against(self) -> str:
        """How many days that is before or after the deadline: ", three days early"; "" where there is no such day."""
        return against(self.whole, self.deadline)

    @property
    def partly(self) -> str:
        """Who will be done when, and what else there is; "" where there is a day for all, or for nobody."""
        if self.whole or not self.done:
            return ""
        names = [each.name for each in self.shares if each.likely]
        names = [counted(len(names), "assessor")] if len(names) > NAMED else names
        if self.shared and self.shared.likely:
            names.append(self.shared.name)
        is_one = names == [each.name for each in self.shares if each.likely][:1]
        when = f"{'finishes' if is_one else 'finish'} about {written(self.done)}"
        unknown = (each[0].upper() + each[1:] for each in self._unknown())
        return ". ".join([f"{_listed(names)} {when}", *unknown])

    def _unknown(self) -> list[str]:
        unknown = [each for each in self.shares if not each.likely]
        new = [each for each in unknown if not each.has_begun]
        slow = [each for each in unknown if each.has_begun]
        said = []
        if len(new) == 1:
            said.append(f"{new[0].name} has not started ({counted(new[0].n_left, 'document')})")
        elif new:
            n = counted(sum(each.n_left for each in new), "document")
            said.append(f"{counted(len(new), 'assessor')} have not started ({n})")
        if len(slow) == 1:
            said.append(f"{_theirs(slow[0])} {verb(slow[0].n_left, 'has')} no date yet")
        elif slow:
            n_left = sum(each.n_left for each in slow)
            said.append(
                f"{counted(n_left, 'document')} of {counted(len(slow), 'other assessor')} {verb(n_left, 'has')} no date yet"
            )
        said += self._unknown_of_shared()
        if self.n_nobodys:
            said.append(
                f"{counted(self.n_nobodys, 'document')} {verb(self.n_nobodys, 'has')} no assessor"
            )
        return said

    def _unknown_of_shared(self) -> list[str]:
        said = []
        if self.shared and not self.shared.likely:
            said.append(
                f"the {counted(self.shared.n_left, 'document')} left in shared topics {verb(self.shared.n_left, 'has')} no date yet"
            )
        if self.n_stuck:
            said.append(
                f"{counted(self.n_stuck, 'document')} in shared topics cannot get {'its' if self.n_stuck == 1 else 'their'} judgments"
            )
        return said


def written(day: date) -> str:
    return f"{day.day} {day:%B}"


def against(done: date | None, deadline: date | None) -> str:
    """Say how many days that is before or after the deadline.

    >>> against(date(2026, 12, 15), date(2026, 12, 18)), against(date(2026, 12, 19), date(2026, 12, 18))
    (', three days early', ', one day late')
    >>> against(date(2026, 12, 18), date(2026, 12, 18)), against(date(2026, 12, 18), None)
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


def _theirs(share: Share) -> str:
    return f"{share.name}'s {counted(share.n_left, 'document')}"

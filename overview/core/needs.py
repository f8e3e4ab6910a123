"""What a campaign needs of its organizers, and where it stands, in a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from overview.core.burnup import Forecast
from overview.core.stages import (
    ATTENTION,
    PROGRESS,
    CampaignFacts,
    Stage,
)
from trec.words import counted

# More at once are no help.
MOST = 5
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True)
class Need:
    """What is so, why it matters, and the button that leads to what can be done; whether it is a stage of the chain."""

    title: str
    sentence: str
    view: str
    act: str
    is_stage: bool = False


def needs(stages: Sequence[Stage], facts: CampaignFacts, n_failed: int) -> list[Need]:
    """Return what needs an organizer, most wanted first: the next stage of the chain, later ones that wait, then what went wrong."""
    return list(islice(_needs(stages, facts, n_failed), MOST))


def _needs(stages: Sequence[Stage], facts: CampaignFacts, n_failed: int) -> Iterator[Need]:  # fmt: skip
    for stage in stages:
        if stage.act and (stage.is_next or stage.state in {ATTENTION, PROGRESS}):
            yield Need(
                stage.next_step.removesuffix("."),
                "",
                stage.view,
                stage.act,
                is_stage=True,
            )
    if n := facts.n_invalid:
        title = f"{counted(n, 'run')} did not pass the check"
        yield Need(title, "The report says why; the team can upload again.", "campaigns:runs", "Runs…")  # fmt: skip
    if n_failed:
        title = f"{counted(n_failed, 'background job')} failed"
        yield Need(title, "Each says why below, and can be tried again.", "overview", "Jobs")  # fmt: skip


def headline(stages: Sequence[Stage], facts: CampaignFacts, ahead: Forecast | None, deadline: date | None) -> str:  # fmt: skip
    """Say in a sentence where the campaign stands."""
    now = next((stage for stage in stages if stage.is_next), None)
    if now is None:
        return "The campaign is complete"
    if not facts.n_assigned or now.name != "judgments":
        return now.next_step.removesuffix(".")
    if ahead:
        return f"Judging will be done on {ahead.done.day} {ahead.done:%B}{_against(ahead.done, deadline)}"
    return f"{facts.n_judged:,} of {counted(facts.n_assigned, 'document')} judged"


def _against(done: date, deadline: date | None) -> str:
    """Say how many days that is before or after the deadline.

    >>> _against(date(2026, 12, 15), date(2026, 12, 18)), _against(date(2026, 12, 19), date(2026, 12, 18))
    (', three days early', ', one day late')
    >>> _against(date(2026, 12, 18), date(2026, 12, 18)), _against(date(2026, 12, 18), None)
    (', on the last day', '')
    """
    if deadline is None:
        return ""
    n = (deadline - done).days
    if not n:
        return ", on the last day"
    number = NUMBERS[abs(n)] if abs(n) < len(NUMBERS) else f"{abs(n):,}"
    days = "day" if abs(n) == 1 else "days"
    return f", {number} {days} {'early' if n > 0 else 'late'}"

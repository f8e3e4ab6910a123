"""What a campaign needs of its organizers, and where it stands, in a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, starmap

from desk.core.outlook import Outlook, written
from desk.core.replaced import on_replaced
from overview.core.stages import ATTENTION, PROGRESS, CampaignFacts, Stage
from trec.words import counted, verb

# More at once are no help.
MOST = 5


@dataclass(frozen=True)
class Need:
    """What is so, why it matters, and the button that leads to what can be done: to a view of the campaign, or `at` an address."""

    title: str
    sentence: str
    view: str
    act: str
    is_stage: bool = False
    at: str = ""
    other: tuple[str, str] = ("", "")  # what else can be done, and where


def needs(
    stages: Sequence[Stage], facts: CampaignFacts, of_judging: Sequence[Need] = ()
) -> list[Need]:
    """Return what needs an organizer, most wanted first.

    These are the next stage of the chain, later ones that wait, what judging needs, what rests on
    earlier texts, and what went wrong.

    `of_judging` is what the page Judging names too. Once topics are assigned it has those that nobody judges.
    """
    return list(islice(_needs(stages, facts, of_judging), MOST))


def _needs(
    stages: Sequence[Stage], facts: CampaignFacts, of_judging: Sequence[Need]
) -> Iterator[Need]:
    for stage in stages:
        if stage.name == "judgments" and facts.n_assigned:
            yield from of_judging
        elif stage.act and (stage.is_next or stage.state in {ATTENTION, PROGRESS}):
            yield Need(stage.next_step.removesuffix("."), "", stage.view, stage.act, is_stage=True)
    yield from starmap(Need, on_replaced(*facts.on_earlier))
    if facts.board_is_released:
        yield from _of_the_board(facts)
    if n := facts.n_unpooled:
        title = f"{counted(n, 'topic')} {verb(n, 'is')} in no pool"
        yield Need(
            title,
            "The frozen pool has no document of it."
            if n == 1
            else "The frozen pool has no document of them.",
            "collection:topics",
            "Topics…",
        )
    if facts.awaits_runs and (n := facts.n_invalid):
        title = f"{counted(n, 'run')} did not pass the check"
        yield Need(
            title,
            "The report says why; the team can upload again."
            if n == 1
            else "The reports say why; the teams can upload again.",
            "runs:runs",
            "Runs…",
        )
    if n_failed := facts.n_failed_jobs:
        title = f"{counted(n_failed, 'background job')} failed"
        yield Need(
            title,
            "It says why, and can be tried again."
            if n_failed == 1
            else "Each says why, and can be tried again.",
            "overview",
            "Jobs",
        )


def _of_the_board(facts: CampaignFacts) -> Iterator[Need]:
    if n := facts.n_left_out:
        title = f"{counted(n, 'valid run')} {verb(n, 'is')} not on the leaderboard"
        yield _board_need(title, "Submitted or reinstated since.")
    if n := facts.n_out:
        title = f"{counted(n, 'run')} on the leaderboard {verb(n, 'is')} not valid any more"
        yield _board_need(title, "Score the valid runs and release those scores.")


def _board_need(title: str, note: str) -> Need:
    return Need(title, note, "evaluation:leaderboard", "Leaderboard…")


def is_complete(stages: Sequence[Stage], needs: Sequence[Need]) -> bool:
    """Whether nothing waits: each stage is done, the board among them, and nothing else needs an organizer."""
    return not needs and not any(stage.is_next for stage in stages)


def headline(
    stages: Sequence[Stage], needs: Sequence[Need], facts: CampaignFacts, outlook: Outlook | None
) -> str:
    """Say in a sentence where the campaign stands."""
    now = next((stage for stage in stages if stage.is_next), None)
    if now is None:
        return needs[0].title if needs else "The campaign is complete"
    if not facts.n_assigned or now.name != "judgments":
        return now.next_step.removesuffix(".")
    if outlook and outlook.whole:
        return f"Judging will be done on {written(outlook.whole)}{outlook.against}"
    if outlook and outlook.partly:
        return f"{facts.n_judged:,} of {counted(facts.n_to_judge, 'document')} judged"
    n_left = facts.n_to_judge - facts.n_judged - facts.n_cannot_judge
    return f"{counted(n_left, 'document')} left to judge"

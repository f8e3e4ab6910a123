"""What a campaign needs of its organizers, and its state in a sentence."""

from collections.abc import Iterator, Sequence

from cleverdon.trec.words import counted, verb
from desk.core.needs import Need, on_replaced
from desk.core.outlook import Outlook, written
from overview.core.stages import ATTENTION, PROGRESS, CampaignFacts, Stage

MOST = 5  # shown at once, before the fold


def needs(
    stages: Sequence[Stage], facts: CampaignFacts, of_judging: Sequence[Need] = ()
) -> list[Need]:
    """Return the needs, the most urgent first; pages show `MOST` and fold the others.

    They are the next stage, later ones that wait, `of_judging` once topics are assigned, judgments
    of replaced texts, and what went wrong.
    """
    return list(_needs(stages, facts, of_judging))


def _needs(
    stages: Sequence[Stage], facts: CampaignFacts, of_judging: Sequence[Need]
) -> Iterator[Need]:
    for stage in stages:
        if stage.name == "judgments" and facts.judging.n_assigned:
            yield from of_judging
        elif stage.act and (stage.is_next or stage.state in {ATTENTION, PROGRESS}):
            yield Need(stage.next_step.removesuffix("."), "", stage.view, stage.act, is_stage=True)
    yield from on_replaced(*facts.on_earlier)
    if facts.board.is_released:
        yield from _of_the_board(facts)
    yield from _faults(facts)


def _faults(facts: CampaignFacts) -> Iterator[Need]:
    if n := facts.texts.n_unpooled:
        title = f"{counted(n, 'topic')} {verb(n, 'has')} no documents to judge yet"
        yield Need(title, "The frozen pool has none of them.", "pooling:extend", "Extend the pool…")
    if facts.awaits_runs and (n := facts.runs.n_invalid):
        title = f"{counted(n, 'run')} did not pass the check"
        note = "The reports say why; the teams can upload again."
        if n == 1:
            note = "The report says why; the team can upload again."
        yield Need(title, note, "runs:runs", "Runs…")
    if n := facts.n_failed_jobs:
        title = f"{counted(n, 'background job')} failed"
        which = "It" if n == 1 else "Each"
        yield Need(title, f"{which} says why, and can be tried again.", "overview", "Jobs")


def _of_the_board(facts: CampaignFacts) -> Iterator[Need]:
    if n := facts.n_left_out:
        title = f"{counted(n, 'valid run')} {verb(n, 'is')} not on the leaderboard"
        yield _board_need(title, "Submitted or reinstated since.")
    if n := facts.board.n_out:
        title = f"{counted(n, 'run')} on the leaderboard {verb(n, 'is')} not valid any more"
        yield _board_need(title, "Score the valid runs and release those scores.")


def _board_need(title: str, note: str) -> Need:
    return Need(title, note, "evaluation:leaderboard", "Leaderboard…")


def is_complete(stages: Sequence[Stage], needs: Sequence[Need]) -> bool:
    """Whether each stage is done and nothing else needs an organizer."""
    return not needs and not any(stage.is_next for stage in stages)


def headline(
    stages: Sequence[Stage], needs: Sequence[Need], facts: CampaignFacts, outlook: Outlook | None
) -> str:
    """Return the state of the campaign as a heading."""
    now = next((stage for stage in stages if stage.is_next), None)
    if now is None:
        return needs[0].title if needs else "The campaign is complete"
    if not facts.judging.n_assigned or now.name != "judgments":
        return now.next_step.removesuffix(".")
    if outlook and outlook.whole:
        return f"Judging will be done on {written(outlook.whole)}{outlook.against}"
    if outlook and outlook.partly:
        return f"{facts.judging.n_judged:,} of {counted(facts.n_to_judge, 'document')} judged"
    n_left = facts.n_to_judge - facts.judging.n_judged - facts.judging.n_cannot_judge
    return f"{counted(n_left, 'document')} left to judge"

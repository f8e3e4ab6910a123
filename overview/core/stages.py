"""The seven stages of a campaign and how far each is, from what the campaign contains."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.words import counted
from evaluation.core.scope import Scope

EMPTY, PROGRESS, DONE, ATTENTION = "empty", "in progress", "done", "attention"
PRELIMINARY = "preliminary"


@dataclass(frozen=True)
class TextFacts:
    n_topics: int = 0
    n_unpooled: int = 0  # not in the frozen pool
    n_documents: int = 0
    n_missing: int = 0  # pooled documents that have not been imported


@dataclass(frozen=True)
class SubmissionFacts:
    n_valid: int = 0
    n_invalid: int = 0  # without those that were replaced under their tag
    is_over: bool = False


@dataclass(frozen=True)
class PoolFacts:
    """The pool or, before one is frozen, the newest draft; no state without any."""

    state: str = ""
    strategy: str = ""
    parameters: Mapping[str, int] = field(default_factory=dict)
    n_batches: int = 1
    n_entries: int = 0


@dataclass(frozen=True)
class JudgingFacts:
    n_assigned: int = 0  # documents assigned to primary assessors, or shared
    n_shared: int = 0
    n_judged: int = 0
    n_cannot_judge: int = 0


@dataclass(frozen=True)
class QrelsFacts:
    """The newest version that stands, published here if there is one."""

    number: int = 0
    pool: int | None = None  # None for imported qrels, too
    n_official: int = 0
    n_unjudged: int = 0  # pooled documents without an official grade
    n_impossible: int = 0  # of these, those that could not be judged


@dataclass(frozen=True)
class BoardFacts:
    scope: Mapping[str, Any] = field(default_factory=dict)  # as JSON
    n_scored: int = 0
    n_scored_valid: int = 0  # of these, those that are valid now
    n_valid_of_round: int = 0  # the valid runs of its round
    is_withdrawn: bool = False  # its version was withdrawn
    is_preliminary: bool = False
    is_released: bool = False  # the teams, or everybody, see it now
    is_planned: bool = False  # it is released, perhaps from a later date on
    is_public: bool = False  # everybody sees it now

    @property
    def qrels(self) -> int:
        """The qrels version; 0 without a board."""
        return Scope.from_json(self.scope).qrels if self.scope else 0

    @property
    def against(self) -> str:
        return Scope.from_json(self.scope).name

    @property
    def n_out(self) -> int:
        """Runs on the leaderboard that are not valid any more."""
        return self.n_scored - self.n_scored_valid


@dataclass(frozen=True)
class CampaignFacts:
    """What a campaign contains, by stage. Where only existence was asked for, 1 is any number."""

    texts: TextFacts = TextFacts()
    runs: SubmissionFacts = SubmissionFacts()
    pool: PoolFacts = PoolFacts()
    judging: JudgingFacts = JudgingFacts()
    qrels: QrelsFacts = QrelsFacts()
    board: BoardFacts = BoardFacts()
    drafted_qrels: int = 0  # the newest version that the runs were scored against
    n_failed_jobs: int = 0
    # Judgments, known grades and practice grades of replaced texts.
    on_earlier: tuple[int, int, int] = 0, 0, 0

    @property
    def n_left_out(self) -> int:
        """Valid runs that the leaderboard does not have, but should."""
        scope = self.board.scope
        if not scope or "chosen" in scope:
            return 0
        n_valid = self.board.n_valid_of_round if "round" in scope else self.runs.n_valid
        return n_valid - self.board.n_scored_valid

    @property
    def n_to_judge(self) -> int:
        """Documents of the pool that are to have an official grade."""
        return max(self.pool.n_entries, self.judging.n_assigned)

    @property
    def awaits_runs(self) -> bool:
        """Whether a team may still replace a run that did not pass."""
        return not self.runs.is_over and self.pool.state != "frozen"

    @property
    def needs_no_pool(self) -> bool:
        """Whether the qrels are imported and there is no pool."""
        is_imported = bool(self.qrels.number) and self.qrels.pool is None
        return is_imported and not self.pool.state


@dataclass(frozen=True)
class Stage:
    """A stage: its page, its count, its state, and what to do if it is the next one."""

    name: str
    view: str
    count: int
    detail: str
    state: str
    next_step: str
    act: str = ""  # the button; "" while there is nothing to do but wait
    is_next: bool = False
    word: str = ""  # for the state, if there is a better one
    stops: bool = True  # whether the next stages wait for it


def stages(facts: CampaignFacts) -> list[Stage]:
    """Return the seven stages in order; the first that is not done is marked as next."""
    all_stages = [stage_from(facts) for stage_from in STAGES]
    first = next((stage for stage in all_stages if stage.state != DONE and stage.stops), None)
    return [replace(stage, is_next=stage is first) for stage in all_stages]


def _unless_imported(facts: CampaignFacts) -> tuple[str, str]:
    return (DONE, "the qrels are imported") if facts.needs_no_pool else (EMPTY, "")


def _topics(facts: CampaignFacts) -> Stage:
    view, n = "collection:topics", facts.texts.n_topics
    if facts.texts.n_unpooled:
        detail = f"{facts.texts.n_unpooled:,} in no pool"
        return Stage("topics", view, n, detail, ATTENTION, "", stops=False)
    state, step = DONE if n else EMPTY, "Import the topics."
    return Stage("topics", view, n, "", state, step, "Import topics…")


def _documents(facts: CampaignFacts) -> Stage:
    state, detail, step = DONE, "", "Import the documents, or existing qrels."
    if not facts.texts.n_documents and not facts.needs_no_pool:
        state = EMPTY
    if facts.texts.n_missing:
        state, detail = ATTENTION, f"{facts.texts.n_missing:,} of the pool missing"
        step = "Some documents of the pool are missing: import them."
    count, view = facts.texts.n_documents, "collection:documents"
    return Stage("documents", view, count, detail, state, step, "Import documents…")


def _runs(facts: CampaignFacts) -> Stage:
    state, step = EMPTY, "Invite participants to upload runs."
    if facts.pool.state or (facts.runs.n_valid and facts.needs_no_pool):
        state = DONE
    elif facts.runs.n_valid:
        state, step = PROGRESS, "Build the pool once all runs are in."
    detail = f"valid, {facts.runs.n_invalid:,} invalid" if facts.runs.n_invalid else ""
    if state == DONE and facts.runs.n_invalid and facts.awaits_runs:
        # Runs that did not pass are a need of their own.
        return Stage("runs", "runs:runs", facts.runs.n_valid, detail, ATTENTION, "", stops=False)
    return Stage("runs", "runs:runs", facts.runs.n_valid, detail, state, step, "Runs…")


def _pool(facts: CampaignFacts) -> Stage:
    state, detail = _unless_imported(facts)
    if facts.pool.state:
        state = DONE if facts.pool.state == "frozen" else PROGRESS
        strategy = STRATEGIES[facts.pool.strategy].label(**facts.pool.parameters)
        pool = f"{facts.pool.n_batches} batches" if facts.pool.n_batches > 1 else strategy
        detail = f"{pool}, {facts.pool.state}"
    step = "Check the pool and freeze it."
    return Stage("pool", "pooling:pool", facts.pool.n_entries, detail, state, step, "Pool…")


def _judgments(facts: CampaignFacts) -> Stage:
    state, detail = _unless_imported(facts)
    step, act = "Assign the topics to assessors.", "Assign topics…"
    if facts.judging.n_assigned:
        n_decided = facts.judging.n_judged + facts.judging.n_cannot_judge
        is_all_assigned = facts.judging.n_assigned >= facts.pool.n_entries
        is_done = n_decided == facts.judging.n_assigned and is_all_assigned
        state = DONE if is_done else PROGRESS
        detail = f"of {facts.n_to_judge:,}"
        if facts.judging.n_cannot_judge:
            detail += f", {facts.judging.n_cannot_judge:,} cannot be judged"
        step = f"{facts.judging.n_judged:,} of {counted(facts.n_to_judge, 'document')} judged."
        if is_all_assigned:
            act = ""
        else:
            step += " Some topics of the pool have no primary assessor yet."
    return Stage("judgments", "desk:judging", facts.judging.n_judged, detail, state, step, act)


def _qrels(facts: CampaignFacts) -> Stage:
    state, detail, word = EMPTY, "", ""
    step, act = "Publish the qrels.", "Publish qrels…"
    n_open = facts.qrels.n_unjudged - facts.qrels.n_impossible
    if facts.qrels.number:
        state, detail = DONE, counted(facts.qrels.n_official, "judgment")
    if facts.qrels.number and n_open > 0:
        n_pooled = facts.qrels.n_official + facts.qrels.n_unjudged
        detail = f"{facts.qrels.n_official:,} of {counted(n_pooled, 'judgment')}"
        state, word = PROGRESS, PRELIMINARY
        step = f"Qrels v{facts.qrels.number} are preliminary: {detail}."
        if facts.judging.n_judged <= facts.qrels.n_official:
            act = ""
    return Stage("qrels", "qrels:qrels", facts.qrels.number, detail, state, step, act, word=word)


def _leaderboard(facts: CampaignFacts) -> Stage:
    number, view = facts.board.qrels, "evaluation:leaderboard"
    if not number:
        return Stage("leaderboard", view, 0, "", EMPTY, "Score the runs.", "Score the runs…")
    detail, state, word = f"by {facts.board.against}, {_seen_by(facts)}", PROGRESS, ""
    step, act = _of_board(facts)
    if facts.board.is_withdrawn:
        state, detail = ATTENTION, f"by {facts.board.against}, withdrawn"
    elif facts.board.is_preliminary:
        word = PRELIMINARY
    elif not step:
        state = DONE
    return Stage("leaderboard", view, facts.board.n_scored, detail, state, step, act, word=word)


def _seen_by(facts: CampaignFacts) -> str:
    if facts.board.is_public:
        return "public"
    if facts.board.is_released:
        return "released"
    return "released from a later date" if facts.board.is_planned else "a draft"


def _of_board(facts: CampaignFacts) -> tuple[str, str]:
    """Return what there is to do about the board, and its button; "" if nothing."""
    number, newest, drafted = facts.board.qrels, facts.qrels.number, facts.drafted_qrels
    rests, scores = f"The leaderboard rests on qrels v{number}", f"against {facts.board.against}"
    again = "Score the runs…"
    if facts.board.is_withdrawn:
        return f"{rests}, which were withdrawn: score the runs again.", again
    if max(number, drafted) < newest:
        return f"{rests}. Qrels v{newest} are newer: score the runs again.", again
    if facts.board.is_planned and not facts.board.is_released:
        return f"The scores {scores} are released from a later date.", ""
    if not facts.board.is_released:
        return f"The scores {scores} are a draft: release them.", "Release…"
    if number < drafted:
        return f"Newer scores, against v{drafted}, are not released yet.", "Leaderboard…"
    return "", ""


STAGES = (_topics, _documents, _runs, _pool, _judgments, _qrels, _leaderboard)
